/* SPDX-License-Identifier: BSD-3-Clause */
#include <gotrace/wire.h>

#include "rewrite/downgrade_stream.h"
#include "rewrite/downgrade_table.h"

/*
 * What existed when the trace began. Go's tracer records it while the world is stopped: each
 * goroutine as if it were created, then whether it waits or is in a system call, the procs and
 * goroutines that run, and GOMAXPROCS, at which readers since Go 1.23 see that the start is over.
 */

int64_t gt_downgrade_run_time(struct gt_downgrader *d, const struct gt_downgrade_proc *proc,
                              int64_t time)
{
    if (proc->has_begun || d->is_started || d->run_times == GT_DOWNGRADE_RUN_TIMES)
        return time;
    return GT_DOWNGRADE_FIRST_TIME - GT_DOWNGRADE_TIMES + d->run_times++;
}

static gt_status start_put_goroutines(struct gt_downgrader *d, struct gt_downgrade_stream *stream,
                                      int64_t time)
{
    gt_status status = GT_OK;
    uint64_t start;
    for (size_t i = 0; status == GT_OK && i < d->firsts.count; i++) {
        const struct gt_downgrade_first *first = &d->firsts.items[i];
        status = gt_downgrade_some_stack(d, first->stack, &start);
        if (status == GT_OK)
            status = gt_downgrade_put(d, stream, time++, GT_V1_GO_CREATE, first->number, start, 0);
        if (status == GT_OK && first->type != 0)
            status = gt_downgrade_put(d, stream, time++, first->type, first->number);
    }
    return status;
}

static gt_status start_put(struct gt_downgrader *d, struct gt_downgrade_stream *stream)
{
    int64_t end = GT_DOWNGRADE_FIRST_TIME - GT_DOWNGRADE_TIMES;
    int64_t time = end - 1;
    for (size_t i = 0; i < d->firsts.count; i++)
        time -= d->firsts.items[i].type != 0 ? 2 : 1;
    uint64_t procs = d->procs_first != 0 ? d->procs_first : d->procs.count;
    gt_status status = start_put_goroutines(d, stream, time);
    if (status == GT_OK && d->gc_was_on)
        status = gt_downgrade_put(d, stream, end - 1, GT_V1_GC_START, 0, 0);
    if (status == GT_OK)
        status =
            gt_downgrade_put(d, stream, end + GT_DOWNGRADE_RUN_TIMES, GT_V1_GOMAXPROCS, procs, 0);
    return status == GT_OK ? gt_downgrade_stream_flush(d, stream) : status;
}

gt_status gt_downgrade_start(struct gt_downgrader *d)
{
    struct gt_downgrade_stream stream = {.id = GT_NO_PROC, .is_kept = true};
    if (d->is_started)
        return GT_OK;
    d->is_started = true;
    d->info.goroutines = d->firsts.count;
    gt_status status = start_put(d, &stream);
    gt_array_free(&d->mem, &stream.bytes);
    gt_array_free(&d->mem, &d->firsts);
    d->none.stream.is_kept = false;
    d->open_bytes += d->none.stream.bytes.capacity;
    return status;
}
