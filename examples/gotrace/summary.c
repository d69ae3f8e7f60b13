/* SPDX-License-Identifier: BSD-3-Clause */
/* Where goroutines, regions and tasks spent their time, one JSON object per line. */
#include <gotrace/gotrace.h>

#include "command.h"
#include "input.h"
#include "quote.h"

/* `key` includes its quotes, its colon, and the comma after the member before it. */
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
    quote_write_json(out, value);
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
        quote_write_json(out, list[i].name);
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
    summary_write_times(out, region->times);
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
    summary_write_times(out, goroutine->times);
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

/* Writes all goroutines, regions and tasks. A trace without events has none. */
static gt_status summary_write_all(struct output *out, gt_summary *summary)
{
    gt_status status = gt_summary_finish(summary);
    size_t count;
    const gt_goroutine_summary *const *goroutines = gt_summary_goroutines(summary, &count);
    for (size_t i = 0; i < count; i++) {
        /* As in Go: of goroutines that had the same id only the last one is listed. */
        if (gt_summary_find_goroutine(summary, goroutines[i]->id) == goroutines[i])
            summary_write_goroutine(out, goroutines[i]);
    }
    const gt_task_summary *const *tasks = gt_summary_tasks(summary, &count);
    for (size_t i = 0; i < count; i++)
        summary_write_task(out, tasks[i]);
    return status;
}

struct summary_command {
    struct input in;
    gt_summary *summary;
};

static gt_status summary_event(void *user_data, const gt_event *event)
{
    struct summary_command *c = user_data;
    return gt_summary_event(c->summary, c->in.reader, event);
}

static int summary_run(const struct command *self, struct output *out, char **arguments)
{
    struct summary_command c = {.summary = NULL};
    int code = input_open(&c.in, self, out, arguments);
    if (code != COMMAND_GO_ON)
        return code;
    gt_status status = gt_summary_open(&c.summary, NULL, &c.in.failure), reading;
    if (status == GT_OK) {
        status = input_for_each_event(c.in.reader, summary_event, &c, &reading);
        gt_status finished = summary_write_all(out, c.summary);
        if (status == GT_OK)
            status = reading == GT_END ? finished : reading;
    }
    gt_summary_close(&c.summary);
    return input_close(&c.in, out, status);
}

const struct command command_summary = {
    .name = "summary",
    .usage = "summary [OPTION...] FILE",
    .summary = "print where goroutines, regions and tasks spent their time",
    .help = "Prints one JSON object per line: each goroutine followed by its regions, then\n"
            "the tasks, by id. Times are in nanoseconds; 0 stands for what is not known.\n"
            "Where C code gave several goroutines the same id, only the last one is listed.\n",
    .shared = input_options,
    .run = summary_run,
};
