/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_WEB_PPROFILE_H
#define GT_WEB_PPROFILE_H

/*
 * A profile as pprof reads it: the messages of its profile.proto, written one by one, in any
 * order. Not compressed, which pprof takes as well.
 */

#include <stddef.h>
#include <stdint.h>

#include <gotrace/types.h>

#include "web/response.h"

/* The ids of strings are the order in which they are written; the first must be "". */
struct gt_pprofile {
    struct gt_response *out;
};

/* Ids of strings: what the one value of a sample is. */
void gt_pprofile_sample_type(struct gt_pprofile *profile, uint64_t type, uint64_t unit);
void gt_pprofile_duration(struct gt_pprofile *profile, int64_t nanoseconds);
void gt_pprofile_string(struct gt_pprofile *profile, gt_string text);

/* Ids are from 1 on; name and file are strings. */
void gt_pprofile_function(struct gt_pprofile *profile, uint64_t id, uint64_t name, uint64_t file);
void gt_pprofile_location(struct gt_pprofile *profile, uint64_t id, uint64_t address,
                          uint64_t function, uint64_t line);

/* Locations leaf first. The label is two strings, or none where the key is 0. */
void gt_pprofile_sample(struct gt_pprofile *profile, const uint64_t *locations, size_t count,
                        int64_t value, uint64_t label_key, uint64_t label);

#endif
