/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_STORE_APPLY_H
#define GT_STORE_APPLY_H

#include "store/op.h"

/* Carries out an operation on a store: `user_data` is the struct gt_store. The caller must hold the
 * lock for writing if other threads use the store. */
gt_op_fn gt_store_apply;

#endif
