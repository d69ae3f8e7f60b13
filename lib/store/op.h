/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_STORE_OP_H
#define GT_STORE_OP_H

#include <stdbool.h>
#include <stdint.h>

#include <gotrace/types.h>

enum gt_op_kind {
    /* Adds a text, `string`, which gets the next id. Its bytes must outlive the store's texts.
     * All other kinds refer to texts by these ids. */
    GT_OP_TEXT,
    /* Adds a frame, which gets the next id. `text` is its function, `file` its file, `stack` the
     * caller's frame, `start` the line and `end` the pc. */
    GT_OP_FRAME,
    /* Describes goroutine `row`: `text` is its start function, `by` its creator, `stack` where it
     * was created, `file` its label; `which` is 1 for a goroutine of the collector. */
    GT_OP_GOROUTINE,
    /* Adds a state of goroutine `row`. `which` is its class. Every wait has the class
     * GT_CLASS_WAIT_OTHER here; the store derives the exact class from the reason in `text`. */
    GT_OP_STATE,
    /* Adds a range of goroutine `row`; `which` is its class. */
    GT_OP_RANGE,
    /* Adds a range of the whole program; `which` is its class. */
    GT_OP_COLLECTION,
    /* Adds a region of goroutine `row`. */
    GT_OP_REGION,
    /* Adds task `row`, which goroutine `by` began. */
    GT_OP_TASK,
    /* Makes task `by` the parent of task `row`. */
    GT_OP_PARENT,
    /* Adds a log of goroutine `row`. `text` is "[category] message", `file` the category, and `by`
     * the task that it belongs to. */
    GT_OP_LOG,
    /* Adds a CPU profile sample of goroutine `row`. */
    GT_OP_SAMPLE,
    /* Announces a loss: it is not known what goroutine `row` did until `start`, or, if `which` is
     * 1, what happened on thread `row` from `start` on. The operation precedes those that add the
     * affected states. */
    GT_OP_LOSS,
    /* Sets counter `which` to the value `by` from `start` on. */
    GT_OP_COUNT
};

/*
 * The bits of gt_op.has. No number of the trace can stand for a goroutine, proc, thread or task
 * that is not known, because a trace may use every number.
 */
enum gt_op_has {
    GT_OP_HAS_BY = 1,
    GT_OP_HAS_PROC = 2,
    GT_OP_HAS_THREAD = 4
};

/* An operation on the store, kept as small as possible. */
struct gt_op {
    uint8_t kind;
    uint8_t which;
    /* Which of `by`, `proc` and `thread` are set. */
    uint8_t has;
    uint32_t text, file;
    uint32_t stack, end_stack;
    /* The number of a goroutine or task in the trace. */
    int64_t row;

    union {
        struct {
            int64_t start, end;
        };

        gt_string string;
    };

    /* Numbers in the trace, except for the value of a counter. */
    int64_t by, proc, thread;
};

/* Takes an operation. False: out of memory; the caller must not send further ones. */
typedef bool gt_op_fn(void *user_data, const struct gt_op *op);

#endif
