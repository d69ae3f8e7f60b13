/* SPDX-License-Identifier: BSD-3-Clause */
#include "quote.h"

#include <stdbool.h>

#include "printable.h"

enum {
    /* A string is quoted in pieces of this many bytes, give or take a character, ... */
    PIECE = 4096,
    /* ... each of which becomes at most four, as in \xff, ... */
    GROWTH = 4,
    /* ... and ends at a character's end. */
    CHARACTER_MAX = 4
};

static bool is_plain(unsigned char byte)
{
    return byte >= ' ' && byte < 0x7f && byte != '"' && byte != '\\';
}

static bool is_printable(uint32_t rune)
{
    size_t low = 0, high = sizeof(printable_runs) / sizeof(printable_runs[0]);
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (rune > printable_runs[middle][1])
            low = middle + 1;
        else
            high = middle;
    }
    return low < sizeof(printable_runs) / sizeof(printable_runs[0]) &&
           rune >= printable_runs[low][0];
}

/*
 * The length of the character of two to four bytes at `s`, 0 where it is not
 * valid UTF-8: cut off, longer than need be, a surrogate or past U+10FFFF.
 */
static size_t decode_rune(const unsigned char *s, size_t size, uint32_t *rune)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    size_t length = *s >= 0xf0 ? 4 : *s >= 0xe0 ? 3 : 2;
    if (*s < 0xc0 || *s >= 0xf8 || length > size)
        return 0;
    uint32_t value = *s & (0xffu >> (length + 1));
    for (size_t i = 1; i < length; i++) {
        if ((s[i] & 0xc0) != 0x80)
            return 0;
        value = value << 6 | (s[i] & 0x3f);
    }
    if (value < least[length] || value > 0x10ffff || (value >= 0xd800 && value <= 0xdfff))
        return 0;
    *rune = value;
    return length;
}

static char *put_escape(char *to, char letter, uint32_t value, unsigned int digits)
{
    *to++ = '\\';
    *to++ = letter;
    while (digits-- > 0)
        *to++ = "0123456789abcdef"[value >> (4 * digits) & 15];
    return to;
}

static char *put_ascii_escape(char *to, unsigned char byte)
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
static size_t put_rune(char **to, const unsigned char *s, size_t size)
{
    uint32_t rune;
    size_t length = decode_rune(s, size, &rune);
    if (length == 0) {
        *to = put_escape(*to, 'x', *s, 2);
        return 1;
    }
    if (is_printable(rune))
        *to = put_bytes(*to, (const char *) s, length);
    else if (rune < 0x10000)
        *to = put_escape(*to, 'u', rune, 4);
    else
        *to = put_escape(*to, 'U', rune, 8);
    return length;
}

/* Quotes the characters that begin before `stop`; returns where the next one begins. */
static const unsigned char *put_piece(char **end, const unsigned char *s, const unsigned char *stop,
                                      const unsigned char *limit)
{
    char *to = *end;
    while (s < stop) {
        if (is_plain(*s))
            *to++ = (char) *s++;
        else if (*s < 0x80)
            to = put_ascii_escape(to, *s++);
        else
            s += put_rune(&to, s, (size_t) (limit - s));
    }
    *end = to;
    return s;
}

void quote_write_inner(struct output *out, gt_string string)
{
    const unsigned char *s = (const unsigned char *) string.data;
    const unsigned char *limit = s + string.size;
    while (s < limit) {
        size_t left = (size_t) (limit - s);
        size_t piece = left < PIECE ? left : PIECE;
        char *to = output_reserve(out, GROWTH * (piece + CHARACTER_MAX));
        s = put_piece(&to, s, s + piece, limit);
        output_commit(out, to);
    }
}

void quote_write(struct output *out, gt_string string)
{
    output_bytes(out, "\"", 1);
    quote_write_inner(out, string);
    output_bytes(out, "\"", 1);
}
