/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_BASE_EXPLAIN_H
#define GT_BASE_EXPLAIN_H

#include <stdbool.h>

#include "base/sized.h"

/*
 * Says in the message of `*failure`, whose status is GT_ERR_INVALID_ARGUMENT, which member of the
 * caller's options gt_options_take does not accept. Returns false if it accepts them.
 */
bool gt_options_explain(gt_error *failure, const struct gt_options_layout *layout, const void *in);

#endif
