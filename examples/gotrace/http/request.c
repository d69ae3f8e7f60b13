/* SPDX-License-Identifier: BSD-3-Clause */
#include "request.h"

#include <string.h>

/* Digits alone, at least one. */
static bool parse(const char *text, uint64_t max, uint64_t *value)
{
    uint64_t sum = 0;
    const char *at = text;
    for (; *at >= '0' && *at <= '9'; at++) {
        uint64_t digit = (uint64_t) (*at - '0');
        if (sum > (max - digit) / 10)
            return false;
        sum = sum * 10 + digit;
    }
    if (at == text || *at != '\0')
        return false;
    *value = sum;
    return true;
}

const char *http_query(const struct http_request *request, const char *name)
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

bool http_query_u64(const struct http_request *request, const char *name, uint64_t *value)
{
    const char *text = http_query(request, name);
    return text == NULL || parse(text, UINT64_MAX, value);
}

bool http_query_i64(const struct http_request *request, const char *name, int64_t *value)
{
    const char *text = http_query(request, name);
    uint64_t amount;
    if (text == NULL)
        return true;
    bool is_negative = text[0] == '-';
    if (!parse(text + is_negative, (uint64_t) INT64_MAX + is_negative, &amount))
        return false;
    if (!is_negative)
        *value = (int64_t) amount;
    else
        *value = amount == 0 ? 0 : -(int64_t) (amount - 1) - 1;
    return true;
}
