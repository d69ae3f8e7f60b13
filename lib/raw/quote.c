/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include <gotrace/types.h>

#include "base/utf8.h"
#include "raw/printable.h"

/* As strconv.Quote has it: Go's strconv/quote.go. */

enum {
    /* The most that a character becomes, as in \U000e0001. */
    CHARACTER_MAX = 10
};

static int is_plain(uint8_t byte)
{
    return byte >= ' ' && byte < 0x7f && byte != '"' && byte != '\\';
}

static int is_printable(uint32_t rune)
{
    const size_t count = sizeof(printable_runs) / sizeof(printable_runs[0]);
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (rune > printable_runs[middle][1])
            low = middle + 1;
        else
            high = middle;
    }
    return low < count && rune >= printable_runs[low][0];
}

static char *put_escape(char *to, char letter, uint32_t value, unsigned digits)
{
    *to++ = '\\';
    *to++ = letter;
    while (digits > 0)
        *to++ = "0123456789abcdef"[value >> (4 * --digits) & 15];
    return to;
}

static char *put_ascii_escape(char *to, uint8_t byte)
{
    static const char letters[] = "abtnvfr"; /* from '\a', which is 7, to '\r' */
    *to++ = '\\';
    if (byte == '"' || byte == '\\')
        *to++ = (char) byte;
    else if (byte >= '\a' && byte <= '\r')
        *to++ = letters[byte - '\a'];
    else
        return put_escape(to - 1, 'x', byte, 2);
    return to;
}

/* Quotes one character that is not ASCII, or one byte that is none; returns its length. */
static size_t put_rune(char **to, const uint8_t *s, size_t size)
{
    uint32_t rune;
    size_t length = gt_utf8_decode(s, size, &rune);
    if (length == 0) {
        *to = put_escape(*to, 'x', *s, 2);
        return 1;
    }
    if (is_printable(rune)) {
        memcpy(*to, s, length);
        *to += length;
    } else if (rune < 0x10000) {
        *to = put_escape(*to, 'u', rune, 4);
    } else {
        *to = put_escape(*to, 'U', rune, 8);
    }
    return length;
}

/* Quotes the character at `s`, for which there must be room; returns its length. */
static size_t put_character(char **to, const uint8_t *s, size_t size)
{
    if (*s >= 0x80)
        return put_rune(to, s, size);
    if (is_plain(*s))
        *(*to)++ = (char) *s;
    else
        *to = put_ascii_escape(*to, *s);
    return 1;
}

/* Quotes characters for as long as there is room for any; returns where the next one begins. */
static const uint8_t *put_most(char **end, const char *stop, const uint8_t *s, const uint8_t *limit)
{
    char *to = *end;
    while (s < limit && stop - to >= CHARACTER_MAX) {
        if (is_plain(*s))
            *to++ = (char) *s++;
        else
            s += put_character(&to, s, (size_t) (limit - s));
    }
    *end = to;
    return s;
}

/* The same for as long as they fit. */
static const uint8_t *put_last(char **end, const char *stop, const uint8_t *s, const uint8_t *limit)
{
    while (s < limit) {
        char piece[CHARACTER_MAX];
        char *to = piece;
        size_t length = put_character(&to, s, (size_t) (limit - s));
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
    s = put_most(&end, to + room, s, limit);
    s = put_last(&end, to + room, s, limit);
    rest->data = (const char *) s;
    rest->size = (size_t) (limit - s);
    return (size_t) (end - to);
}
