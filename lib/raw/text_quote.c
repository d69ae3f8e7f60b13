/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/utf8.h"
#include "raw/text.h"

/* Reads string literals as Go's strconv.Unquote does: strconv/quote.go. */

/* Returns the value of a digit, or 16 if the character is not a digit. */
static unsigned unquote_digit(uint8_t c)
{
    if (c >= '0' && c <= '9')
        return c - (unsigned) '0';
    c |= 0x20;
    return c >= 'a' && c <= 'f' ? c - (unsigned) 'a' + 10 : 16;
}

/*
 * Reads `count` digits. Returns false if there are fewer. The newline at the end of the line stops
 * the loop, as it is not a digit.
 */
static bool unquote_digits(const uint8_t **p, unsigned count, unsigned base, uint32_t *value)
{
    *value = 0;
    for (; count > 0; count--) {
        unsigned next = unquote_digit(*(*p)++);
        if (next >= base)
            return false;
        *value = *value * base + next;
    }
    return true;
}

/* Returns the character for the escape sequence of this letter, or 0 if there is none. */
static char unquote_letter(uint8_t letter)
{
    static const char letters[] = "abfnrtv\\\"";
    static const char meanings[] = "\a\b\f\n\r\t\v\\\"";
    for (size_t i = 0; letters[i]; i++) {
        if ((uint8_t) letters[i] == letter)
            return meanings[i];
    }
    return 0;
}

/* Reads an escape sequence, after its backslash. Returns false if it is malformed. */
static bool unquote_escape(const uint8_t **p, char **to)
{
    uint32_t value;
    uint8_t letter = *(*p)++;
    char plain = unquote_letter(letter);
    if (plain) {
        *(*to)++ = plain;
        return true;
    }
    if (letter == 'u' || letter == 'U') {
        if (!unquote_digits(p, letter == 'u' ? 4 : 8, 16, &value) || !gt_utf8_is_rune(value))
            return false;
        *to = gt_utf8_put(*to, value);
        return true;
    }
    if (letter != 'x')
        --*p;
    if (!unquote_digits(p, letter == 'x' ? 2 : 3, letter == 'x' ? 16 : 8, &value) || value > 0xff)
        return false;
    *(*to)++ = (char) value;
    return true;
}

static void unquote_character(const uint8_t **p, const uint8_t *end, char **to)
{
    uint32_t rune;
    size_t length = gt_utf8_decode(*p, (size_t) (end - *p), &rune);
    *to = gt_utf8_put(*to, length == 0 ? GT_UTF8_REPLACEMENT : rune);
    *p += length == 0 ? 1 : length;
}

static const uint8_t *unquote_interpreted(const uint8_t *p, const uint8_t *end, char **to)
{
    while (p < end) {
        if (*p == '"')
            return p + 1;
        if (*p >= 0x80) {
            unquote_character(&p, end, to);
        } else if (*p != '\\') {
            *(*to)++ = (char) *p++;
        } else {
            p++;
            if (!unquote_escape(&p, to))
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
    /*
     * Unquoting makes nothing longer except for a byte that is not valid UTF-8, which becomes
     * U+FFFD, three bytes.
     */
    size_t room = (size_t) (end - p);
    for (; p < end; p++)
        room += *p >= 0x80 ? 2 : 0;
    return room;
}
