/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/utf8.h"
#include "raw/text.h"

/* As strconv.Unquote has it: Go's strconv/quote.go. */

enum {
    REPLACEMENT = 0xfffd
};

static unsigned digit(uint8_t c)
{
    if (c >= '0' && c <= '9')
        return c - (unsigned) '0';
    c |= 0x20;
    return c >= 'a' && c <= 'f' ? c - (unsigned) 'a' + 10 : 16;
}

/* Reads `count` digits, which end before the line does. 0: they are not there. */
static int take_digits(const uint8_t **p, unsigned count, unsigned base, uint32_t *value)
{
    *value = 0;
    for (; count > 0; count--) {
        unsigned next = digit(*(*p)++);
        if (next >= base)
            return 0;
        *value = *value * base + next;
    }
    return 1;
}

/* Of \n and the like; 0 where the letter means nothing. */
static char meaning(uint8_t letter)
{
    static const char letters[] = "abfnrtv\\\"";
    static const char meanings[] = "\a\b\f\n\r\t\v\\\"";
    for (size_t i = 0; letters[i]; i++) {
        if ((uint8_t) letters[i] == letter)
            return meanings[i];
    }
    return 0;
}

/* Reads an escape sequence behind its backslash; 0 where it is malformed. */
static int take_escape(const uint8_t **p, char **to)
{
    uint32_t value;
    uint8_t letter = *(*p)++;
    char plain = meaning(letter);
    if (plain) {
        *(*to)++ = plain;
        return 1;
    }
    if (letter == 'u' || letter == 'U') {
        if (!take_digits(p, letter == 'u' ? 4 : 8, 16, &value) || !gt_utf8_is_rune(value))
            return 0;
        *to = gt_utf8_put(*to, value);
        return 1;
    }
    if (letter != 'x')
        --*p;
    if (!take_digits(p, letter == 'x' ? 2 : 3, letter == 'x' ? 16 : 8, &value) || value > 0xff)
        return 0;
    *(*to)++ = (char) value;
    return 1;
}

static void take_character(const uint8_t **p, const uint8_t *end, char **to)
{
    uint32_t rune;
    size_t length = gt_utf8_decode(*p, (size_t) (end - *p), &rune);
    *to = gt_utf8_put(*to, length == 0 ? REPLACEMENT : rune);
    *p += length == 0 ? 1 : length;
}

static const uint8_t *unquote_interpreted(const uint8_t *p, const uint8_t *end, char **to)
{
    while (p < end) {
        if (*p == '"')
            return p + 1;
        if (*p >= 0x80) {
            take_character(&p, end, to);
        } else if (*p != '\\') {
            *(*to)++ = (char) *p++;
        } else {
            p++;
            if (!take_escape(&p, to))
                return NULL;
        }
    }
    return NULL;
}

static const uint8_t *unquote_raw(const uint8_t *p, const uint8_t *end, char **to)
{
    for (; p < end; p++) {
        if (*p == '`')
            return p + 1;
        if (*p != '\r')
            *(*to)++ = (char) *p;
    }
    return NULL;
}

const uint8_t *gt_raw_unquote(const uint8_t *p, const uint8_t *end, char *to, size_t *size)
{
    char *start = to;
    const uint8_t *behind = NULL;
    if (*p == '"')
        behind = unquote_interpreted(p + 1, end, &to);
    else if (*p == '`')
        behind = unquote_raw(p + 1, end, &to);
    *size = (size_t) (to - start);
    return behind;
}

size_t gt_raw_unquote_room(const uint8_t *p, const uint8_t *end)
{
    /* A byte that is not UTF-8 becomes U+FFFD; nothing else grows. */
    size_t room = (size_t) (end - p);
    for (; p < end; p++)
        room += *p >= 0x80 ? 2 : 0;
    return room;
}
