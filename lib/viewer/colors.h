/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_VIEWER_COLORS_H
#define GT_VIEWER_COLORS_H

#include <stdint.h>

#include <gotrace/types.h>

/* Returns the viewer's name of the colour in which a task is drawn. */
gt_string gt_color_of_task(uint64_t task);

#endif
