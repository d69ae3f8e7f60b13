/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/json_string.h"

#include "base/hex.h"
#include "base/text.h"
#include "base/utf8.h"

/*
 * How to write each byte: 0 for one that stays as it is, 'u' for \u00XX, 'm' for part of a
 * multi-byte character, and otherwise the letter that follows a backslash.
 */
static const uint8_t escapes[256] = {
    'u',         'u',         'u',         'u',         'u',         'u',           'u',
    'u',         'b',         't',         'n',         'u',         'f',           'r',
    'u',         'u',         'u',         'u',         'u',         'u',           'u',
    'u',         'u',         'u',         'u',         'u',         'u',           'u',
    'u',         'u',         'u',         'u',         ['"'] = '"', ['\\'] = '\\', ['<'] = 'u',
    ['>'] = 'u', ['&'] = 'u',
#define EIGHT(first)                                                                               \
    [first] = 'm', [(first) + 1] = 'm', [(first) + 2] = 'm', [(first) + 3] = 'm',                  \
    [(first) + 4] = 'm', [(first) + 5] = 'm', [(first) + 6] = 'm', [(first) + 7] = 'm'
    EIGHT(0x80), EIGHT(0x88), EIGHT(0x90), EIGHT(0x98), EIGHT(0xa0), EIGHT(0xa8),   EIGHT(0xb0),
    EIGHT(0xb8), EIGHT(0xc0), EIGHT(0xc8), EIGHT(0xd0), EIGHT(0xd8), EIGHT(0xe0),   EIGHT(0xe8),
    EIGHT(0xf0), EIGHT(0xf8),
#undef EIGHT
};

/* Writes the first character of the text, which is not ASCII, and advances the text past it. */
static char *json_rune_put(gt_string *text, char *to)
{
    uint32_t rune;
    size_t size = gt_utf8_decode((const uint8_t *) text->data, text->size, &rune);
    /*
     * The line separators are escaped because JavaScript took them for the end of a string literal.
     */
    if (size == 0)
        to = gt_utf8_put(to, GT_UTF8_REPLACEMENT);
    else if (rune == 0x2028 || rune == 0x2029)
        to = gt_text_put_bytes(to, rune == 0x2028 ? "\\u2028" : "\\u2029", 6);
    else
        to = gt_text_put_bytes(to, text->data, size);
    size += size == 0;
    text->data += size;
    text->size -= size;
    return to;
}

static char *json_escape_put(char *to, uint8_t byte)
{
    *to++ = '\\';
    if (escapes[byte] != 'u') {
        *to = (char) escapes[byte];
        return to + 1;
    }
    return gt_hex_put_digits(gt_text_put_bytes(to, "u00", 3), byte, 2);
}

/* Writes the leading bytes of the text that need no escape, at most `room` of them. */
static char *json_plain_put(gt_string *text, char *to, size_t room)
{
    size_t most = text->size < room ? text->size : room, size = 0;
    while (size < most && escapes[(uint8_t) text->data[size]] == 0)
        size++;
    to = gt_text_put_bytes(to, text->data, size);
    text->data += size;
    text->size -= size;
    return to;
}

size_t gt_json_string_put(gt_string *text, char *to, size_t room)
{
    const char *start = to, *end = to + room;
    while (text->size != 0) {
        to = json_plain_put(text, to, (size_t) (end - to));
        if (text->size == 0 || end - to < GT_JSON_ESCAPE_MAX)
            break;
        uint8_t byte = (uint8_t) *text->data;
        if (escapes[byte] == 'm') {
            to = json_rune_put(text, to);
        } else {
            to = json_escape_put(to, byte);
            text->data++;
            text->size--;
        }
    }
    return (size_t) (to - start);
}
