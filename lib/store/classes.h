/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_STORE_CLASSES_H
#define GT_STORE_CLASSES_H

#include <stdbool.h>
#include <stdint.h>

#include <gotrace/types.h>

#include "store/span.h"

/* The CLASS_WAIT_ of a reason. */
uint32_t gt_class_of_wait(gt_string reason);
/* Whether goroutines that start with it are the garbage collector's. */
bool gt_class_is_collector(gt_string function);
/* Whether a range is a time when the world is stopped. */
bool gt_class_is_stop(gt_string range);

#endif
