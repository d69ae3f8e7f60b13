/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_V1_PRINT_H
#define GT_V1_PRINT_H

#include "v1/v1.h"

/* Decides, when all batches are known, where each text in the trace begins, and reports all. */
void gt_v1_prints_close(struct gt_v1 *v1);

#endif
