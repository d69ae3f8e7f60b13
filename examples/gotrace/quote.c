/* SPDX-License-Identifier: BSD-3-Clause */
#include "quote.h"

#include <stdint.h>

enum {
    /* What is tried to be copied as it is, which most strings are. */
    SHORT = 256,
    /* A string is quoted in pieces of up to this many bytes. */
    PIECE = 4096
};

void quote_write_inner(struct output *out, gt_string string)
{
    while (string.size > 0) {
        char *to = output_reserve(out, PIECE);
        output_commit(out, to + gt_string_quote(&string, to, PIECE));
    }
}

#define EACH_BYTE(byte) (UINT64_MAX / 255 * (byte))

/*
 * Whether eight bytes are ASCII, printable, and neither a quote nor a backslash. Each sum
 * has a byte's highest bit set where it is none of those.
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

/* Copies it, and returns whether that is all there is to be done. */
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
    /* The last eight bytes, of which some were copied before, are quicker than a rest of bytes. */
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
