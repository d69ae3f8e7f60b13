/* SPDX-License-Identifier: BSD-3-Clause */
/* What goroutines, regions and tasks spent their time on, a JSON object a line. */
#include <gotrace/gotrace.h>

#include "command.h"
#include "input.h"
#include "jsonstring.h"

/* `key` has its quotes, its colon, and what separates it from the member before it. */
static void summary_write_signed(struct output *out, const char *key, int64_t value)
{
    output_text(out, key);
    output_commit(out, put_signed(output_reserve(out, OUTPUT_NUMBER_MAX), value));
}

static void summary_write_unsigned(struct output *out, const char *key, uint64_t value)
{
    output_text(out, key);
    output_unsigned(out, value);
}

static void summary_write_string(struct output *out, const char *key, gt_string value)
{
    output_text(out, key);
    jsonstring_write(out, value);
}

static void summary_write_bool(struct output *out, const char *key, bool value)
{
    output_text(out, key);
    output_text(out, value ? "true" : "false");
}

static void summary_write_named(struct output *out, const char *key, const gt_summary_time *list,
                                size_t count)
{
    output_text(out, key);
    for (size_t i = 0; i < count; i++) {
        if (i > 0)
            output_text(out, ",");
        jsonstring_write(out, list[i].name);
        summary_write_signed(out, ":", list[i].time);
    }
    output_text(out, "}");
}

static void summary_write_times(struct output *out, const gt_summary_times *times)
{
    summary_write_signed(out, ",\"stats\":{\"Exec\":", times->execution);
    summary_write_signed(out, ",\"SchedWait\":", times->sched_wait);
    summary_write_signed(out, ",\"Syscall\":", times->syscall);
    summary_write_signed(out, ",\"SyscallBlock\":", times->syscall_block);
    summary_write_signed(out, ",\"Total\":", times->total);
    summary_write_named(out, ",\"Block\":{", times->blocks, times->block_count);
    summary_write_named(out, ",\"Range\":{", times->ranges, times->range_count);
    output_text(out, "}");
}

static void summary_write_region(struct output *out, const gt_region_summary *region)
{
    summary_write_signed(out, "{\"g\":", region->goroutine);
    summary_write_bool(out, ",\"hasEnd\":", region->has_end != 0);
    summary_write_bool(out, ",\"hasStart\":", region->has_begin != 0);
    summary_write_string(out, ",\"region\":", region->type);
    summary_write_times(out, &region->times);
    summary_write_unsigned(out, ",\"task\":", region->task);
    output_text(out, "}\n");
}

static void summary_write_goroutine(struct output *out, const gt_goroutine_summary *goroutine)
{
    summary_write_signed(out, "{\"created\":", goroutine->created);
    summary_write_signed(out, ",\"end\":", goroutine->ended);
    summary_write_signed(out, ",\"g\":", goroutine->id);
    summary_write_string(out, ",\"name\":", goroutine->name);
    summary_write_unsigned(out, ",\"pc\":", goroutine->pc);
    summary_write_signed(out, ",\"start\":", goroutine->started);
    summary_write_times(out, &goroutine->times);
    output_text(out, "}\n");
    for (size_t i = 0; i < goroutine->region_count; i++)
        summary_write_region(out, goroutine->regions[i]);
}

static void summary_write_task(struct output *out, const gt_task_summary *task)
{
    summary_write_bool(out, "{\"complete\":", task->has_begin && task->has_end);
    summary_write_unsigned(out, ",\"goroutines\":", task->goroutine_count);
    summary_write_unsigned(out, ",\"logs\":", task->log_count);
    summary_write_string(out, ",\"name\":", task->name);
    summary_write_unsigned(out, ",\"parent\":", task->parent);
    summary_write_unsigned(out, ",\"regions\":", task->region_count);
    summary_write_unsigned(out, ",\"task\":", task->id);
    output_text(out, "}\n");
}

static gt_status summary_read_events(gt_reader *reader, gt_summary *summary)
{
    const gt_event *event;
    gt_status status;
    while ((status = gt_reader_next_event(reader, &event)) == GT_OK) {
        status = gt_summary_event(summary, reader, event);
        if (status != GT_OK)
            break;
    }
    return status;
}

/* A trace that gave no event gives no summary. */
static gt_status summary_write_all(struct output *out, gt_summary *summary)
{
    gt_status status = gt_summary_finish(summary);
    size_t count;
    const gt_goroutine_summary *const *goroutines = gt_summary_goroutines(summary, &count);
    for (size_t i = 0; i < count; i++) {
        /* As in Go, of those that had the same id only the last. */
        if (gt_summary_find_goroutine(summary, goroutines[i]->id) == goroutines[i])
            summary_write_goroutine(out, goroutines[i]);
    }
    const gt_task_summary *const *tasks = gt_summary_tasks(summary, &count);
    for (size_t i = 0; i < count; i++)
        summary_write_task(out, tasks[i]);
    return status;
}

static int summary_run(const struct command *self, struct output *out, char **arguments)
{
    struct input in;
    int code = input_open(&in, self, out, arguments, NULL, 0);
    if (code != COMMAND_GO_ON)
        return code;
    gt_summary *summary;
    gt_status status = gt_summary_open(&summary, NULL);
    if (status == GT_OK) {
        status = summary_read_events(in.reader, summary);
        gt_status finished = summary_write_all(out, summary);
        status = status == GT_OK || status == GT_END ? finished : status;
    }
    gt_summary_close(&summary);
    return input_close(&in, out, status);
}

const struct command command_summary = {
    .name = "summary",
    .usage = "summary [OPTION...] FILE",
    .summary = "say where goroutines, regions and tasks spent their time",
    .help = "Prints a JSON object a line: each goroutine with its regions behind it, then\n"
            "the tasks, by id. Times are nanoseconds; what is not known is 0. Of goroutines\n"
            "that had the same id one after the other, as C code has them, only the last is\n"
            "there.\n" INPUT_HELP,
    .run = summary_run,
};
