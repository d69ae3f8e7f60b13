/* SPDX-License-Identifier: BSD-3-Clause */
#include "living.h"

#include <inttypes.h>

static gt_status print_goroutines(FILE *out, gt_reader *reader)
{
    gt_goroutine_info info = GT_GOROUTINE_INFO_INIT;
    gt_status status;

    while ((status = gt_reader_next_goroutine(reader, &info)) == GT_OK) {
        fprintf(out, "goroutine %" PRId64 " %s", info.id, gt_go_state_name(info.state));
        fprintf(out, " since %" PRId64 " %u", info.since, info.since_known);
        fprintf(out, " after %s", gt_go_state_name(info.previous_state));
        fprintf(out, " since %" PRId64 " %u", info.previous_since, info.previous_known);
        fprintf(out, " thread %" PRId64 " proc %" PRId64, info.thread, info.proc);
        fprintf(out, " created %" PRId64 " by %" PRId64, info.created, info.creator);
        fprintf(out, " reason \"%.*s\"", (int) info.reason.size, info.reason.data);
        fprintf(out, " name \"%.*s\"\n", (int) info.name.size, info.name.data);
    }
    return status;
}

static gt_status print_procs(FILE *out, gt_reader *reader)
{
    gt_proc_info info = GT_PROC_INFO_INIT;
    gt_status status;

    while ((status = gt_reader_next_proc(reader, &info)) == GT_OK) {
        fprintf(out, "proc %" PRId64 " %s", info.id, gt_proc_state_name(info.state));
        fprintf(out, " since %" PRId64 " %u", info.since, info.since_known);
        fprintf(out, " after %s", gt_proc_state_name(info.previous_state));
        fprintf(out, " since %" PRId64 " %u", info.previous_since, info.previous_known);
        fprintf(out, " thread %" PRId64 " goroutine %" PRId64 "\n", info.thread, info.goroutine);
    }
    return status;
}

static gt_status print_threads(FILE *out, gt_reader *reader)
{
    gt_thread_info info = GT_THREAD_INFO_INIT;
    gt_status status;

    while ((status = gt_reader_next_thread(reader, &info)) == GT_OK) {
        fprintf(out, "thread %" PRId64 " since %" PRId64, info.id, info.since);
        fprintf(out, " proc %" PRId64 " goroutine %" PRId64 "\n", info.proc, info.goroutine);
    }
    return status;
}

gt_status living_print(FILE *out, gt_reader *reader)
{
    gt_status status = print_goroutines(out, reader);

    if (status == GT_END)
        status = print_procs(out, reader);
    return status == GT_END ? print_threads(out, reader) : status;
}
