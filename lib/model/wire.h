/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_MODEL_WIRE_H
#define GT_MODEL_WIRE_H

#include <gotrace/wire.h>

/*
 * What an event is, whatever the format it was read from: a gt_wire_type, or one
 * of these, which are not on the wire.
 */
enum {
    GT_WIRE_NONE = 0,
    /* A status with the stack that the goroutine started with. */
    GT_WIRE_GO_STATUS_START = 127
};

#endif
