/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_WEB_REQUEST_H
#define GT_WEB_REQUEST_H

/* What a client asks for: a path, and the parameters of its query. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <gotrace/status.h>

struct gt_request {
    /* Decoded; begins with '/'. Borrowed from the host. */
    const char *path;
    /* The decoded query from malloc: names, each followed by its value; all end in NUL. */
    char *pairs;
    size_t pairs_size;
};

/*
 * Decodes `query`, which is what follows the '?' of a URL; "" where there is none. `path` must
 * stay as long as the request. GT_ERR_INVALID_ARGUMENT: the query is malformed. Free the request
 * with gt_request_free, unless this fails.
 */
gt_status gt_request_init(struct gt_request *request, const char *path, const char *query);
void gt_request_free(struct gt_request *request);

/*
 * The decoded value of the first parameter of that name: "" for one without a value, NULL
 * where there is none. It is valid until the request is freed.
 */
const char *gt_request_value(const struct gt_request *request, const char *name);

/*
 * The same as a decimal number. An absent parameter is no error and leaves `*value` alone.
 * False where the value is no number, or one that `*value` cannot hold; `*value` is unchanged
 * then.
 */
bool gt_request_i64(const struct gt_request *request, const char *name, int64_t *value);
bool gt_request_u64(const struct gt_request *request, const char *name, uint64_t *value);

#endif
