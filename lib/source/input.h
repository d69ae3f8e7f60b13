/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_SOURCE_INPUT_H
#define GT_SOURCE_INPUT_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "source/origin.h"
#include "source/source.h"
#include "source/watch.h"

/*
 * The part that the reader of events and the reader of raw records share: opening and the state of
 * reading. Each reader is a structure that begins with a struct gt_input.
 */
struct gt_input {
    struct gt_mem mem;
    struct gt_source source;
    struct gt_watch watch;
    gt_error fault;   /* set when a fault is found; earlier events may still be undelivered */
    gt_error error;   /* a copy of `fault`, made when the caller has taken those events */
    gt_status status; /* GT_OK until reading is over; then the result of every call */
    uint32_t version; /* the N of "go 1.N trace" in the header */

    /*
     * Both flags can be tested with one load, for the speed of calls that return what was decoded
     * before. They are separate bytes because different threads set them.
     */
    union {
        struct {
            bool busy; /* in a call that may call back the caller; calls from there are refused */
            atomic_bool is_cancelled; /* see struct gt_watch */
        };

        _Atomic uint16_t any_flag;
    };

    bool is_started; /* the header was read */
    bool is_starved; /* nothing was fed since a call had too few bytes to go on */
};

/* The parameters for opening a reader. */
struct gt_opening {
    size_t size; /* the size of the reader, which is all zeros before `start` */
    const struct gt_origin *origin;
    const gt_allocator *allocator;
    uint64_t memory_limit;
    const void *options; /* passed to `prepare` */
    /* Initialises all members except for the struct gt_input. */
    void (*prepare)(struct gt_input *input, const void *options);
    /*
     * Reads the header, and sets input->is_started. Sets input->fault on failure. If it returns
     * GT_AGAIN, the header is not available yet, and every call that reads must first call `start`
     * again.
     */
    gt_status (*start)(struct gt_input *input);
    /* Frees the reader, also after `start` has failed. */
    void (*close)(struct gt_input *input);
};

/*
 * Opens a reader. If `*failure`, the result of checking the caller's options, is an error already,
 * that is the result. Sets `*input` to the reader or NULL, and reports a failure in `*error`, which
 * may be NULL.
 */
gt_status gt_input_open(struct gt_input **input, const struct gt_opening *opening,
                        gt_error *failure, gt_error *error);

/* Closes the source and frees the reader, which has `size` bytes. */
void gt_input_close(struct gt_input *input, size_t size);

/* Ends reading that was cancelled between two calls. Sets the error, and returns GT_CANCELLED. */
gt_status gt_input_end_cancelled(struct gt_input *input);

/* Makes the fault the error with which reading has ended. */
void gt_input_note_failure(struct gt_input *input, gt_status status);

/* Returns whether a call must do more than return what was decoded before. */
static inline bool gt_input_is_barred(const struct gt_input *input)
{
    return atomic_load_explicit(&input->any_flag, memory_order_relaxed) != 0;
}

/* Begins a call that reads. If the result is not GT_OK, the call must return it at once. */
static inline gt_status gt_input_begin(struct gt_input *input)
{
    if (input->busy)
        return GT_ERR_INVALID_ARGUMENT;
    if (gt_watch_is_cancelled(&input->watch) && input->status == GT_OK)
        return gt_input_end_cancelled(input);
    input->busy = input->status == GT_OK;
    return input->status;
}

/*
 * Ends a call that reads, whose result is `status`, and returns `status`. After GT_AGAIN reading
 * can continue.
 */
static inline gt_status gt_input_end(struct gt_input *input, gt_status status)
{
    input->busy = false;
    input->status = status == GT_AGAIN ? GT_OK : status;
    input->is_starved = status == GT_AGAIN;
    if (status < 0 || status == GT_CANCELLED)
        gt_input_note_failure(input, status);
    return status;
}

/*
 * Appends bytes to the input, which must be fed and must have neither ended nor failed. If they do
 * not fit, although everything was read that can be read without them, the input fails for good.
 */
gt_status gt_input_feed(struct gt_input *input, const void *data, size_t size);

/* Ends a fed input. `input` may be NULL. */
gt_status gt_input_finish(struct gt_input *input);

/* Copies the error to the caller's structure. `input` may be NULL. */
gt_status gt_input_error(const struct gt_input *input, gt_error *error);

#endif
