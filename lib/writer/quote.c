/* SPDX-License-Identifier: BSD-3-Clause */
#include "writer/quote.h"

#include "base/utf8.h"
#include "base/wraps.h"

/* How to write a byte: 0 as it is, 'u' as \u00XX, 'm' is part of a character; else \ and this. */
static const uint8_t forms[256] = {
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

/* Puts one character that is not ASCII, and returns how many bytes it had. */
static size_t put_character(struct gt_json_out *out, const uint8_t *p, size_t left)
{
    uint32_t rune;
    size_t size = gt_utf8_decode(p, left, &rune);
    if (size == 0) {
        GT_JSON_PUT(out, "\xef\xbf\xbd");
        return 1;
    }
    /* The line separators, which end a string in JavaScript. */
    if (rune == 0x2028)
        GT_JSON_PUT(out, "\\u2028");
    else if (rune == 0x2029)
        GT_JSON_PUT(out, "\\u2029");
    else
        gt_json_put(out, (const char *) p, size);
    return size;
}

static void put_escape(struct gt_json_out *out, uint8_t byte)
{
    static const char digits[] = "0123456789abcdef";
    if (forms[byte] != 'u') {
        *out->at++ = '\\';
        *out->at++ = (char) forms[byte];
        return;
    }
    GT_JSON_PUT(out, "\\u00");
    *out->at++ = digits[byte >> 4];
    *out->at++ = digits[byte & 15];
}

void gt_json_put_text(struct gt_json_out *out, gt_string text)
{
    const uint8_t *p = (const uint8_t *) text.data;
    size_t left = text.size;
    for (;;) {
        size_t plain = 0;
        while (plain < left && forms[p[plain]] == 0)
            plain++;
        gt_json_put(out, (const char *) p, plain);
        p += plain;
        left -= plain;
        if (left == 0)
            return;
        gt_json_out_reserve(out);
        size_t used = 1;
        if (forms[*p] == 'm')
            used = put_character(out, p, left);
        else
            put_escape(out, *p);
        p += used;
        left -= used;
    }
}

#define EACH_BYTE(byte) (UINT64_MAX / 255 * (byte))

/* Nonzero where a byte is zero. */
GT_WRAPS static uint64_t zero_bytes(uint64_t word)
{
    return (word - EACH_BYTE(1)) & ~word & EACH_BYTE(0x80);
}

/* Nonzero where one of eight bytes does not stay as it is. */
GT_WRAPS static uint64_t other_bytes(uint64_t word)
{
    uint64_t controls = (word - EACH_BYTE(0x20)) & ~word & EACH_BYTE(0x80);
    uint64_t quotes = zero_bytes((word | EACH_BYTE('"' ^ '&')) ^ EACH_BYTE('&'));
    uint64_t angles = zero_bytes((word | EACH_BYTE('<' ^ '>')) ^ EACH_BYTE('>'));
    uint64_t slashes = zero_bytes(word ^ EACH_BYTE('\\'));
    return (word & EACH_BYTE(0x80)) | controls | quotes | angles | slashes;
}

/* Puts the bytes that stay as they are, up to the first other one, and returns how many. */
static size_t put_plain(struct gt_json_out *out, gt_string text)
{
    char *at = out->at;
    size_t i = 0;
    for (uint64_t word; text.size - i >= sizeof(word); i += sizeof(word)) {
        memcpy(&word, text.data + i, sizeof(word));
        if (other_bytes(word) != 0)
            break;
        memcpy(at + i, &word, sizeof(word));
    }
    for (; i < text.size && forms[(uint8_t) text.data[i]] == 0; i++)
        at[i] = text.data[i];
    out->at = at + i;
    return i;
}

void gt_json_put_string(struct gt_json_out *out, gt_string text)
{
    gt_json_out_reserve(out);
    *out->at++ = '"';
    /* Most texts are short and have nothing to escape. */
    size_t plain = text.size < GT_JSON_PIECE - 1 ? put_plain(out, text) : 0;
    if (plain < text.size)
        gt_json_put_text(out, (gt_string){text.data + plain, text.size - plain});
    gt_json_out_reserve(out);
    *out->at++ = '"';
    gt_json_out_reserve(out);
}
