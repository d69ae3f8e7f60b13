/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_BASE_JSON_STRING_H
#define GT_BASE_JSON_STRING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <gotrace/types.h>

/*
 * The text of a JSON string, without the quotes around it, as Go's encoding/json writes it: <, >, &
 * and the line separators of JavaScript are escaped, and U+FFFD replaces each byte that is not part
 * of valid UTF-8.
 */

enum {
    /* The size of the longest escape sequence: \u00XX. */
    GT_JSON_ESCAPE_MAX = 6
};

/*
 * Writes as much of `*text` as fits into the `room` bytes at `to`, in whole characters, and
 * advances `*text` past it. Returns the number of bytes written, which is not 0 if the text is not
 * empty and there is room for GT_JSON_ESCAPE_MAX bytes.
 */
size_t gt_json_string_put(gt_string *text, char *to, size_t room);

/*
 * The rest of this file is a fast path for the usual case, text that needs no escape. It copies and
 * checks eight bytes at a time.
 */

#define GT_JSON_EACH_BYTE(byte) (UINT64_MAX / 255 * (byte))

/*
 * Whether none of eight bytes needs an escape: all are ASCII, and none is a control character,
 * a quote, a backslash, &, < or >. Each sum has the highest bit of a byte set if the byte is
 * not one of those: adding 0x7f sets it for every value but 0. No byte carries into the next.
 */
static inline bool gt_json_is_plain(uint64_t word)
{
    const uint64_t most = GT_JSON_EACH_BYTE(0x7f), ascii = word & most;
    uint64_t controls = ascii + GT_JSON_EACH_BYTE(0x80 - ' ');
    uint64_t quotes = ((ascii | GT_JSON_EACH_BYTE('"' ^ '&')) ^ GT_JSON_EACH_BYTE('&')) + most;
    uint64_t angles = ((ascii | GT_JSON_EACH_BYTE('<' ^ '>')) ^ GT_JSON_EACH_BYTE('>')) + most;
    uint64_t slashes = (ascii ^ GT_JSON_EACH_BYTE('\\')) + most;
    return (~word & controls & quotes & angles & slashes & ~most) == ~most;
}

/*
 * Does what gt_json_string_copy does, for fewer than eight bytes, which are padded with spaces to
 * be checked as one word.
 */
static inline bool gt_json_string_copy_short(char *to, gt_string text)
{
    uint64_t word = GT_JSON_EACH_BYTE(' ');
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
    return gt_json_is_plain(word);
}

/*
 * Copies text to `to`, which must have room for all of it, if no byte of the text needs an escape.
 * Otherwise returns false, and `to` may hold any part of the text.
 */
static inline bool gt_json_string_copy(char *to, gt_string text)
{
    uint64_t word;
    if (text.size < sizeof(word))
        return gt_json_string_copy_short(to, text);
    const size_t last = text.size - sizeof(word);
    for (size_t i = 0; i < last; i += sizeof(word)) {
        memcpy(&word, text.data + i, sizeof(word));
        if (!gt_json_is_plain(word))
            return false;
        memcpy(to + i, &word, sizeof(word));
    }
    /*
     * The last word overlaps the one before it because copying single bytes would take much longer.
     */
    memcpy(&word, text.data + last, sizeof(word));
    memcpy(to + last, &word, sizeof(word));
    return gt_json_is_plain(word);
}

#endif
