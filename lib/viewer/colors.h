/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_VIEWER_COLORS_H
#define GT_VIEWER_COLORS_H

#include <stdint.h>

#include <gotrace/types.h>

/* The viewer's name for the colour of a task. */
gt_string gt_color_of_task(uint64_t task);

#endif
