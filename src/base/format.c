// SPDX-License-Identifier: GPL-3.0-or-later
//
// The small printf. Freestanding code has no stdio.h; this covers what messages of the Laws need.
#include <jadoube/base.h>

typedef struct Spec {
    int width;     // least characters, 0: none
    int precision; // most bytes of %s, -1: all
    bool zeros;    // pad numbers with 0
    bool left;     // pad on the right
    int longs;     // 0: int, 1: long, 2: long long, 3: size_t
} Spec;

static void pad(JdOut *out, char c, int count) {
    for (int i = 0; i < count; i++)
        jd_out_char(out, c);
}

static void put_number(JdOut *out, const Spec *spec, uint64_t magnitude, bool negative,
                       unsigned base) {
    char digits[24];
    size_t count = 0;
    do {
        digits[count++] = "0123456789abcdef"[magnitude % base];
        magnitude /= base;
    } while (magnitude != 0);
    const int shown = (int)count + negative;
    const int missing = spec->width > shown ? spec->width - shown : 0;
    if (!spec->left && !spec->zeros)
        pad(out, ' ', missing);
    if (negative)
        jd_out_char(out, '-');
    if (!spec->left && spec->zeros)
        pad(out, '0', missing);
    while (count > 0)
        jd_out_char(out, digits[--count]);
    if (spec->left)
        pad(out, ' ', missing);
}

static void put_text(JdOut *out, const Spec *spec, const char *text) {
    if (text == NULL)
        text = "(null)";
    size_t size = 0;
    while ((spec->precision < 0 || size < (size_t)spec->precision) && text[size] != '\0')
        size++;
    const int missing = spec->width > (int)size ? spec->width - (int)size : 0;
    if (!spec->left)
        pad(out, ' ', missing);
    jd_out_text(out, jd_str_n(text, size));
    if (spec->left)
        pad(out, ' ', missing);
}

static int read_number(const char **at) {
    int value = 0;
    while (**at >= '0' && **at <= '9') {
        if (value < 100000)
            value = value * 10 + (**at - '0');
        ++*at;
    }
    return value;
}

// A va_list inside a struct can be handed on by address on every platform.
typedef struct Arguments {
    va_list list;
} Arguments;

static Spec read_spec(const char **at, Arguments *arguments) {
    Spec spec = { .precision = -1 };
    for (; **at == '0' || **at == '-'; ++*at) {
        spec.zeros |= **at == '0';
        spec.left |= **at == '-';
    }
    if (**at == '*') {
        spec.width = va_arg(arguments->list, int);
        ++*at;
    } else {
        spec.width = read_number(at);
    }
    if (**at == '.') {
        ++*at;
        if (**at == '*') {
            spec.precision = va_arg(arguments->list, int);
            ++*at;
        } else {
            spec.precision = read_number(at);
        }
    }
    for (; **at == 'l' || **at == 'z'; ++*at)
        spec.longs = **at == 'z' ? 3 : spec.longs + 1;
    return spec;
}

static int64_t take_signed(const Spec *spec, Arguments *arguments) {
    switch (spec->longs) {
    case 0:
        return va_arg(arguments->list, int);
    case 1:
        return va_arg(arguments->list, long);
    case 2:
        return va_arg(arguments->list, long long);
    default:
        return va_arg(arguments->list, ptrdiff_t);
    }
}

static uint64_t take_unsigned(const Spec *spec, Arguments *arguments) {
    switch (spec->longs) {
    case 0:
        return va_arg(arguments->list, unsigned);
    case 1:
        return va_arg(arguments->list, unsigned long);
    case 2:
        return va_arg(arguments->list, unsigned long long);
    default:
        return va_arg(arguments->list, size_t);
    }
}

static void put_conversion(JdOut *out, char letter, const Spec *spec, Arguments *arguments) {
    switch (letter) {
    case 'd':
    case 'i': {
        const int64_t value = take_signed(spec, arguments);
        put_number(out, spec, value < 0 ? 0 - (uint64_t)value : (uint64_t)value, value < 0, 10);
        break;
    }
    case 'u':
        put_number(out, spec, take_unsigned(spec, arguments), false, 10);
        break;
    case 'x':
        put_number(out, spec, take_unsigned(spec, arguments), false, 16);
        break;
    case 'c':
        jd_out_char(out, (char)va_arg(arguments->list, int));
        break;
    case 's':
        put_text(out, spec, va_arg(arguments->list, const char *));
        break;
    default: // "%%", and anything unknown shows itself
        jd_out_char(out, letter);
    }
}

size_t jd_format_v(char *text, size_t capacity, const char *format, va_list list) {
    JdOut out = jd_out(text, capacity == 0 ? 0 : capacity - 1);
    Arguments arguments;
    va_copy(arguments.list, list);
    for (const char *at = format; *at != '\0'; at++) {
        if (*at != '%') {
            jd_out_char(&out, *at);
            continue;
        }
        at++;
        const Spec spec = read_spec(&at, &arguments);
        if (*at == '\0')
            break;
        put_conversion(&out, *at, &spec, &arguments);
    }
    va_end(arguments.list);
    if (capacity > 0)
        text[jd_out_str(&out).size] = '\0';
    return out.size;
}

size_t jd_format(char *text, size_t capacity, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    const size_t size = jd_format_v(text, capacity, format, arguments);
    va_end(arguments);
    return size;
}
