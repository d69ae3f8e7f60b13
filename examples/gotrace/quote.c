/* SPDX-License-Identifier: BSD-3-Clause */
#include "quote.h"

#include <stdint.h>

enum {
    /* Strings up to this size are first tried without escapes, as most have none. */
    SHORT = 256,
    /* Strings are quoted in pieces of up to this size. */
    PIECE = 4096
};

typedef size_t quote_fn(gt_string *rest, char *to, size_t room);

static void quote_write_pieces(struct output *out, gt_string string, quote_fn *quote)
{
    while (string.size > 0) {
        char *to = output_reserve(out, PIECE);
        output_commit(out, to + quote(&string, to, PIECE));
    }
}

void quote_write_inner(struct output *out, gt_string string)
{
    quote_write_pieces(out, string, gt_string_quote);
}

void quote_write_json(struct output *out, gt_string string)
{
    output_bytes(out, "\"", 1);
    quote_write_pieces(out, string, gt_string_escape_json);
    output_bytes(out, "\"", 1);
}

#define EACH_BYTE(byte) (UINT64_MAX / 255 * (byte))

/*
 * Whether eight bytes are printable ASCII without quotes and backslashes. In each sum, the highest
 * bit of a byte is set if it is none of those.
 */
static bool quote_is_plain(uint64_t word)
{
    const uint64_t most = EACH_BYTE(0x7f), ascii = word & most;
    uint64_t controls = ascii + EACH_BYTE(0x80 - ' ');
    uint64_t deletes = (ascii ^ EACH_BYTE(0x7f)) + most;
    uint64_t quotes = (ascii ^ EACH_BYTE('"')) + most;
    uint64_t slashes = (ascii ^ EACH_BYTE('\\')) + most;
    return (~word & controls & deletes & quotes & slashes & ~most) == ~most;
}

/* Copies the string. Returns false if it needs escapes. */
static bool quote_copy_plain(char *to, gt_string string)
{
    uint64_t word = EACH_BYTE(' ');
    if (string.size < sizeof(word)) {
        for (size_t i = 0; i < string.size; i++) {
            to[i] = string.data[i];
            word ^= (uint64_t) (uint8_t) (string.data[i] ^ ' ') << 8 * i;
        }
        return quote_is_plain(word);
    }
    /* Copying the last eight bytes, though some are copied twice, is faster than a loop. */
    const size_t last = string.size - sizeof(word);
    for (size_t i = 0; i < last; i += sizeof(word)) {
        memcpy(&word, string.data + i, sizeof(word));
        if (!quote_is_plain(word))
            return false;
        memcpy(to + i, &word, sizeof(word));
    }
    memcpy(&word, string.data + last, sizeof(word));
    memcpy(to + last, &word, sizeof(word));
    return quote_is_plain(word);
}

void quote_write(struct output *out, gt_string string)
{
    char *to = output_reserve(out, SHORT + 2);
    if (string.size <= SHORT && quote_copy_plain(to + 1, string)) {
        *to = '"';
        to += 1 + string.size;
        *to = '"';
        output_commit(out, to + 1);
        return;
    }
    output_bytes(out, "\"", 1);
    quote_write_inner(out, string);
    output_bytes(out, "\"", 1);
}
