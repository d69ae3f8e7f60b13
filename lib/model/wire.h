/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_MODEL_WIRE_H
#define GT_MODEL_WIRE_H

#include <gotrace/wire.h>

/*
 * The type of an event, for both formats: a gt_wire_type, or one of these, which are not on the
 * wire.
 */
enum {
    GT_WIRE_NONE = 0,
    /* Transitions that gt_event_make made, with any states, a stack of their own and a reason. */
    GT_WIRE_PROC_MADE = 125,
    GT_WIRE_GO_MADE = 126,
    /* A goroutine's status with the stack at which it started. */
    GT_WIRE_GO_STATUS_START = 127
};

#endif
