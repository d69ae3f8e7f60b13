/* SPDX-License-Identifier: BSD-3-Clause */
#include "writer/quote.h"

#include "base/utf8.h"

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

void gt_json_put_string(struct gt_json_out *out, gt_string text)
{
    gt_json_out_reserve(out);
    *out->at++ = '"';
    gt_json_put_text(out, text);
    gt_json_out_reserve(out);
    *out->at++ = '"';
    gt_json_out_reserve(out);
}
