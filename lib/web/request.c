/* SPDX-License-Identifier: BSD-3-Clause */
#include "web/request.h"

#include <string.h>

#include "base/decimal.h"

/* The value of a hexadecimal digit, or -1. */
static int hex_digit_value(char digit)
{
    const char *digits = "0123456789abcdef0123456789ABCDEF", *found = strchr(digits, digit);
    return digit == '\0' || !found ? -1 : (int) ((found - digits) % 16);
}

/*
 * Decodes the `size` bytes at `from`, and writes them and a NUL to `to`. Returns the end of
 * what was written, or NULL if the text is malformed or holds a NUL itself.
 */
static char *query_part_decode(char *to, const char *from, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        char c = from[i];
        if (c == '%') {
            int high = i + 2 < size ? hex_digit_value(from[i + 1]) : -1;
            int low = i + 2 < size ? hex_digit_value(from[i + 2]) : -1;
            if (high < 0 || low < 0 || high + low == 0)
                return NULL;
            c = (char) (high * 16 + low);
            i += 2;
        } else if (c == '+') {
            c = ' ';
        }
        *to++ = c;
    }
    *to++ = '\0';
    return to;
}

/* Decodes all parameters. Returns the end of the pairs, or NULL if the query is malformed. */
static char *query_decode(char *to, const char *query)
{
    /* Forms of browsers, and URLSearchParams, write NAME=VALUE, joined by '&'. */
    while (to && *query != '\0') {
        size_t size = strcspn(query, "&"), name = strcspn(query, "&=");
        size_t value = name + (name < size);
        if (size != 0)
            to = query_part_decode(to, query, name);
        if (size != 0 && to)
            to = query_part_decode(to, query + value, size - value);
        query += size + (query[size] == '&');
    }
    return to;
}

gt_status gt_request_init(struct gt_request *request, struct gt_mem *mem, const char *path,
                          const char *query)
{
    /* A parameter of one byte and its '&' become a name, and two NULs. */
    size_t room = 2 * strlen(query) + 1;
    char *pairs = gt_mem_alloc(mem, room);
    if (!pairs)
        return GT_ERR_NO_MEMORY;
    char *end = query_decode(pairs, query);
    if (!end) {
        gt_mem_free(mem, pairs, room);
        return GT_ERR_INVALID_ARGUMENT;
    }
    *request = (struct gt_request){path, pairs, (size_t) (end - pairs), mem, room};
    return GT_OK;
}

void gt_request_free(struct gt_request *request)
{
    gt_mem_free(request->mem, request->pairs, request->room);
    request->pairs = NULL;
}

const char *gt_request_value(const struct gt_request *request, const char *name)
{
    const char *at = request->pairs;
    while (at < request->pairs + request->pairs_size) {
        const char *value = at + strlen(at) + 1;
        if (strcmp(at, name) == 0)
            return value;
        at = value + strlen(value) + 1;
    }
    return NULL;
}

/* Accepts digits only, at least one. */
static bool digits_parse(const char *text, uint64_t max, uint64_t *value)
{
    uint64_t number;
    const char *end = gt_decimal_read(text, max, &number);
    if (!end || *end != '\0')
        return false;
    *value = number;
    return true;
}

bool gt_request_u64(const struct gt_request *request, const char *name, uint64_t *value)
{
    const char *text = gt_request_value(request, name);
    return !text || digits_parse(text, UINT64_MAX, value);
}

bool gt_request_i64(const struct gt_request *request, const char *name, int64_t *value)
{
    const char *text = gt_request_value(request, name);
    uint64_t amount;
    if (!text)
        return true;
    bool is_negative = text[0] == '-';
    if (!digits_parse(text + is_negative, (uint64_t) INT64_MAX + is_negative, &amount))
        return false;
    if (!is_negative)
        *value = (int64_t) amount;
    else
        *value = amount == 0 ? 0 : -(int64_t) (amount - 1) - 1;
    return true;
}
