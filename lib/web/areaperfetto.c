/* SPDX-License-Identifier: BSD-3-Clause */
/* /api/area.pftrace: the trace, or a range of time of it, in the format of Perfetto. */
#include <string.h>

#include <gotrace/gotrace.h>
#include <gotrace/timeline.h>
#include <gotrace/viewer_perfetto.h>

#include "base/procs.h"
#include "base/time.h"
#include "web/download.h"
#include "web/endpoints.h"
#include "web/jsonrows.h"
#include "web/query.h"
#include "web/web.h"

enum {
    VIEWS = 3,
    /* The least difference of two clocks that are not the same, in nanoseconds: the runtime rounds
     * its own one. */
    CLOCK_DIFFERENCE = 1024,
    /* Linux has no processes with higher ids. */
    PIDS = 1 << 22
};

#define SECOND INT64_C(1000000000)

/* The row of repairs and faults in GT_SECTION_STATS. */
static const uint64_t faults_row = 1;

static const struct {
    const char *name;
    uint32_t rows;
    uint32_t store_view;
} views[VIEWS] = {
    [GT_VIEW_PROC] = {"proc", GT_PERFETTO_PROCS, GT_STORE_VIEW_PROC},
    [GT_VIEW_THREAD] = {"thread", GT_PERFETTO_THREADS, GT_STORE_VIEW_THREAD},
    [GT_VIEW_GOROUTINE] = {"goroutine", GT_PERFETTO_GOROUTINES, GT_STORE_VIEW_GOROUTINE},
};

/* One request while it is being answered. */
struct areaperfetto {
    struct gt_download download;
    gt_reader *reader;
    /* The range of times to draw, both included, in nanoseconds since the trace's start. */
    struct gt_query_range range;
    uint32_t view;
    struct gt_json_rows rows;
    gt_perfetto_writer *writer;
    gt_emitter *emitters[VIEWS];
    gt_timeline *timelines[VIEWS];
    /* The emitter that was opened first. */
    gt_emitter *first;
    /* The time of the first event, and of the last one that was taken. */
    int64_t start;
    int64_t last;
    /* GOMAXPROCS has been written. */
    bool has_procs;
    /* The lowest id of a thread, which on Linux is that of the process; 0: none is known. */
    int64_t lowest_thread;
};

/* Returns the clocks of the event. Returns false if it has none. */
static bool areaperfetto_clocks(const gt_event *event, gt_sync *sync)
{
    *sync = (gt_sync) GT_SYNC_INIT;
    return event->kind == GT_EVENT_SYNC && gt_event_sync(event, sync) == GT_OK && sync->has_clock &&
           sync->clock_trace >= 0 && sync->clock_monotonic <= INT64_MAX &&
           sync->clock_seconds >= 0 && sync->clock_seconds < INT64_MAX / SECOND;
}

/* Returns the time of the first event on the monotonic clock. */
static int64_t areaperfetto_start_time(const gt_event *first)
{
    gt_sync sync;
    if (!areaperfetto_clocks(first, &sync))
        return first->time;
    int64_t shift = gt_time_minus((int64_t) sync.clock_monotonic, sync.clock_trace);
    bool is_same = shift > -CLOCK_DIFFERENCE && shift < CLOCK_DIFFERENCE;
    return is_same ? first->time : gt_time_plus(first->time, shift);
}

static gt_status areaperfetto_open_writer(struct areaperfetto *area, const gt_event *first)
{
    gt_perfetto_options options = GT_PERFETTO_OPTIONS_INIT;
    const struct gt_web *web = area->download.web;
    const char *slash = strrchr(web->options.name, '/');
    const char *name = slash && slash[1] != '\0' ? slash + 1 : web->options.name;
    area->start = first->time;
    options.start_time = areaperfetto_start_time(first);
    options.name = (gt_string){name, strlen(name)};
    options.allocator = &web->source.mem->allocator;
    return gt_perfetto_writer_open(&area->writer, gt_download_write, &area->download, &options,
                                   NULL);
}

static gt_status areaperfetto_open_view(struct areaperfetto *area, uint32_t view)
{
    gt_consumer consumer = GT_CONSUMER_INIT;
    gt_emitter_options emitter = GT_EMITTER_OPTIONS_INIT;
    gt_timeline_options timeline = GT_TIMELINE_OPTIONS_INIT;
    const gt_allocator *allocator = &area->download.web->source.mem->allocator;
    gt_status status = gt_perfetto_writer_consumer(area->writer, views[view].rows, &consumer);
    if (area->range.start > 0)
        emitter.range_start = area->range.start;
    emitter.range_end = area->range.end;
    emitter.flags |= GT_EMITTER_ENCLOSING;
    emitter.allocator = allocator;
    if (area->rows.has_chosen) {
        emitter.filter = gt_json_rows_filter;
        emitter.filter_data = &area->rows;
    }
    timeline.flags = GT_TIMELINE_EXACT | (view == GT_VIEW_GOROUTINE ? GT_TIMELINE_STATES : 0);
    timeline.view = view;
    timeline.allocator = allocator;
    if (status == GT_OK)
        status = gt_emitter_open(&area->emitters[view], &consumer, &emitter, NULL);
    if (!area->first)
        area->first = area->emitters[view];
    if (status == GT_OK)
        status = gt_timeline_open(&area->timelines[view], area->reader, area->emitters[view],
                                  &timeline, NULL);
    return status;
}

/* Opens everything when the first event tells what time it is. Chosen rows are those of one view.
 */
static gt_status areaperfetto_open(struct areaperfetto *area, const gt_event *first)
{
    bool is_alone = area->rows.has_chosen || area->view == GT_VIEW_GOROUTINE;
    gt_status status = areaperfetto_open_writer(area, first);
    if (status == GT_OK && !is_alone)
        status = areaperfetto_open_view(area, GT_VIEW_GOROUTINE);
    return status == GT_OK ? areaperfetto_open_view(area, area->view) : status;
}

/* Writes which time the wall clock has, if the trace says that. */
static gt_status areaperfetto_take_clock(struct areaperfetto *area, const gt_event *event)
{
    gt_sync sync;
    gt_perfetto_clock clock = GT_PERFETTO_CLOCK_INIT;
    if (!areaperfetto_clocks(event, &sync) || sync.clock_trace < area->start)
        return GT_OK;
    clock.time = gt_time_minus(sync.clock_trace, area->start);
    clock.wall = gt_time_plus(sync.clock_seconds * SECOND, sync.clock_nanoseconds);
    return gt_perfetto_writer_clock(area->writer, &clock);
}

/* Writes how many goroutines may run at once since a time, which timelines do not draw. */
static gt_status areaperfetto_write_procs(struct areaperfetto *area, int64_t time, uint64_t procs)
{
    gt_counter counter = GT_COUNTER_INIT;
    const gt_viewer_argument value = {
        .key = {"", 0},
        .kind = GT_VIEWER_UNSIGNED,
        .number = procs,
        .string = {"", 0},
    };
    area->has_procs = true;
    counter.time = time;
    counter.name = (gt_string){"GOMAXPROCS", 10};
    counter.values = &value;
    counter.value_count = 1;
    return gt_emitter_counter(area->first, &counter);
}

/* The same for the time from the beginning on, where no event tells it. */
static gt_status areaperfetto_write_first_procs(struct areaperfetto *area)
{
    uint64_t procs = gt_reader_get_first_procs(area->reader);
    return procs == 0 ? GT_OK : areaperfetto_write_procs(area, 0, procs);
}

static gt_status areaperfetto_take_metric(struct areaperfetto *area, const gt_event *event)
{
    uint64_t procs;
    if (!gt_procs_take(event, &procs))
        return GT_OK;
    return areaperfetto_write_procs(area, gt_time_minus(event->time, area->start), procs);
}

/* Draws a fault or a repair. What becomes of that is known at the end. */
static void areaperfetto_draw_fault(struct areaperfetto *area, const char *kind,
                                    const gt_error *fault)
{
    gt_viewer_event event = GT_VIEWER_EVENT_INIT;
    if (!area->first)
        return;
    event.section = GT_SECTION_STATS;
    event.resource = faults_row;
    event.time = gt_time_minus(area->last, area->start);
    event.name = (gt_string){fault->message, strlen(fault->message)};
    event.category = (gt_string){kind, strlen(kind)};
    gt_emitter_event(area->first, &event, 0);
}

static void areaperfetto_note_repair(void *user_data, const gt_error *repair)
{
    areaperfetto_draw_fault(user_data, "repair", repair);
}

/* Names the row of faults, if there is one. */
static gt_status areaperfetto_name_faults(struct areaperfetto *area)
{
    static const gt_viewer_argument name = {
        .key = {"name", 4}, .kind = GT_VIEWER_STRING, .string = {"Faults", 6}};
    gt_viewer_event event = GT_VIEWER_EVENT_INIT;
    event.phase = 'M';
    event.section = GT_SECTION_STATS;
    event.resource = faults_row;
    event.name = (gt_string){"thread_name", 11};
    event.arguments = &name;
    event.argument_count = 1;
    return gt_emitter_event(area->first, &event, 1);
}

static gt_status areaperfetto_take_event(void *user_data, const gt_event *event)
{
    struct areaperfetto *area = user_data;
    gt_status status = area->writer ? GT_OK : areaperfetto_open(area, event);
    area->last = event->time;
    if (event->thread > 0 && (area->lowest_thread == 0 || event->thread < area->lowest_thread))
        area->lowest_thread = event->thread;
    if (status == GT_OK && !area->has_procs)
        status = areaperfetto_write_first_procs(area);
    if (status == GT_OK && event->kind == GT_EVENT_SYNC)
        status = areaperfetto_take_clock(area, event);
    if (status == GT_OK && event->kind == GT_EVENT_METRIC)
        status = areaperfetto_take_metric(area, event);
    for (size_t i = 0; i < VIEWS && status == GT_OK; i++) {
        if (area->timelines[i])
            status = gt_timeline_event(area->timelines[i], event);
    }
    return status;
}

/* Writes what is known only at the end. */
static gt_status areaperfetto_finish(struct areaperfetto *area)
{
    bool has_pid = area->lowest_thread > 0 && area->lowest_thread <= PIDS;
    gt_status status = areaperfetto_name_faults(area);
    for (size_t i = 0; i < VIEWS && status == GT_OK; i++) {
        if (!area->timelines[i])
            continue;
        status = gt_timeline_finish(area->timelines[i]);
        if (status == GT_OK)
            status = gt_emitter_flush(area->emitters[i]);
    }
    if (status == GT_OK)
        status =
            gt_perfetto_writer_set_pid(area->writer, has_pid ? (uint32_t) area->lowest_thread : 1);
    return status == GT_OK ? gt_perfetto_writer_finish(area->writer) : status;
}

/* Draws the trace. The readable parts of a damaged trace are drawn, as in the timeline. */
static void areaperfetto_draw(struct areaperfetto *area)
{
    gt_error fault = GT_ERROR_INIT;
    gt_status reading = GT_OK;
    gt_response_stream(area->download.response);
    gt_status status =
        gt_download_read(&area->download, area->reader, areaperfetto_take_event, area, &reading);
    if (status == GT_OK && reading == GT_OK && area->writer) {
        if (gt_reader_error(area->reader, &fault) == GT_OK && fault.status != GT_OK)
            areaperfetto_draw_fault(area, "fault", &fault);
        status = areaperfetto_finish(area);
    }
    if (status == GT_ERR_CALLBACK && gt_perfetto_writer_status(area->writer) != GT_OK)
        status = gt_perfetto_writer_status(area->writer);
    gt_download_end(&area->download, status != GT_OK ? status : reading);
}

static void areaperfetto_close(struct areaperfetto *area)
{
    for (size_t i = 0; i < VIEWS; i++) {
        gt_timeline_close(&area->timelines[i]);
        gt_emitter_close(&area->emitters[i]);
    }
    gt_perfetto_writer_close(&area->writer);
    gt_json_rows_close(&area->rows);
    gt_reader_close(&area->reader);
}

/* Reads which rows to draw. */
static void areaperfetto_take_rows(struct areaperfetto *area, struct gt_query *query)
{
    const char *names[VIEWS];
    struct gt_query_tracks tracks = {0};
    for (size_t i = 0; i < VIEWS; i++)
        names[i] = views[i].name;
    area->view = GT_VIEW_GOROUTINE;
    gt_query_word(query, "view", names, VIEWS, &area->view);
    if (!gt_query_has(query, "tracks"))
        return;
    gt_query_tracks(query, GT_QUERY_TRACKS_MAX, &tracks);
    if (!query->failed && !gt_json_rows_choose(&area->rows, area->download.web->store,
                                               views[area->view].store_view, &tracks))
        gt_query_no_memory(query);
    gt_query_tracks_free(&tracks);
}

void gt_web_serve_area_perfetto(struct gt_web *web, struct gt_query *query)
{
    struct areaperfetto area = {.download = {web, query->response}};
    gt_json_rows_open(&area.rows, &web->mem);
    gt_query_whole(query, web->store, &area.range);
    /* What is read while this answer is made belongs to the whole trace, too. */
    if (!gt_query_has(query, "end"))
        area.range.end = INT64_MAX;
    areaperfetto_take_rows(&area, query);
    if (!query->failed && gt_download_open_told(&area.download, areaperfetto_note_repair, &area,
                                                &area.reader) == GT_OK)
        areaperfetto_draw(&area);
    areaperfetto_close(&area);
}
