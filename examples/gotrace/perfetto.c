/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes a trace in Perfetto's own format. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <gotrace/timeline.h>
#include <gotrace/viewer_perfetto.h>

#include "command.h"
#include "input.h"
#include "rewrite.h"
#include "selection.h"
#include "terminal.h"
#include "tracefile.h"

enum {
    /* Goroutines, procs and threads. */
    PERFETTO_VIEWS = 3,
    /* The least difference of two clocks that are not the same, in nanoseconds: the runtime rounds
     * its own one. */
    PERFETTO_CLOCK_DIFFERENCE = 1024
};

/* From this size on, the Trace Processor needs more memory than most machines have to spare. */
#define PERFETTO_LARGE (UINT64_C(1) << 30)

/* The values of the options, as text. */
struct perfetto_texts {
    const char *goroutine;
    const char *task;
    const char *pid;
    const char *name;
};

struct perfetto {
    struct input in;
    const char *output;
    struct perfetto_texts texts;
    bool procs;
    bool threads;
    bool no_wakes;
    bool no_clock;
    uint64_t pid;
    struct selection selection;
    struct tracefile file;
    gt_perfetto_writer *writer;
    gt_emitter *emitters[PERFETTO_VIEWS];
    gt_timeline *timelines[PERFETTO_VIEWS];
    /* The time of the first event. */
    int64_t start;
    /* The lowest id of a thread, which on Linux is that of the process; 0: none is known. */
    int64_t lowest_thread;
    bool is_complete;
};

static const struct option perfetto_options[] = {
    {OPTION_FLAG(struct perfetto, procs, "procs", "draw also procs, with what ran on them")},
    {OPTION_FLAG(struct perfetto, threads, "threads",
                 "draw also threads, by the system's ids, so that they line up with those of a "
                 "trace of the system"),
     .summary = "draw also threads, by the system's ids"},
    {OPTION_FLAG(struct perfetto, no_wakes, "no-wakes",
                 "leave out which goroutine woke or created which")},
    {OPTION_FLAG(struct perfetto, no_clock, "no-clock",
                 "leave out the wall clock, for a file that is appended to one which has it"),
     .summary = "leave out the wall clock"},
    {OPTION_VALUE(struct perfetto, texts.pid, "pid", "N",
                  "the id of the process; the default is the lowest id of its threads"),
     .summary = "the id of the process"},
    {OPTION_VALUE(struct perfetto, texts.name, "name", "NAME",
                  "the name of the process; the default is that of the file"),
     .summary = "the name of the process"},
    {OPTION_VALUE(struct perfetto, texts.goroutine, "goid", "N",
                  "only goroutine N and those that unblocked it, while it ran"),
     .summary = "a goroutine and those that unblocked it", .excludes = "--taskid"},
    {OPTION_VALUE(struct perfetto, texts.task, "taskid", "N",
                  "only task N, its subtasks and their goroutines"),
     .summary = "a task, its subtasks and their goroutines", .excludes = "--goid"},
    REWRITE_OUTPUT_OPTION(struct perfetto, output),
};

static int perfetto_check(struct perfetto *c, const struct command *self, const struct output *out)
{
    static const char only_one[] = "only one of --goid and --taskid";
    int code = selection_parse_number(c->texts.pid, self, &c->pid);
    if (code == COMMAND_GO_ON && c->pid > INT32_MAX)
        code = command_misused(self, "no id of a process:", c->texts.pid);
    if (code == COMMAND_GO_ON)
        code =
            selection_parse(&c->selection, GT_SELECT_GOROUTINE, c->texts.goroutine, self, only_one);
    if (code == COMMAND_GO_ON)
        code = selection_parse(&c->selection, GT_SELECT_TASK, c->texts.task, self, only_one);
    if (code == COMMAND_GO_ON && c->selection.kind != 0 && (c->procs || c->threads))
        code = command_misused(self, "--goid and --taskid show goroutines only", NULL);
    return code == COMMAND_GO_ON ? rewrite_check(c->output, self, out) : code;
}

/* Returns how much the runtime's clock is behind the monotonic clock. */
static int64_t perfetto_clock_shift(const gt_event *event)
{
    gt_sync sync = GT_SYNC_INIT;
    if (event->kind != GT_EVENT_SYNC || gt_event_sync(event, &sync) != GT_OK || !sync.has_clock ||
        sync.clock_trace < 0 || sync.clock_monotonic > INT64_MAX)
        return 0;
    int64_t shift = (int64_t) sync.clock_monotonic - sync.clock_trace;
    return llabs((long long) shift) >= PERFETTO_CLOCK_DIFFERENCE ? shift : 0;
}

/* Returns the file's name without its directory. */
static const char *perfetto_file_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash && slash[1] != '\0' ? slash + 1 : path;
}

static gt_status perfetto_open_writer(struct perfetto *c, const gt_event *first)
{
    gt_perfetto_options options = GT_PERFETTO_OPTIONS_INIT;
    const char *name = c->texts.name ? c->texts.name : perfetto_file_name(c->in.name);
    int64_t shift = perfetto_clock_shift(first);
    c->start = first->time;
    options.flags = c->no_wakes ? GT_PERFETTO_NO_WAKES : 0;
    options.start_time = first->time;
    /* A sum that does not fit means that one of the two is no time. */
    if (shift > 0 ? first->time <= INT64_MAX - shift : first->time >= INT64_MIN - shift)
        options.start_time += shift;
    options.pid = (uint32_t) c->pid;
    options.name = (gt_string){name, strlen(name)};
    return gt_perfetto_writer_open(&c->writer, tracefile_write, &c->file, &options, &c->in.failure);
}

/* Opens one of the views. */
static gt_status perfetto_open_view(struct perfetto *c, uint32_t view)
{
    static const uint32_t rows[PERFETTO_VIEWS] = {
        [GT_VIEW_PROC] = GT_PERFETTO_PROCS,
        [GT_VIEW_THREAD] = GT_PERFETTO_THREADS,
        [GT_VIEW_GOROUTINE] = GT_PERFETTO_GOROUTINES,
    };

    gt_consumer consumer = GT_CONSUMER_INIT;
    gt_emitter_options emitter = GT_EMITTER_OPTIONS_INIT;
    gt_timeline_options timeline = GT_TIMELINE_OPTIONS_INIT;
    gt_status status = gt_perfetto_writer_consumer(c->writer, rows[view], &consumer);
    if (status == GT_OK && c->selection.selector)
        status = gt_selector_apply(c->selection.selector, &emitter);
    emitter.flags |= GT_EMITTER_ENCLOSING;
    timeline.flags = GT_TIMELINE_EXACT | (view == GT_VIEW_GOROUTINE ? GT_TIMELINE_STATES : 0);
    timeline.view = view;
    timeline.selector = c->selection.selector;
    if (status == GT_OK)
        status = gt_emitter_open(&c->emitters[view], &consumer, &emitter, &c->in.failure);
    if (status == GT_OK)
        status = gt_timeline_open(&c->timelines[view], c->in.reader, c->emitters[view], &timeline,
                                  &c->in.failure);
    return status;
}

/* Opens everything when the first event tells what time it is. */
static gt_status perfetto_open(struct perfetto *c, const gt_event *first)
{
    gt_status status = perfetto_open_writer(c, first);
    if (status == GT_OK)
        status = perfetto_open_view(c, GT_VIEW_GOROUTINE);
    if (status == GT_OK && c->procs)
        status = perfetto_open_view(c, GT_VIEW_PROC);
    if (status == GT_OK && c->threads)
        status = perfetto_open_view(c, GT_VIEW_THREAD);
    return status;
}

/* Returns the time since the first event, for a time that is not before it. */
static int64_t perfetto_elapsed(const struct perfetto *c, int64_t time)
{
    return c->start < 0 && time > INT64_MAX + c->start ? INT64_MAX : time - c->start;
}

/* Writes which time the wall clock has, if the trace says that. */
static gt_status perfetto_take_clock(struct perfetto *c, const gt_event *event)
{
    gt_sync sync = GT_SYNC_INIT;
    gt_perfetto_clock clock = GT_PERFETTO_CLOCK_INIT;
    if (c->no_clock || gt_event_sync(event, &sync) != GT_OK || !sync.has_clock)
        return GT_OK;
    /* Numbers that are no times of this century are left out. */
    if (sync.clock_trace < c->start || sync.clock_seconds < 0 ||
        sync.clock_seconds > INT64_MAX / INT64_C(1000000000) - 1)
        return GT_OK;
    clock.time = perfetto_elapsed(c, sync.clock_trace);
    clock.wall = sync.clock_seconds * INT64_C(1000000000) + sync.clock_nanoseconds;
    return gt_perfetto_writer_clock(c->writer, &clock);
}

/* Writes how many goroutines may run at once, which timelines do not draw. */
static gt_status perfetto_take_metric(struct perfetto *c, const gt_event *event)
{
    gt_metric metric = GT_METRIC_INIT;
    gt_counter counter = GT_COUNTER_INIT;
    static const char procs[] = "/sched/gomaxprocs:threads", name[] = "GOMAXPROCS";
    gt_event_metric(event, &metric);
    if (metric.value.kind != GT_VALUE_UINT64 || metric.name.size != sizeof(procs) - 1 ||
        memcmp(metric.name.data, procs, sizeof(procs) - 1) != 0)
        return GT_OK;
    const gt_viewer_argument value = {
        .key = {"", 0},
        .kind = GT_VIEWER_UNSIGNED,
        .number = metric.value.number,
        .string = {"", 0},
    };
    counter.time = perfetto_elapsed(c, event->time);
    counter.name = (gt_string){name, sizeof(name) - 1};
    counter.values = &value;
    counter.value_count = 1;
    return gt_emitter_counter(c->emitters[GT_VIEW_GOROUTINE], &counter);
}

static gt_status perfetto_take_event(void *user_data, const gt_event *event)
{
    struct perfetto *c = user_data;
    gt_status status = c->writer ? GT_OK : perfetto_open(c, event);
    if (event->thread > 0 && (c->lowest_thread == 0 || event->thread < c->lowest_thread))
        c->lowest_thread = event->thread;
    if (status == GT_OK && event->kind == GT_EVENT_SYNC)
        status = perfetto_take_clock(c, event);
    if (status == GT_OK && event->kind == GT_EVENT_METRIC)
        status = perfetto_take_metric(c, event);
    for (size_t i = 0; i < PERFETTO_VIEWS && status == GT_OK; i++) {
        if (c->timelines[i])
            status = gt_timeline_event(c->timelines[i], event);
    }
    return status;
}

/* Writes what is known only at the end. */
static gt_status perfetto_finish(struct perfetto *c)
{
    gt_status status = GT_OK;
    for (size_t i = 0; i < PERFETTO_VIEWS && status == GT_OK; i++) {
        if (!c->timelines[i])
            continue;
        status = gt_timeline_finish(c->timelines[i]);
        if (status == GT_OK)
            status = gt_emitter_flush(c->emitters[i]);
    }
    if (status == GT_OK && c->pid == 0 && c->lowest_thread > 0 && c->lowest_thread <= INT32_MAX)
        status = gt_perfetto_writer_set_pid(c->writer, (uint32_t) c->lowest_thread);
    return status == GT_OK ? gt_perfetto_writer_finish(c->writer) : status;
}

/* Writes the trace. Returns what writing failed with, or else how the reading ended. */
static gt_status perfetto_write(struct perfetto *c)
{
    gt_status reading = GT_OK;
    gt_status status = input_for_each_event(c->in.reader, perfetto_take_event, c, &reading);
    if (reading == GT_CANCELLED)
        return reading;
    if (status == GT_OK && c->writer)
        status = perfetto_finish(c);
    c->is_complete = status == GT_OK;
    if (status == GT_ERR_CALLBACK && gt_perfetto_writer_status(c->writer) != GT_OK)
        status = gt_perfetto_writer_status(c->writer);
    return status != GT_OK ? status : reading;
}

/* Tells the user what will not be easy to open. */
static void perfetto_report(const struct perfetto *c)
{
    gt_perfetto_info info = GT_PERFETTO_INFO_INIT;
    if (!c->is_complete || gt_perfetto_writer_get_info(c->writer, &info) != GT_OK ||
        info.bytes <= PERFETTO_LARGE)
        return;
    terminal_report("%s: wrote %" PRIu64 " MB, for which Perfetto needs two to four times as much "
                    "memory; --goid and --taskid write less",
                    c->in.name, info.bytes / 1000000);
}

static void perfetto_close(struct perfetto *c)
{
    for (size_t i = 0; i < PERFETTO_VIEWS; i++) {
        gt_timeline_close(&c->timelines[i]);
        gt_emitter_close(&c->emitters[i]);
    }
    gt_perfetto_writer_close(&c->writer);
}

static int perfetto_convert(struct perfetto *c, struct output *out)
{
    if (!tracefile_open(&c->file, c->output, c->in.name, out)) {
        input_close(&c->in, out, GT_OK);
        return COMMAND_BAD;
    }
    gt_status status = perfetto_write(c);
    perfetto_report(c);
    perfetto_close(c);
    bool is_closed = tracefile_close(&c->file, c->is_complete);
    /* A failure to write has been reported, or will be by main. */
    bool has_written = c->is_complete || status != GT_ERR_IO || !c->writer;
    int code = input_close(&c->in, out, has_written ? status : GT_OK);
    return is_closed && has_written ? code : COMMAND_BAD;
}

static int perfetto_run(const struct command *self, struct output *out, char **arguments)
{
    struct perfetto c = {.output = NULL};
    int code = input_parse(&c.in, self, out, arguments);
    if (code == COMMAND_GO_ON)
        code = perfetto_check(&c, self, out);
    if (code == COMMAND_GO_ON) {
        c.in.twice = c.selection.kind != 0;
        code = input_start(&c.in);
    }
    if (code == COMMAND_GO_ON)
        code = selection_read(&c.selection, &c.in, out);
    if (code == COMMAND_GO_ON)
        code = perfetto_convert(&c, out);
    selection_close(&c.selection);
    return code;
}

const struct command command_perfetto = {
    .name = "perfetto",
    .usage = "perfetto [OPTION...] FILE",
    .summary = "convert the trace for Perfetto, with stacks",
    .help = "Writes the trace in the format of Perfetto, for ui.perfetto.dev and the Trace\n"
            "Processor: the states of all goroutines, their stacks and regions, who woke whom,\n"
            "tasks, logs, garbage collections and counters. See docs/perfetto.md for what one\n"
            "sees.\n",
    COMMAND_OPTIONS(perfetto_options),
    .notes = "With --goid and --taskid the trace is read twice, and a pipe is copied to a\n"
             "temporary file.\n",
    .shared = input_perfetto_options,
    .run = perfetto_run,
};
