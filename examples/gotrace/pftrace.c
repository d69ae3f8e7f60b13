/* SPDX-License-Identifier: BSD-3-Clause */
#include "pftrace.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "problem.h"
#include "terminal.h"

enum {
    /* The least difference of two clocks that are not the same, in nanoseconds: the runtime rounds
     * its own one. */
    PFTRACE_CLOCK_DIFFERENCE = 1024,
    /* Linux has no processes with higher ids. */
    PFTRACE_PIDS = 1 << 22,
    /* The bits of the ids of tracks that a trace may use. */
    PFTRACE_TRACK_BITS = 40,
    /* The runtime takes a sample for each 10 ms of CPU time. */
    PFTRACE_SAMPLE_PERIOD = 10000000
};

/* From this size on, the Trace Processor needs more memory than most machines have to spare. */
#define PFTRACE_LARGE (UINT64_C(1) << 30)

/* The wall clocks of two machines differ by more than this, or it does not matter. */
#define PFTRACE_SAME_CLOCK INT64_C(1000000000)

/* The row of faults and repairs in GT_SECTION_STATS. */
static const uint64_t pftrace_faults = 1;

/* Returns the difference of two times, or 0 if it does not fit or one of them is no time. */
static int64_t pftrace_difference(int64_t a, int64_t b)
{
    return a < 0 || b < 0 ? 0 : a - b;
}

/* Returns the clocks of the event. Returns false if it has none. */
static bool pftrace_clocks(const gt_event *event, gt_sync *sync)
{
    *sync = (gt_sync) GT_SYNC_INIT;
    return event->kind == GT_EVENT_SYNC && gt_event_sync(event, sync) == GT_OK && sync->has_clock &&
           sync->clock_trace >= 0 && sync->clock_monotonic <= INT64_MAX &&
           sync->clock_seconds >= 0 && sync->clock_seconds < INT64_MAX / INT64_C(1000000000);
}

static int64_t pftrace_wall(const gt_sync *sync)
{
    return sync->clock_seconds * INT64_C(1000000000) + sync->clock_nanoseconds;
}

/*
 * Returns how much the trace's clock is behind the monotonic clock of the machine of the first
 * trace. The clocks of another machine are known by the wall clock.
 */
static int64_t pftrace_clock_shift(struct pftrace *trace, const gt_event *event)
{
    struct pfshared *shared = trace->shared;
    gt_sync sync;
    if (!pftrace_clocks(event, &sync))
        return 0;
    int64_t monotonic = (int64_t) sync.clock_monotonic;
    int64_t shift = pftrace_difference(monotonic, sync.clock_trace);
    int64_t wall = pftrace_difference(pftrace_wall(&sync), monotonic);
    if (llabs((long long) shift) < PFTRACE_CLOCK_DIFFERENCE)
        shift = 0;
    if (!shared->has_wall) {
        shared->has_wall = true;
        shared->wall = wall;
    }
    int64_t apart = pftrace_difference(wall, shared->wall);
    return llabs((long long) apart) > PFTRACE_SAME_CLOCK &&
                   llabs((long long) apart) < INT64_MAX - llabs((long long) shift)
               ? shift + apart
               : shift;
}

/* Returns the file's name without its directory. */
static const char *pftrace_file_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash && slash[1] != '\0' ? slash + 1 : path;
}

/* Whether snapshots of clocks are written: those of a file must be in the order of their times. */
static bool pftrace_has_clocks(const struct pftrace *trace)
{
    return trace->ordinal == 0 && !trace->settings->no_clock;
}

/* Whether the times of the trace are on no clock of the system, as before Go 1.22. */
static bool pftrace_has_own_time(const struct pftrace *trace)
{
    enum {
        FIRST_WITH_CLOCK = 22
    };

    gt_reader_info info = GT_READER_INFO_INIT;
    return gt_reader_get_info(trace->in.reader, &info) == GT_OK && info.version < FIRST_WITH_CLOCK;
}

static bool pftrace_counts_from(const struct pfsettings *settings, enum moment_origin origin)
{
    return (settings->has_start && settings->start.origin == origin) ||
           (settings->has_end && settings->end.origin == origin);
}

static gt_status pftrace_open_writer(struct pftrace *trace, const gt_event *first)
{
    const struct pfsettings *settings = trace->settings;
    gt_perfetto_options options = GT_PERFETTO_OPTIONS_INIT;
    const char *name = settings->name ? settings->name : pftrace_file_name(trace->in.name);
    int64_t shift = pftrace_clock_shift(trace, first);
    bool has_clocks = pftrace_clocks(first, &trace->sync);
    trace->start = first->time;
    if (!has_clocks && pftrace_counts_from(settings, MOMENT_WALL_CLOCK)) {
        gt_error *error = &trace->in.failure;
        error->status = GT_ERR_NOT_AVAILABLE;
        snprintf(error->message, sizeof(error->message),
                 "it does not have the wall clock, which traces have since Go 1.25");
        return error->status;
    }
    options.flags = settings->no_wakes ? GT_PERFETTO_NO_WAKES : 0;
    if ((settings->samples & PFTRACE_STACKS) != 0)
        options.flags |= GT_PERFETTO_STACK_SAMPLES;
    if (!pftrace_has_clocks(trace))
        options.flags |= GT_PERFETTO_NO_CLOCKS;
    options.start_time = first->time;
    /* A sum that does not fit means that one of the two is no time. */
    if (shift > 0 ? first->time <= INT64_MAX - shift : first->time >= INT64_MIN - shift)
        options.start_time += shift;
    if (trace->ordinal == 0)
        trace->shared->start = options.start_time;
    else if (pftrace_has_own_time(trace))
        options.start_time = trace->shared->start;
    options.pid = (uint32_t) settings->pid;
    options.sequence = trace->ordinal + 1;
    options.uuid_base = (uint64_t) trace->ordinal << PFTRACE_TRACK_BITS;
    options.name = (gt_string){name, strlen(name)};
    return gt_perfetto_writer_open(&trace->writer, tracefile_write, trace->file, &options,
                                   &trace->in.failure);
}

/* Returns the time since the first event, for a time that is not before it. */
static int64_t pftrace_elapsed(const struct pftrace *trace, int64_t time)
{
    return trace->start < 0 && time > INT64_MAX + trace->start ? INT64_MAX : time - trace->start;
}

/* Sets the range of times, within the one that the selection has set. */
static void pftrace_set_range(const struct pftrace *trace, gt_emitter_options *options)
{
    const struct pfsettings *settings = trace->settings;
    int64_t first = trace->start, from = first, to = INT64_MAX;
    const struct moment_base base = {.first = first, .last = trace->end, .sync = trace->sync};
    if (settings->has_start)
        from = moment_time(&settings->start, &base);
    if (settings->has_end)
        to = moment_time(&settings->end, &base);
    if (from > first && pftrace_elapsed(trace, from) > options->range_start)
        options->range_start = pftrace_elapsed(trace, from);
    /* Everything is after an end before the beginning. */
    int64_t end = to < first ? -1 : pftrace_elapsed(trace, to);
    if (settings->has_end && end < options->range_end)
        options->range_end = end;
}

/* Opens one of the views. */
static gt_status pftrace_open_view(struct pftrace *trace, uint32_t view)
{
    static const uint32_t rows[PFTRACE_VIEWS] = {
        [GT_VIEW_PROC] = GT_PERFETTO_PROCS,
        [GT_VIEW_THREAD] = GT_PERFETTO_THREADS,
        [GT_VIEW_GOROUTINE] = GT_PERFETTO_GOROUTINES,
    };

    gt_consumer consumer = GT_CONSUMER_INIT;
    gt_emitter_options emitter = GT_EMITTER_OPTIONS_INIT;
    gt_timeline_options timeline = GT_TIMELINE_OPTIONS_INIT;
    gt_status status = gt_perfetto_writer_consumer(trace->writer, rows[view], &consumer);
    if (status == GT_OK && trace->selection.selector)
        status = gt_selector_apply(trace->selection.selector, &emitter);
    pftrace_set_range(trace, &emitter);
    emitter.flags |= GT_EMITTER_ENCLOSING;
    timeline.flags = GT_TIMELINE_EXACT | (view == GT_VIEW_GOROUTINE ? GT_TIMELINE_STATES : 0);
    timeline.view = view;
    timeline.selector = trace->selection.selector;
    if (status == GT_OK)
        status = gt_emitter_open(&trace->emitters[view], &consumer, &emitter, &trace->in.failure);
    if (status == GT_OK)
        status = gt_timeline_open(&trace->timelines[view], trace->in.reader, trace->emitters[view],
                                  &timeline, &trace->in.failure);
    return status;
}

/* Opens everything when the first event tells what time it is. */
static gt_status pftrace_open(struct pftrace *trace, const gt_event *first)
{
    gt_status status = pftrace_open_writer(trace, first);
    if (status == GT_OK)
        status = pftrace_open_view(trace, GT_VIEW_GOROUTINE);
    if (status == GT_OK && trace->settings->procs)
        status = pftrace_open_view(trace, GT_VIEW_PROC);
    if (status == GT_OK && trace->settings->threads)
        status = pftrace_open_view(trace, GT_VIEW_THREAD);
    return status;
}

/* Writes which time the wall clock has, if the trace says that. */
static gt_status pftrace_take_clock(struct pftrace *trace, const gt_event *event)
{
    gt_sync sync;
    gt_perfetto_clock clock = GT_PERFETTO_CLOCK_INIT;
    if (!pftrace_has_clocks(trace) || !pftrace_clocks(event, &sync) ||
        sync.clock_trace < trace->start)
        return GT_OK;
    clock.time = pftrace_elapsed(trace, sync.clock_trace);
    clock.wall = pftrace_wall(&sync);
    return gt_perfetto_writer_clock(trace->writer, &clock);
}

/* Writes how many goroutines may run at once since a time, which timelines do not draw. */
static gt_status pftrace_write_procs(struct pftrace *trace, int64_t time, uint64_t procs)
{
    static const char name[] = "GOMAXPROCS";
    gt_counter counter = GT_COUNTER_INIT;
    const gt_viewer_argument value = {
        .key = {"", 0},
        .kind = GT_VIEWER_UNSIGNED,
        .number = procs,
        .string = {"", 0},
    };
    trace->has_procs = true;
    counter.time = time;
    counter.name = (gt_string){name, sizeof(name) - 1};
    counter.values = &value;
    counter.value_count = 1;
    return gt_emitter_counter(trace->emitters[GT_VIEW_GOROUTINE], &counter);
}

/* The same for the time from the beginning on, where no event tells it. */
static gt_status pftrace_write_first_procs(struct pftrace *trace)
{
    uint64_t procs = gt_reader_get_first_procs(trace->in.reader);
    return procs == 0 ? GT_OK : pftrace_write_procs(trace, 0, procs);
}

static gt_status pftrace_take_metric(struct pftrace *trace, const gt_event *event)
{
    static const char procs[] = "/sched/gomaxprocs:threads";
    gt_metric metric = GT_METRIC_INIT;
    gt_event_metric(event, &metric);
    if (metric.value.kind != GT_VALUE_UINT64 || metric.name.size != sizeof(procs) - 1 ||
        memcmp(metric.name.data, procs, sizeof(procs) - 1) != 0)
        return GT_OK;
    return pftrace_write_procs(trace, pftrace_elapsed(trace, event->time), metric.value.number);
}

/* Writes a CPU sample so that Perfetto counts it. */
static gt_status pftrace_take_sample(struct pftrace *trace, const gt_event *event)
{
    enum {
        FRAMES = 1024
    };

    gt_emitter_frame list[FRAMES];
    gt_perfetto_sample sample = GT_PERFETTO_SAMPLE_INIT;
    const gt_frame *frames;
    size_t count;
    gt_status status = gt_stack_view(trace->in.reader, gt_event_stack(event), &frames, &count);
    if (status != GT_OK || count == 0)
        return status;
    if (count > FRAMES)
        count = FRAMES;
    for (size_t i = 0; i < count; i++)
        list[i] =
            (gt_emitter_frame){frames[i].pc, frames[i].line, frames[i].function, frames[i].file};
    status = gt_emitter_stack(trace->emitters[GT_VIEW_GOROUTINE], list, count, &sample.stack);
    sample.time = pftrace_elapsed(trace, event->time);
    sample.weight = PFTRACE_SAMPLE_PERIOD;
    sample.resource = event->goroutine > 0 ? (uint64_t) event->goroutine : 0;
    sample.thread = event->thread > 0 && event->thread <= INT32_MAX ? (uint32_t) event->thread : 0;
    sample.rows = GT_PERFETTO_GOROUTINES;
    return status == GT_OK ? gt_perfetto_writer_sample(trace->writer, &sample) : status;
}

/* Draws a fault or a repair. What becomes of that is known at the end. */
static void pftrace_draw_fault(struct pftrace *trace, const char *kind, const gt_error *fault)
{
    gt_viewer_event event = GT_VIEWER_EVENT_INIT;
    if (!trace->emitters[GT_VIEW_GOROUTINE])
        return;
    event.section = GT_SECTION_STATS;
    event.resource = pftrace_faults;
    event.time = pftrace_elapsed(trace, trace->last);
    event.name = (gt_string){fault->message, strlen(fault->message)};
    event.category = (gt_string){kind, strlen(kind)};
    gt_emitter_event(trace->emitters[GT_VIEW_GOROUTINE], &event, 0);
}

static void pftrace_note_repair(void *user_data, const gt_error *repair)
{
    pftrace_draw_fault(user_data, "repair", repair);
}

/* Names the row of faults, if there is one. */
static gt_status pftrace_name_faults(struct pftrace *trace)
{
    static const gt_viewer_argument name = {
        .key = {"name", 4}, .kind = GT_VIEWER_STRING, .string = {"Faults", 6}};
    gt_viewer_event event = GT_VIEWER_EVENT_INIT;
    event.phase = 'M';
    event.section = GT_SECTION_STATS;
    event.resource = pftrace_faults;
    event.name = (gt_string){"thread_name", 11};
    event.arguments = &name;
    event.argument_count = 1;
    return gt_emitter_event(trace->emitters[GT_VIEW_GOROUTINE], &event, 1);
}

/* Writes what the views have not in common. */
static gt_status pftrace_take_own(struct pftrace *trace, const gt_event *event)
{
    switch (event->kind) {
    case GT_EVENT_SYNC:
        return pftrace_take_clock(trace, event);
    case GT_EVENT_METRIC:
        return pftrace_take_metric(trace, event);
    case GT_EVENT_STACK_SAMPLE:
        return (trace->settings->samples & PFTRACE_STACKS) != 0 ? pftrace_take_sample(trace, event)
                                                                : GT_OK;
    case GT_EVENT_EXPERIMENTAL:
        trace->experimental++;
        return GT_OK;
    default:
        return GT_OK;
    }
}

static gt_status pftrace_take_event(void *user_data, const gt_event *event)
{
    struct pftrace *trace = user_data;
    gt_status status = trace->writer ? GT_OK : pftrace_open(trace, event);
    trace->last = event->time;
    if (event->thread > 0 && (trace->lowest_thread == 0 || event->thread < trace->lowest_thread))
        trace->lowest_thread = event->thread;
    if (status == GT_OK && !trace->has_procs)
        status = pftrace_write_first_procs(trace);
    if (status == GT_OK)
        status = pftrace_take_own(trace, event);
    if (event->kind == GT_EVENT_STACK_SAMPLE && (trace->settings->samples & PFTRACE_INSTANTS) == 0)
        return status;
    for (size_t i = 0; i < PFTRACE_VIEWS && status == GT_OK; i++) {
        if (trace->timelines[i])
            status = gt_timeline_event(trace->timelines[i], event);
    }
    return status;
}

/* Returns the id of the process, which is no other's: Perfetto takes equal ids for one process. */
static uint32_t pftrace_pid(struct pftrace *trace)
{
    struct pfshared *shared = trace->shared;
    uint32_t pid = (uint32_t) trace->settings->pid;
    if (pid == 0 && trace->lowest_thread > 0 && trace->lowest_thread <= PFTRACE_PIDS)
        pid = (uint32_t) trace->lowest_thread;
    if (pid == 0)
        pid = trace->ordinal + 1;
    for (uint32_t i = 0; i < shared->pid_count; i++) {
        if (shared->pids[i] == pid) {
            pid = (trace->ordinal + 1) * PFTRACE_PIDS + pid;
            break;
        }
    }
    shared->pids[shared->pid_count++] = pid;
    return pid;
}

/* Writes what is known only at the end. */
static gt_status pftrace_finish(struct pftrace *trace)
{
    gt_status status = pftrace_name_faults(trace);
    for (size_t i = 0; i < PFTRACE_VIEWS && status == GT_OK; i++) {
        if (!trace->timelines[i])
            continue;
        status = gt_timeline_finish(trace->timelines[i]);
        if (status == GT_OK)
            status = gt_emitter_flush(trace->emitters[i]);
    }
    if (status == GT_OK)
        status = gt_perfetto_writer_set_pid(trace->writer, pftrace_pid(trace));
    return status == GT_OK ? gt_perfetto_writer_finish(trace->writer) : status;
}

/* Writes the trace. Returns what writing failed with, or else how the reading ended. */
static gt_status pftrace_write(struct pftrace *trace)
{
    gt_status reading = GT_OK;
    gt_status status = input_for_each_event(trace->in.reader, pftrace_take_event, trace, &reading);
    if (input_is_in_trouble(&trace->in, reading))
        return reading;
    if (status == GT_OK && trace->writer && reading < 0) {
        gt_error fault;
        input_error(&trace->in, reading, &fault);
        pftrace_draw_fault(trace, "fault", &fault);
    }
    if (status == GT_OK && trace->writer)
        status = pftrace_finish(trace);
    trace->is_complete = status == GT_OK;
    trace->has_events = trace->writer && !input_is_all_lost(&trace->in, reading);
    if (status == GT_ERR_CALLBACK && gt_perfetto_writer_status(trace->writer) != GT_OK)
        status = gt_perfetto_writer_status(trace->writer);
    return status != GT_OK ? status : reading;
}

/* Tells the user what is not shown, and what will not be easy to open. */
static void pftrace_report(const struct pftrace *trace)
{
    gt_perfetto_info info = GT_PERFETTO_INFO_INIT;
    if (trace->experimental > 0)
        terminal_report("%s: not shown: %" PRIu64 " experimental events", trace->in.name,
                        trace->experimental);
    if (!trace->is_complete || gt_perfetto_writer_get_info(trace->writer, &info) != GT_OK ||
        info.bytes <= PFTRACE_LARGE)
        return;
    terminal_report("%s: wrote %" PRIu64 " MB, for which Perfetto needs two to four times as much "
                    "memory; --start, --end, --goid and --taskid write less",
                    trace->in.name, info.bytes / 1000000);
}

static void pftrace_close(struct pftrace *trace)
{
    for (size_t i = 0; i < PFTRACE_VIEWS; i++) {
        gt_timeline_close(&trace->timelines[i]);
        gt_emitter_close(&trace->emitters[i]);
    }
    gt_perfetto_writer_close(&trace->writer);
}

static gt_status pftrace_note_last(void *user_data, const gt_event *event)
{
    struct pftrace *trace = user_data;
    trace->end = event->time;
    return GT_OK;
}

/* Reads the whole trace first, if a time counts from its end. */
static int pftrace_find_end(struct pftrace *trace, struct output *out)
{
    gt_status reading;
    if (!trace->in.twice || trace->selection.kind != 0)
        return COMMAND_GO_ON;
    input_for_each_event(trace->in.reader, pftrace_note_last, trace, &reading);
    return input_is_in_trouble(&trace->in, reading) ? input_close(&trace->in, out, reading)
                                                    : input_restart(&trace->in);
}

int pftrace_run(struct pftrace *trace, struct output *out)
{
    const struct pfsettings *settings = trace->settings;
    trace->ordinal = trace->shared->count++;
    trace->in.twice = pftrace_counts_from(settings, MOMENT_END);
    trace->in.note_repair = pftrace_note_repair;
    trace->in.note_data = trace;
    int code = selection_start(&trace->selection, &trace->in, out);
    if (code == COMMAND_GO_ON)
        code = pftrace_find_end(trace, out);
    if (code != COMMAND_GO_ON)
        return code;
    gt_status status = pftrace_write(trace);
    pftrace_report(trace);
    pftrace_close(trace);
    /* A failure to write has been reported, or will be by main. */
    bool has_written = trace->is_complete || status != GT_ERR_IO || !trace->writer;
    code = input_close(&trace->in, out, has_written ? status : GT_OK);
    return has_written ? code : COMMAND_BAD;
}
