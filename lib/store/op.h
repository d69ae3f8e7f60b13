/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_STORE_OP_H
#define GT_STORE_OP_H

#include <stdbool.h>
#include <stdint.h>

#include <gotrace/types.h>

/* A number that is not known. */
#define GT_OP_NONE INT64_MIN

enum gt_op_kind {
    /* The next text, op.string, whose bytes stay. Those below name texts by their ids. */
    GT_OP_TEXT,
    /* The next frame: its function, caller, line and pc in text, stack, start and end, and in
     * `file` its file. */
    GT_OP_FRAME,
    /* A goroutine `row`: its function, who made it and where, its label in `file`. */
    GT_OP_GOROUTINE,
    /* A state of a goroutine: `which` is a class, of waiting GT_CLASS_WAIT_OTHER. */
    GT_OP_STATE,
    /* A range of a goroutine's; of the whole program; `which` is a class. */
    GT_OP_RANGE,
    GT_OP_COLLECTION,
    GT_OP_REGION,
    /* A task, which `by` began; and that it came of task `by`. */
    GT_OP_TASK,
    GT_OP_PARENT,
    GT_OP_LOG,
    GT_OP_SAMPLE,
    /* Counter `which` is `by` from `start` on. */
    GT_OP_COUNT
};

/* One thing that the store is told, as short as will do. */
struct gt_op {
    uint8_t kind;
    uint8_t which;
    uint32_t text, file;
    uint32_t stack, end_stack;
    /* A goroutine's or task's number. */
    int64_t row;

    union {
        struct {
            int64_t start, end;
        };

        gt_string string;
    };

    /* Numbers. */
    int64_t by, proc, thread;
};

/* Takes an op; false: out of memory, and no more is to come. */
typedef bool gt_op_fn(void *user_data, const struct gt_op *op);

#endif
