// SPDX-License-Identifier: GPL-3.0-or-later
//
// E-mail addresses (S-004): the everyday syntax (RFC 5321 without quoted local parts and without
// address literals), and the form in which two addresses are compared.
#include "pages/internal.h"

static bool is_letter_or_digit(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

// RFC 5322 atext.
static bool is_atom_char(char c) {
    const JdStr others = JD_STR("!#$%&'*+-/=?^_`{|}~");
    return is_letter_or_digit(c) || jd_str_find(others, c) < others.size;
}

static bool bad(JdErr *err, size_t offset, const char *expected) {
    return jd_fail_field(err, PAGES_EMAIL_BAD, "email", offset, "byte %zu: expected %s", offset,
                         expected);
}

static bool check_local(JdStr local, JdErr *err) {
    if (local.size < 1 || local.size > 64)
        return bad(err, 0, "1 to 64 characters before the @");
    for (size_t i = 0; i < local.size; i++) {
        const bool dot = local.data[i] == '.';
        if (dot && (i == 0 || i + 1 == local.size || local.data[i - 1] == '.'))
            return bad(err, i, "a dot only between characters");
        if (!dot && !is_atom_char(local.data[i]))
            return bad(err, i, "a character that an address may hold");
    }
    return true;
}

static bool check_label(JdStr label, size_t offset, JdErr *err) {
    if (label.size < 1 || label.size > 63)
        return bad(err, offset, "a domain name of 1 to 63 characters between dots");
    for (size_t i = 0; i < label.size; i++) {
        const bool hyphen = label.data[i] == '-' && i > 0 && i + 1 < label.size;
        if (!hyphen && !is_letter_or_digit(label.data[i]))
            return bad(err, offset + i, "a letter, a digit or a hyphen within a domain name");
    }
    return true;
}

// At least two labels, the last one not a number.
static bool check_domain(JdStr domain, size_t offset, JdErr *err) {
    size_t labels = 0;
    size_t at = offset;
    JdStr label = { 0 };
    for (bool more = true; more; labels++) {
        more = jd_str_find(domain, '.') < domain.size;
        label = jd_str_cut(&domain, '.');
        if (!check_label(label, at, err))
            return false;
        at += label.size + 1;
    }
    if (labels < 2)
        return bad(err, offset, "a domain such as example.org");
    if (label.data[0] >= '0' && label.data[0] <= '9')
        return bad(err, at - label.size - 1, "a top-level domain");
    return true;
}

bool pages_email_check(JdStr email, char key[PAGES_EMAIL_MAX + 1], JdErr *err) {
    if (!check_text(email, "email", 4096, err))
        return false;
    email = jd_str_trim(email);
    if (email.size > PAGES_EMAIL_MAX)
        return bad(err, PAGES_EMAIL_MAX, "at most 254 bytes");
    const size_t at = jd_str_find(email, '@');
    if (at == email.size)
        return bad(err, at, "an @");
    const JdStr local = jd_str_part(email, 0, at);
    const JdStr domain = jd_str_part(email, at + 1, email.size);
    if (!check_local(local, err) || !check_domain(domain, at + 1, err))
        return false;
    const size_t tag = jd_str_find(local, '+');
    JdOut out = jd_out(key, PAGES_EMAIL_MAX);
    jd_out_text(&out, jd_str_part(local, 0, tag > 0 ? tag : local.size)); // "+x@y" is its own
    jd_out_char(&out, '@');
    for (size_t i = 0; i < domain.size; i++) {
        const char c = domain.data[i];
        jd_out_char(&out, (char)(c >= 'A' && c <= 'Z' ? c + 32 : c));
    }
    key[out.size] = '\0';
    return true;
}
