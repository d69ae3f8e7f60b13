/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_SOURCE_ORIGIN_H
#define GT_SOURCE_ORIGIN_H

#include <stddef.h>

#include "source/source.h"

/* Where the bytes of a trace come from, as the caller of an open function says it. */
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

/* Says which argument that the caller gave for this kind is not valid. NULL: all are. */
const char *gt_origin_fault(const struct gt_origin *origin);

gt_status gt_origin_open(const struct gt_origin *origin, struct gt_source *source);

#endif
