/* SPDX-License-Identifier: BSD-3-Clause */
#include "source/origin.h"

bool gt_origin_is_good(const struct gt_origin *origin)
{
    switch (origin->kind) {
    case GT_ORIGIN_MEMORY:
        return origin->data || origin->size == 0;
    case GT_ORIGIN_FILE:
        return origin->path != NULL;
    case GT_ORIGIN_FD:
        return origin->fd >= 0;
    case GT_ORIGIN_FED:
        return true;
    default:
        return origin->read != NULL;
    }
}

const char *gt_origin_bad_argument(const struct gt_origin *origin)
{
    static const char *const names[] = {
        [GT_ORIGIN_MEMORY] = "data", [GT_ORIGIN_FILE] = "path",     [GT_ORIGIN_FD] = "fd",
        [GT_ORIGIN_FED] = "",        [GT_ORIGIN_CALLBACK] = "read",
    };
    return gt_origin_is_good(origin) ? NULL : names[origin->kind];
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
