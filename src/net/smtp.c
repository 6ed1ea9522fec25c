// SPDX-License-Identifier: GPL-3.0-or-later
//
// One letter as text, and the talk with the mail server.
#include "net/smtp.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <curl/curl.h>
#include <sodium.h>

#define CONNECT_S 15L
#define WHOLE_S 60L
#define WORD_BYTES 39 // of an encoded word, so that its line has at most 76 characters

// ---- settings ---------------------------------------------------------------------------------

static bool is_here(const char *host) {
    return strcmp(host, "localhost") == 0 || strncmp(host, "127.", 4) == 0 ||
           strcmp(host, "[::1]") == 0;
}

static bool read_url(NetSmtp *smtp, JdErr *err) {
    CURLU *url = curl_url();
    char *scheme = NULL;
    char *host = NULL;
    char *password = NULL;
    if (url == NULL)
        return jd_fail(err, 1, 0, "smtp: no memory");
    const bool read = curl_url_set(url, CURLUPART_URL, smtp->url, 0) == CURLUE_OK &&
                      curl_url_get(url, CURLUPART_SCHEME, &scheme, 0) == CURLUE_OK &&
                      curl_url_get(url, CURLUPART_HOST, &host, 0) == CURLUE_OK &&
                      (strcmp(scheme, "smtp") == 0 || strcmp(scheme, "smtps") == 0);
    const bool with_password = curl_url_get(url, CURLUPART_PASSWORD, &password, 0) == CURLUE_OK;
    smtp->tls_must = read && with_password && !is_here(host);
    curl_free(scheme);
    curl_free(host);
    curl_free(password);
    curl_url_cleanup(url);
    return read ||
           jd_fail(err, 1, 0, "smtp: expected smtp://[user:password@]host[:port] or smtps://...");
}

// The bare address of "Name <address>".
static JdStr address_of(JdStr from) {
    const size_t open = jd_str_find(from, '<');
    if (open == from.size)
        return from;
    const JdStr rest = jd_str_part(from, open + 1, from.size);
    return jd_str_part(rest, 0, jd_str_find(rest, '>'));
}

bool net_smtp_init(NetSmtp *smtp, const char *url, const char *from, const atomic_bool *stop,
                   JdErr *err) {
    *smtp = (NetSmtp) { .stop = stop };
    jd_format(smtp->url, sizeof(smtp->url), "%s", url);
    jd_format(smtp->from, sizeof(smtp->from), "%s", from);
    char key[PAGES_EMAIL_MAX + 1];
    if (!pages_email_check(address_of(jd_str(smtp->from)), key, NULL))
        return jd_fail(err, 1, 0,
                       "mail_from: \"%.60s\", expected address@host or Name <address@host>", from);
    return read_url(smtp, err);
}

// ---- the message ------------------------------------------------------------------------------

static bool is_ascii(JdStr text) {
    for (size_t i = 0; i < text.size; i++)
        if ((unsigned char)text.data[i] < ' ' || (unsigned char)text.data[i] > '~')
            return false;
    return true;
}

static void add_base64(JdOut *out, const char *bytes, size_t size) {
    char text[128];
    JD_ASSERT(size <= 57);
    sodium_bin2base64(text, sizeof(text), (const unsigned char *)bytes, size,
                      sodium_base64_VARIANT_ORIGINAL);
    jd_out_cstr(out, text);
}

// Text of a header: as it is, or in encoded words cut between characters (RFC 2047).
static void add_words(JdOut *out, JdStr text) {
    if (is_ascii(text)) {
        jd_out_text(out, text);
        return;
    }
    for (size_t at = 0; at < text.size;) {
        size_t end = at;
        for (size_t next = at; next < text.size;) {
            (void)jd_utf8_next(text, &next);
            if (next - at > WORD_BYTES)
                break;
            end = next;
        }
        jd_out_cstr(out, at == 0 ? "=?UTF-8?B?" : "\r\n =?UTF-8?B?");
        add_base64(out, text.data + at, end - at);
        jd_out_cstr(out, "?=");
        at = end;
    }
}

static void add_from(JdOut *out, JdStr from) {
    const size_t open = jd_str_find(from, '<');
    const JdStr name = open == from.size ? jd_str("") : jd_str_trim(jd_str_part(from, 0, open));
    if (name.size > 0 && is_ascii(name)) {
        jd_out_char(out, '"');
        for (size_t i = 0; i < name.size; i++)
            if (name.data[i] != '"' && name.data[i] != '\\')
                jd_out_char(out, name.data[i]);
        jd_out_char(out, '"');
    } else {
        add_words(out, name);
    }
    jd_out_cstr(out, name.size > 0 ? " <" : "<");
    jd_out_text(out, address_of(from));
    jd_out_char(out, '>');
}

static void add_date(JdOut *out, JdInstant now) {
    static const char *const days[] = { "Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat" };
    static const char *const months[] = { "Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                          "Jul", "Aug", "Sep", "Oct", "Nov", "Dec" };
    const time_t seconds = (time_t)(now.ms / 1000);
    struct tm at;
    gmtime_r(&seconds, &at);
    char text[64];
    jd_format(text, sizeof(text), "%s, %d %s %d %02d:%02d:%02d +0000", days[at.tm_wday], at.tm_mday,
              months[at.tm_mon], at.tm_year + 1900, at.tm_hour, at.tm_min, at.tm_sec);
    jd_out_cstr(out, text);
}

static void add_message_id(JdOut *out, JdStr from) {
    unsigned char chance[12];
    char text[2 * sizeof(chance) + 1];
    randombytes_buf(chance, sizeof(chance));
    sodium_bin2hex(text, sizeof(text), chance, sizeof(chance));
    const JdStr address = address_of(from);
    jd_out_char(out, '<');
    jd_out_cstr(out, text);
    jd_out_text(out, jd_str_part(address, jd_str_find(address, '@'), address.size));
    jd_out_char(out, '>');
}

// Lines end in CRLF before they are encoded (RFC 2046 4.1.1).
static void add_body(JdOut *out, JdStr text) {
    char line[57];
    size_t size = 0;
    for (size_t i = 0; i < text.size; i++) {
        const char pair[2] = { '\r', text.data[i] };
        const size_t from = text.data[i] == '\n' ? 0 : 1;
        for (size_t at = from; at < 2; at++) {
            line[size++] = pair[at];
            if (size == sizeof(line)) {
                add_base64(out, line, size);
                jd_out_cstr(out, "\r\n");
                size = 0;
            }
        }
    }
    if (size > 0) {
        add_base64(out, line, size);
        jd_out_cstr(out, "\r\n");
    }
}

bool net_smtp_message(const NetSmtp *smtp, const PagesLetter *letter, JdInstant now, JdOut *out) {
    jd_out_cstr(out, "Date: ");
    add_date(out, now);
    jd_out_cstr(out, "\r\nFrom: ");
    add_from(out, jd_str(smtp->from));
    jd_out_cstr(out, "\r\nTo: <");
    jd_out_cstr(out, letter->to);
    jd_out_cstr(out, ">\r\nMessage-ID: ");
    add_message_id(out, jd_str(smtp->from));
    jd_out_cstr(out, "\r\nSubject: ");
    add_words(out, jd_str(letter->subject));
    if (letter->unsubscribe[0] != '\0') {
        jd_out_cstr(out, "\r\nList-Unsubscribe: <");
        jd_out_cstr(out, letter->unsubscribe);
        jd_out_cstr(out, ">\r\nList-Unsubscribe-Post: List-Unsubscribe=One-Click");
    }
    jd_out_cstr(out, "\r\nAuto-Submitted: auto-generated\r\n"
                     "MIME-Version: 1.0\r\n"
                     "Content-Type: text/plain; charset=utf-8\r\n"
                     "Content-Transfer-Encoding: base64\r\n\r\n");
    add_body(out, jd_str(letter->body));
    return jd_out_fits(out);
}

// ---- the talk ---------------------------------------------------------------------------------

typedef struct Reading {
    const char *data;
    size_t size;
    size_t at;
} Reading;

static size_t on_read(char *to, size_t size, size_t count, void *context) {
    Reading *reading = context;
    const size_t room = size * count;
    const size_t rest = reading->size - reading->at;
    const size_t taken = rest < room ? rest : room;
    memcpy(to, reading->data + reading->at, taken);
    reading->at += taken;
    return taken;
}

static int on_progress(void *context, curl_off_t a, curl_off_t b, curl_off_t c, curl_off_t d) {
    const NetSmtp *smtp = context;
    (void)a;
    (void)b;
    (void)c;
    (void)d;
    return atomic_load(smtp->stop) ? 1 : 0;
}

static NetSmtpOutcome outcome_of(CURL *curl, CURLcode result, JdErr *err) {
    long code = 0;
    if (result == CURLE_OK)
        return NET_SMTP_SENT;
    curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &code);
    (void)jd_fail(err, 1, 0, "%s (last answer %ld)", curl_easy_strerror(result), code);
    // 535, wrong user or password, is ours to put right; the others are about this letter.
    const bool about_the_letter = code >= 550 && code <= 559 && result != CURLE_LOGIN_DENIED;
    return about_the_letter ? NET_SMTP_REFUSED : NET_SMTP_LATER;
}

static bool set_up(CURL *curl, const NetSmtp *smtp, const char *from, struct curl_slist *to,
                   Reading *reading) {
    const long tls = smtp->tls_must ? (long)CURLUSESSL_ALL : (long)CURLUSESSL_TRY;
    return curl_easy_setopt(curl, CURLOPT_URL, smtp->url) == CURLE_OK &&
           curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR, "smtp,smtps") == CURLE_OK &&
           curl_easy_setopt(curl, CURLOPT_USE_SSL, tls) == CURLE_OK &&
           curl_easy_setopt(curl, CURLOPT_MAIL_FROM, from) == CURLE_OK &&
           curl_easy_setopt(curl, CURLOPT_MAIL_RCPT, to) == CURLE_OK &&
           curl_easy_setopt(curl, CURLOPT_UPLOAD, 1L) == CURLE_OK &&
           curl_easy_setopt(curl, CURLOPT_READFUNCTION, on_read) == CURLE_OK &&
           curl_easy_setopt(curl, CURLOPT_READDATA, reading) == CURLE_OK &&
           curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L) == CURLE_OK &&
           curl_easy_setopt(curl, CURLOPT_NOPROGRESS, 0L) == CURLE_OK &&
           curl_easy_setopt(curl, CURLOPT_XFERINFOFUNCTION, on_progress) == CURLE_OK &&
           curl_easy_setopt(curl, CURLOPT_XFERINFODATA, smtp) == CURLE_OK &&
           curl_easy_setopt(curl, CURLOPT_CONNECTTIMEOUT, CONNECT_S) == CURLE_OK &&
           curl_easy_setopt(curl, CURLOPT_TIMEOUT, WHOLE_S) == CURLE_OK;
}

NetSmtpOutcome net_smtp_send(const NetSmtp *smtp, const PagesLetter *letter, JdInstant now,
                             JdErr *err) {
    char *space = malloc(NET_SMTP_MESSAGE_MAX);
    CURL *curl = curl_easy_init();
    char from[PAGES_EMAIL_MAX + 8];
    char to[PAGES_EMAIL_MAX + 8];
    jd_format(from, sizeof(from), "<%.*s>", JD_PRINT(address_of(jd_str(smtp->from))));
    jd_format(to, sizeof(to), "<%s>", letter->to);
    struct curl_slist *list = curl_slist_append(NULL, to);
    NetSmtpOutcome outcome = NET_SMTP_LATER;
    if (space == NULL || curl == NULL || list == NULL) {
        (void)jd_fail(err, 1, 0, "no memory");
    } else {
        JdOut out = jd_out(space, NET_SMTP_MESSAGE_MAX);
        Reading reading = { .data = space };
        if (!net_smtp_message(smtp, letter, now, &out)) {
            (void)jd_fail(err, 1, 0, "too long");
            outcome = NET_SMTP_REFUSED;
        } else {
            reading.size = out.size;
            if (set_up(curl, smtp, from, list, &reading))
                outcome = outcome_of(curl, curl_easy_perform(curl), err);
            else
                (void)jd_fail(err, 1, 0, "libcurl does not know SMTP");
        }
    }
    curl_slist_free_all(list);
    curl_easy_cleanup(curl);
    free(space);
    return outcome;
}
