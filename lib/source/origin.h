/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_SOURCE_ORIGIN_H
#define GT_SOURCE_ORIGIN_H

#include <stddef.h>

#include "source/source.h"

/* The origin of the bytes of a trace, from the arguments of an open function. */
struct gt_origin {
    enum gt_origin_kind {
        GT_ORIGIN_MEMORY,
        GT_ORIGIN_FILE,
        GT_ORIGIN_FD,
        GT_ORIGIN_CALLBACK,
        GT_ORIGIN_FED
    } kind;

    const void *data;
    size_t size;
    const char *path;
    gt_read_fn read;
    void *user_data;
    int fd;
};

/*
 * Names the invalid argument of the caller for this kind of origin. Returns NULL if all are valid.
 */
const char *gt_origin_fault(const struct gt_origin *origin);

gt_status gt_origin_open(const struct gt_origin *origin, struct gt_source *source);

#endif
