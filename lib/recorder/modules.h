/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_RECORDER_MODULES_H
#define GT_RECORDER_MODULES_H

#include "recorder/inside.h"
#include "recorder/unwind.h"

/*
 * What the process has loaded: the names of functions, and tables by which stacks are found. Used
 * with the lock of generations, but for the map of tables. A module that was unloaded remains until
 * the generation in which it was there is written.
 */

/*
 * Looks for what was loaded and unloaded. After that the caller waits until no thread is in a
 * section of before.
 */
void gt_recorder_modules_update(gt_recorder *recorder);

/* The tables, for a thread that is in a section, or NULL. */
static inline const struct gt_unwind_map *gt_recorder_modules_map(const gt_recorder *recorder)
{
    return gt_atomic_pointer_get(&recorder->modules.map);
}

/*
 * Names the function at an address: by its module and the offset there, if nothing better is known.
 * Sets `*path` to the path of the module. Returns NULL, and sets nothing, if there is no module.
 * The name is valid until the next call.
 */
const char *gt_recorder_modules_name(gt_recorder *recorder, uint64_t pc, const char **path);

void gt_recorder_modules_free(gt_recorder *recorder);

#endif
