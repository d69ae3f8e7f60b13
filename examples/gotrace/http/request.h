/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HTTP_REQUEST_H
#define HTTP_REQUEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum http_method {
    HTTP_GET,
    HTTP_HEAD
};

/* What a client asks for. All of it is good for as long as the handler runs. */
struct http_request {
    enum http_method method;
    /* Decoded; begins with '/'. */
    const char *path;
    /* What follows the '?', as it was sent; "" where there is none. */
    const char *query;
    /* The query decoded: names, each followed by its value; all end in NUL. */
    const char *pairs;
    size_t pairs_size;
};

/*
 * The decoded value of the first parameter of that name: "" for one without a value, NULL
 * where there is none.
 */
const char *http_query(const struct http_request *request, const char *name);

/*
 * The same as a decimal number. An absent parameter is fine and leaves `*value` alone.
 * False where it is no number, or one that `*value` cannot hold; `*value` stays then.
 */
bool http_query_i64(const struct http_request *request, const char *name, int64_t *value);
bool http_query_u64(const struct http_request *request, const char *name, uint64_t *value);

#endif
