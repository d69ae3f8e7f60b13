/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_WEB_REQUEST_H
#define GT_WEB_REQUEST_H

/* A client's request: a path, and the parameters of its query. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <gotrace/status.h>

#include "base/mem.h"

struct gt_request {
    /* The decoded path, which begins with '/'. It is borrowed from the host. */
    const char *path;
    /*
     * The decoded query: a sequence of names, each followed by its value. All of them end in NUL.
     */
    char *pairs;
    size_t pairs_size;
    struct gt_mem *mem;
    /* The bytes allocated for `pairs`. */
    size_t room;
};

/*
 * Decodes `query`, which is the part of a URL after '?', or "" if there is none. `path` must stay
 * valid as long as the request. Returns GT_ERR_INVALID_ARGUMENT if the query is malformed, and
 * GT_ERR_NO_MEMORY if memory runs out. On success the caller frees the request with
 * gt_request_free.
 */
gt_status gt_request_init(struct gt_request *request, struct gt_mem *mem, const char *path,
                          const char *query);
void gt_request_free(struct gt_request *request);

/*
 * Returns the decoded value of the first parameter of that name: "" if it has no value, NULL if
 * there is no such parameter. It is valid until the request is freed.
 */
const char *gt_request_value(const struct gt_request *request, const char *name);

/*
 * Parse the value of a parameter as a decimal number. Return false, and leave `*value` unchanged,
 * if the value is not a number or does not fit. If the parameter is absent, `*value` remains
 * unchanged as well, and the result is true.
 */
bool gt_request_i64(const struct gt_request *request, const char *name, int64_t *value);
bool gt_request_u64(const struct gt_request *request, const char *name, uint64_t *value);

#endif
