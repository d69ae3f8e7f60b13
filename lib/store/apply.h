/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_STORE_APPLY_H
#define GT_STORE_APPLY_H

#include "store/op.h"

/* An op_fn, to which `user_data` is a struct store: puts what the op says into the store. */
op_fn apply_op;

#endif
