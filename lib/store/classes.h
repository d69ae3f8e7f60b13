/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_STORE_CLASSES_H
#define GT_STORE_CLASSES_H

#include <stdbool.h>
#include <stdint.h>

#include <gotrace/types.h>

#include "store/span.h"

/* Returns the class of a wait with this reason: a value whose name begins with GT_CLASS_WAIT_. */
uint32_t gt_class_of_wait(gt_string reason);
/* Whether goroutines with this start function belong to the garbage collector. */
bool gt_class_is_collector(gt_string function);
/* Whether the world is stopped during a range of that name. */
bool gt_class_is_stop(gt_string range);

#endif
