/* SPDX-License-Identifier: BSD-3-Clause */
#include "source/origin.h"

const char *gt_origin_fault(const struct gt_origin *origin)
{
    switch (origin->kind) {
    case GT_ORIGIN_MEMORY:
        return origin->data || origin->size == 0 ? NULL : "data is NULL";
    case GT_ORIGIN_FILE:
        return origin->path ? NULL : "path is NULL";
    case GT_ORIGIN_FD:
        return origin->fd >= 0 ? NULL : "fd is negative";
    case GT_ORIGIN_FED:
        return NULL;
    default:
        return origin->read ? NULL : "read is NULL";
    }
}

gt_status gt_origin_open(const struct gt_origin *origin, struct gt_source *source)
{
    switch (origin->kind) {
    case GT_ORIGIN_MEMORY:
        gt_source_open_memory(source, origin->data, origin->size);
        return GT_OK;
    case GT_ORIGIN_FILE:
        return gt_source_open_file(source, origin->path);
    case GT_ORIGIN_FD:
        gt_source_open_fd(source, origin->fd);
        return GT_OK;
    case GT_ORIGIN_FED:
        gt_source_open_fed(source);
        return GT_OK;
    default:
        gt_source_open_callback(source, origin->read, origin->user_data);
        return GT_OK;
    }
}
