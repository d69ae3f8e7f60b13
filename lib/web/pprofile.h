/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_WEB_PPROFILE_H
#define GT_WEB_PPROFILE_H

/*
 * Writes a profile in pprof's format: the messages of profile.proto one by one, in any order. The
 * profile is not compressed, which pprof accepts as well.
 */

#include <stddef.h>
#include <stdint.h>

#include <gotrace/types.h>

#include "web/response.h"

/* A string's id is its index in the order in which strings are written. The first must be "". */
struct gt_pprofile {
    struct gt_response *out;
};

/* Describes the only value of each sample. `type` and `unit` are ids of strings. */
void gt_pprofile_sample_type(struct gt_pprofile *profile, uint64_t type, uint64_t unit);
void gt_pprofile_duration(struct gt_pprofile *profile, int64_t nanoseconds);
void gt_pprofile_string(struct gt_pprofile *profile, gt_string text);

/* Ids begin with 1. `name` and `file` are ids of strings. */
void gt_pprofile_function(struct gt_pprofile *profile, uint64_t id, uint64_t name, uint64_t file);
void gt_pprofile_location(struct gt_pprofile *profile, uint64_t id, uint64_t address,
                          uint64_t function, uint64_t line);

/*
 * `locations` are ids, leaf first. `label_key` and `label` are ids of strings; a key of 0 means
 * that there is no label.
 */
void gt_pprofile_sample(struct gt_pprofile *profile, const uint64_t *locations, size_t count,
                        int64_t value, uint64_t label_key, uint64_t label);

#endif
