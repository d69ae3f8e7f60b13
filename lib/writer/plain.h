/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_WRITER_PLAIN_H
#define GT_WRITER_PLAIN_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <gotrace/types.h>

/*
 * Copying text that stays as it is in JSON, which nearly all text does: eight bytes at a
 * time, and looking at them on the way.
 */

#define GT_EACH_BYTE(byte) (UINT64_MAX / 255 * (byte))

/*
 * Whether eight bytes stay as they are: no controls, quotes, backslashes, &, < and >, and
 * all of them ASCII. Each sum has a byte's highest bit set where the byte is none of those:
 * adding 0x7f sets it for all but 0. No byte of a sum carries into the next one.
 */
static inline int gt_is_plain(uint64_t word)
{
    const uint64_t most = GT_EACH_BYTE(0x7f), ascii = word & most;
    uint64_t controls = ascii + GT_EACH_BYTE(0x80 - ' ');
    uint64_t quotes = ((ascii | GT_EACH_BYTE('"' ^ '&')) ^ GT_EACH_BYTE('&')) + most;
    uint64_t angles = ((ascii | GT_EACH_BYTE('<' ^ '>')) ^ GT_EACH_BYTE('>')) + most;
    uint64_t slashes = (ascii ^ GT_EACH_BYTE('\\')) + most;
    return (~word & controls & quotes & angles & slashes & ~most) == ~most;
}

/* Fewer than eight bytes, looked at with spaces for those that are missing. */
static inline int gt_copy_few(char *to, gt_string text)
{
    uint64_t word = GT_EACH_BYTE(' ');
    if (text.size >= 4) {
        uint32_t ends[2];
        memcpy(&ends[0], text.data, sizeof(*ends));
        memcpy(&ends[1], text.data + text.size - sizeof(*ends), sizeof(*ends));
        memcpy(to, &ends[0], sizeof(*ends));
        memcpy(to + text.size - sizeof(*ends), &ends[1], sizeof(*ends));
        word = ends[0] | (uint64_t) ends[1] << 32;
    } else {
        for (size_t i = 0; i < text.size; i++) {
            to[i] = text.data[i];
            word ^= (uint64_t) (uint8_t) (text.data[i] ^ ' ') << 8 * i;
        }
    }
    return gt_is_plain(word);
}

/* Copies text, and returns whether all of it stays as it is: else nothing is said of the copy. */
static inline int gt_copy_plain(char *to, gt_string text)
{
    uint64_t word;
    if (text.size < sizeof(word))
        return gt_copy_few(to, text);
    const size_t last = text.size - sizeof(word);
    for (size_t i = 0; i < last; i += sizeof(word)) {
        memcpy(&word, text.data + i, sizeof(word));
        if (!gt_is_plain(word))
            return 0;
        memcpy(to + i, &word, sizeof(word));
    }
    /* The rest with some of what was copied: byte by byte would take as long as all before. */
    memcpy(&word, text.data + last, sizeof(word));
    memcpy(to + last, &word, sizeof(word));
    return gt_is_plain(word);
}

#endif
