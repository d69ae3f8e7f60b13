/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_STORE_APPLY_H
#define GT_STORE_APPLY_H

#include "store/op.h"

/* An gt_op_fn, to which `user_data` is a struct gt_store: puts what the op says into the store. */
gt_op_fn gt_store_apply;

#endif
