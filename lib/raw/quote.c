/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdbool.h>
#include <string.h>

#include <gotrace/types.h>

#include "base/bisect.h"
#include "base/hex.h"
#include "base/json_string.h"
#include "base/utf8.h"
#include "raw/printable.h"

/* Escapes text as Go's strconv.Quote does: strconv/quote.go. */

enum {
    /* The longest escape sequence, such as \U000e0001. */
    CHARACTER_MAX = 10
};

/* Returns whether the byte is a character that needs no escape. */
static bool quote_is_unescaped(uint8_t byte)
{
    return byte >= ' ' && byte < 0x7f && byte != '"' && byte != '\\';
}

/* Returns whether the character is printable according to Go's strconv.IsPrint. */
static bool quote_is_printable(uint32_t rune)
{
    const size_t count = sizeof(printable_runs) / sizeof(printable_runs[0]);
    size_t run;
    GT_BISECT(run, 0, count, printable_runs[run][1] < rune);
    return run < count && rune >= printable_runs[run][0];
}

static char *quote_put_escape(char *to, char letter, uint32_t value, unsigned digits)
{
    *to++ = '\\';
    *to++ = letter;
    return gt_hex_put_digits(to, value, digits);
}

static char *quote_put_ascii(char *to, uint8_t byte)
{
    static const char letters[] = "abtnvfr"; /* from '\a', which is 7, to '\r' */
    *to++ = '\\';
    if (byte == '"' || byte == '\\')
        *to++ = (char) byte;
    else if (byte >= '\a' && byte <= '\r')
        *to++ = letters[byte - '\a'];
    else
        return quote_put_escape(to - 1, 'x', byte, 2);
    return to;
}

/*
 * Escapes a character that is not ASCII, or a byte that is not valid UTF-8. Returns its length in
 * the text.
 */
static size_t quote_put_rune(char **to, const uint8_t *s, size_t size)
{
    uint32_t rune;
    size_t length = gt_utf8_decode(s, size, &rune);
    if (length == 0) {
        *to = quote_put_escape(*to, 'x', *s, 2);
        return 1;
    }
    if (quote_is_printable(rune)) {
        memcpy(*to, s, length);
        *to += length;
    } else if (rune < 0x10000) {
        *to = quote_put_escape(*to, 'u', rune, 4);
    } else {
        *to = quote_put_escape(*to, 'U', rune, 8);
    }
    return length;
}

/* Escapes the character at `s`, for which there must be room. Returns its length in the text. */
static size_t quote_put_character(char **to, const uint8_t *s, size_t size)
{
    if (*s >= 0x80)
        return quote_put_rune(to, s, size);
    if (quote_is_unescaped(*s))
        *(*to)++ = (char) *s;
    else
        *to = quote_put_ascii(*to, *s);
    return 1;
}

/*
 * Escapes characters while there is room for the longest escape sequence. Returns the start of the
 * next character.
 */
static const uint8_t *quote_put_most(char **end, const char *stop, const uint8_t *s,
                                     const uint8_t *limit)
{
    char *to = *end;
    while (s < limit && stop - to >= CHARACTER_MAX) {
        if (quote_is_unescaped(*s))
            *to++ = (char) *s++;
        else
            s += quote_put_character(&to, s, (size_t) (limit - s));
    }
    *end = to;
    return s;
}

/*
 * Escapes characters while there is room for the escape sequence of the next one. Returns the start
 * of the next character.
 */
static const uint8_t *quote_put_last(char **end, const char *stop, const uint8_t *s,
                                     const uint8_t *limit)
{
    while (s < limit) {
        char piece[CHARACTER_MAX];
        char *to = piece;
        size_t length = quote_put_character(&to, s, (size_t) (limit - s));
        if (to - piece > stop - *end)
            break;
        memcpy(*end, piece, (size_t) (to - piece));
        *end += to - piece;
        s += length;
    }
    return s;
}

size_t gt_string_quote(gt_string *rest, char *to, size_t room)
{
    if (!rest || !to)
        return 0;
    const uint8_t *s = (const uint8_t *) rest->data;
    const uint8_t *limit = s + rest->size;
    char *end = to;
    s = quote_put_most(&end, to + room, s, limit);
    s = quote_put_last(&end, to + room, s, limit);
    rest->data = (const char *) s;
    rest->size = (size_t) (limit - s);
    return (size_t) (end - to);
}

size_t gt_string_escape_json(gt_string *rest, char *to, size_t room)
{
    if (!rest || !to)
        return 0;
    return gt_json_string_put(rest, to, room);
}
