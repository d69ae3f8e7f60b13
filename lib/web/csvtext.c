/* SPDX-License-Identifier: BSD-3-Clause */
#include "web/csvtext.h"

#include <stdbool.h>
#include <string.h>

#include "base/decimal.h"
#include "base/utf8.h"

enum {
    NUMBER_MAX = 32
};

/*
 * Returns the number of bytes at the start of a text that need no change: valid UTF-8 without
 * quotes.
 */
static size_t csvtext_plain_size(gt_string text)
{
    const uint8_t *bytes = (const uint8_t *) text.data;
    size_t size = 0;
    while (size < text.size && bytes[size] != '"') {
        uint32_t rune;
        size_t length =
            bytes[size] < 0x80 ? 1 : gt_utf8_decode(bytes + size, text.size - size, &rune);
        if (length == 0)
            break;
        size += length;
    }
    return size;
}

/* Returns whether a spreadsheet would take a field for a formula. */
static bool csvtext_is_formula(gt_string text)
{
    return text.size > 0 && text.data[0] != '\0' && strchr("=+-@\t\r", text.data[0]);
}

void gt_csvtext_field(struct gt_response *response, gt_string text)
{
    gt_response_text(response, csvtext_is_formula(text) ? "\"'" : "\"");
    while (text.size > 0) {
        size_t size = csvtext_plain_size(text);
        gt_response_bytes(response, text.data, size);
        if (size < text.size)
            gt_response_text(response, text.data[size] == '"' ? "\"\"" : "\xef\xbf\xbd");
        size += size < text.size;
        text.data += size;
        text.size -= size;
    }
    gt_response_text(response, "\"");
}

void gt_csvtext_int(struct gt_response *response, int64_t value)
{
    char text[NUMBER_MAX];
    gt_response_bytes(response, text, (size_t) (gt_decimal_put_signed(text, value) - text));
}

void gt_csvtext_uint(struct gt_response *response, uint64_t value)
{
    char text[NUMBER_MAX];
    gt_response_bytes(response, text, (size_t) (gt_decimal_put(text, value) - text));
}

void gt_csvtext_begin(struct gt_response *response, const char *disposition, const char *columns)
{
    gt_response_stream(response);
    gt_response_set_type(response, "text/csv; charset=utf-8");
    gt_response_set_header(response, "Content-Disposition", disposition);
    gt_response_text(response, columns);
}
