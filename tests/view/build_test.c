/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Compares the viewer's store for recorded traces with what the reader and the summary say.
 * Another thread reads the store while it is being built.
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "support/files.h"
#include "support/sample.h"
#include "support/suite.h"
#include "support/test.h"

#include "store/inside.h"
#include "view/memory.h"
#include "web/load.h"
#include "web/web.h"

enum {
    /* Larger traces of the corpus take too long under sanitizers. */
    SIZE_MAX_READ = 4 << 20
};

/* Reads a bit of everything until the store is complete. */
static void *ask(void *user_data)
{
    static const struct timespec moment = {0, 100000};
    gt_web *web = user_data;
    size_t wrong = 0;
    while (!gt_web_load_is_done(web)) {
        struct gt_store_row row;
        struct gt_track_sums sums;
        struct gt_wake wakes[8];
        memset(&sums, 0, sizeof(sums));
        gt_store_lock_read(web->store);
        uint32_t count = gt_store_row_count(web->store, GT_STORE_VIEW_GOROUTINE);
        for (uint32_t i = 0; i < count; i += 1 + count / 16) {
            wrong += !gt_store_get_row(web->store, GT_STORE_VIEW_GOROUTINE, i, &row);
            const struct gt_track *track = gt_store_track(web->store, row.lanes[0].track);
            gt_track_sum(track, 0, gt_store_end(web->store), &sums);
            wrong += gt_store_wakes(web->store, i, 0, INT64_MAX, wakes, 8, NULL) > 8;
        }
        for (uint32_t i = 0; i < GT_COUNTERS; i++)
            gt_counter_at(gt_store_counter(web->store, i), gt_store_end(web->store) / 2);
        wrong += gt_store_memory(web->store) == 0;
        gt_store_unlock(web->store);
        nanosleep(&moment, NULL);
    }
    return (void *) wrong;
}

static gt_web *load(const char *path)
{
    pthread_t asker;
    void *wrong;
    gt_web *web;
    gt_error error = GT_ERROR_INIT;
    if (gt_web_open_file(&web, path, NULL, &error) != GT_OK)
        fail_msg("%s: %s", path, error.message);
    assert_int_equal(pthread_create(&asker, NULL, ask, web), 0);
    pthread_join(asker, &wrong);
    assert_null(wrong);
    assert_false(gt_store_failed(web->store));
    return web;
}

/* The state of a goroutine according to the reader. */
struct known {
    int64_t since;
    int64_t proc;
    /* By how much its times differ from those of a summary, as Go takes a switch between coroutines
     * for three moments. */
    int64_t runs_more;
    int64_t waits_more;
    int64_t ready_less;
    bool runs;
    bool is_known;
    /*
     * Its state was reported once more as if it had been unknown, which only a contradictory trace
     * does. A summary takes that for another goroutine that exists from the start of the trace.
     */
    bool is_doubtful;
};

/* Sums by the ordinals of procs, computed from the transitions alone. */
struct expected {
    struct known *goroutines;
    int64_t *running;
    uint64_t *runs;
    uint64_t events, logs, samples, wakes;
    int64_t start, end;
    /* The last switch between coroutines, and the number of its transitions so far, or 0. */
    int64_t switch_time;
    unsigned switch_step;
    /* Some goroutine is doubtful, and so is what ran on the procs. */
    bool is_doubtful;
};

static void stop(const gt_web *web, struct expected *e, struct known *g, int64_t now)
{
    uint32_t proc;
    if (g->runs && g->proc != GT_NO_PROC) {
        assert_true(gt_store_find_row(web->store, GT_STORE_VIEW_PROC, g->proc, &proc));
        e->running[proc] += now - g->since;
        e->runs[proc]++;
    }
    g->runs = false;
}

/* Returns when the transition happens. */
static int64_t expect_switch(struct expected *e, struct known *g, const gt_event *event,
                             const gt_transition *t)
{
    gt_wire_event wire = GT_WIRE_EVENT_INIT;
    assert_status(gt_event_wire(event, &wire), GT_OK);
    if (wire.type == GT_WIRE_GO_SWITCH || wire.type == GT_WIRE_GO_SWITCH_DESTROY) {
        e->switch_time = event->time;
        e->switch_step = 1;
        return event->time;
    }
    e->switch_step = e->switch_step % 3 == 0 ? 0 : e->switch_step + 1;
    g->runs_more += e->switch_step == 2 ? -1 : e->switch_step == 3 ? 2 : 0;
    g->ready_less += e->switch_step == 3 ? 2 : 0;
    g->waits_more += e->switch_step == 2 && t->to == GT_GO_WAITING;
    return e->switch_step > 0 ? e->switch_time : event->time;
}

static void expect_transition(const gt_web *web, struct expected *e, const gt_event *event)
{
    gt_transition t = GT_TRANSITION_INIT;
    uint32_t ordinal, by;
    gt_event_transition(event, &t);
    if (t.resource.kind != GT_RESOURCE_GOROUTINE || t.from == t.to)
        return;
    assert_true(gt_store_find_row(web->store, GT_STORE_VIEW_GOROUTINE, t.resource.id, &ordinal));
    struct known *g = &e->goroutines[ordinal];
    int64_t time = expect_switch(e, g, event, &t);
    stop(web, e, g, time);
    g->runs = t.to == GT_GO_RUNNING;
    g->since = t.from == GT_GO_UNDETERMINED && !g->is_known ? e->start : time;
    g->is_doubtful |= t.from == GT_GO_UNDETERMINED && g->is_known;
    g->is_known = true;
    e->is_doubtful |= g->is_doubtful;
    g->proc = event->proc;
    bool is_made =
        t.from == GT_GO_NOT_EXIST || (t.to == GT_GO_RUNNABLE && t.from != GT_GO_UNDETERMINED);
    if (is_made && event->goroutine != t.resource.id &&
        gt_store_find_row(web->store, GT_STORE_VIEW_GOROUTINE, event->goroutine, &by))
        e->wakes++;
}

static void expect_event(const gt_web *web, struct expected *e, const gt_event *event)
{
    if (e->events++ == 0)
        e->start = event->time;
    e->end = event->time;
    if (event->kind == GT_EVENT_STATE_TRANSITION)
        expect_transition(web, e, event);
    else if (event->kind == GT_EVENT_LOG)
        e->logs += event->goroutine != GT_NO_GOROUTINE;
    else if (event->kind == GT_EVENT_STACK_SAMPLE)
        e->samples += event->goroutine != GT_NO_GOROUTINE;
}

/* Reads the whole trace again, and returns its summary. */
static gt_summary *read_all(const gt_web *web, struct expected *e)
{
    const gt_event *event;
    gt_reader *reader;
    gt_summary *summary;
    gt_error error = GT_ERROR_INIT;
    assert_status(gt_web_source_open(&web->source, &reader, &error), GT_OK);
    assert_status(gt_summary_open(&summary, NULL, NULL), GT_OK);
    while (gt_reader_next_event(reader, &event) == GT_OK) {
        assert_status(gt_summary_event(summary, reader, event), GT_OK);
        expect_event(web, e, event);
    }
    assert_status(gt_summary_finish(summary), GT_OK);
    gt_reader_close(&reader);
    for (uint32_t i = 0; i < gt_store_row_count(web->store, GT_STORE_VIEW_GOROUTINE); i++)
        stop(web, e, &e->goroutines[i], e->end);
    return summary;
}

static void check_procs(const gt_web *web, const struct expected *e)
{
    for (uint32_t i = 0; i < gt_store_row_count(web->store, GT_STORE_VIEW_PROC); i++) {
        struct gt_store_row row;
        struct gt_track_sums sums;
        memset(&sums, 0, sizeof(sums));
        assert_true(gt_store_get_row(web->store, GT_STORE_VIEW_PROC, i, &row));
        gt_track_sum(gt_store_track(web->store, row.lanes[0].track), INT64_MIN, INT64_MAX, &sums);
        assert_int_equal(sums.time[GT_CLASS_RUNNING] + sums.time[GT_CLASS_RUNNING_GC],
                         e->running[i]);
        assert_int_equal(sums.count[GT_CLASS_RUNNING] + sums.count[GT_CLASS_RUNNING_GC],
                         e->runs[i]);
    }
}

static bool is_wait(uint32_t cls)
{
    return cls >= GT_CLASS_WAIT_CHAN && cls <= GT_CLASS_WAIT_OTHER;
}

/*
 * Returns the time that the goroutine waited for the reason. For a summary, a goroutine that
 * waits forever has ended.
 */
static int64_t waited(const gt_web *web, const struct gt_track *track, gt_string reason)
{
    struct gt_span span;
    uint32_t text;
    int64_t time = 0;
    if (!gt_texts_find(&web->store->texts, reason, &text))
        return 0;
    for (uint32_t i = 0; i < gt_track_count(track); i++) {
        assert_true(gt_track_get(track, i, &span));
        if (is_wait(span.cls) && span.name == text)
            time += span.end - span.start;
    }
    return time;
}

/* The sum over all goroutines with the same id, as ids may be reused. */
struct sum {
    gt_summary_times times;
    int64_t blocked;
    bool is_open_call;
};

static struct sum sum_up(const gt_web *web, const gt_goroutine_summary *const *list, size_t count,
                         size_t *at, const struct gt_track *track)
{
    struct sum sum;
    int64_t id = list[*at]->id;
    struct gt_span last;
    memset(&sum, 0, sizeof(sum));
    for (; *at < count && list[*at]->id == id; ++*at) {
        const gt_summary_times *times = list[*at]->times;
        sum.times.execution += times->execution;
        sum.times.sched_wait += times->sched_wait;
        sum.times.syscall += times->syscall;
        sum.times.syscall_block += times->syscall_block;
        sum.times.block += times->block;
        sum.times.total += times->total;
        for (size_t i = 0; i < times->block_count; i++)
            sum.blocked += waited(web, track, times->blocks[i].name);
    }
    sum.is_open_call = gt_track_count(track) > 0 &&
                       gt_track_get(track, gt_track_count(track) - 1, &last) &&
                       (last.cls == GT_CLASS_SYSCALL_BLOCKED ||
                        (last.cls == GT_CLASS_SYSCALL && last.proc == GT_STORE_NONE));
    return sum;
}

static void check_states(const struct gt_track *track)
{
    struct gt_span span, last;
    for (uint32_t i = 0; i < gt_track_count(track); i++) {
        assert_true(gt_track_get(track, i, &span));
        assert_true(span.start <= span.end);
        /* A goroutine of a C thread does not exist while the thread is in C. */
        if (i > 0 && span.start != last.end)
            assert_true(last.cls == GT_CLASS_SYSCALL || last.cls == GT_CLASS_SYSCALL_BLOCKED);
        last = span;
    }
}

/* Everything that ran in this track is completely in the rows of its proc and its thread. */
static void check_runs(const gt_web *web, const struct gt_track *track, bool is_thread)
{
    struct gt_span span, run;
    for (uint32_t i = 0; i < gt_track_count(track); i++) {
        struct gt_store_row row;
        assert_true(gt_track_get(track, i, &span));
        uint32_t ordinal = is_thread ? span.thread : span.proc;
        if (ordinal == GT_STORE_NONE || span.start == span.end)
            continue;
        assert_true(gt_store_get_row(
            web->store, is_thread ? GT_STORE_VIEW_THREAD : GT_STORE_VIEW_PROC, ordinal, &row));
        const struct gt_track *runs = gt_store_track(web->store, row.lanes[0].track);
        assert_true(gt_track_get(runs, gt_track_find(runs, span.start), &run));
        assert_int_equal(run.start, span.start);
        assert_int_equal(run.end, span.end);
        assert_int_equal(run.cls, span.cls);
        assert_int_equal(run.goroutine, span.goroutine);
    }
}

/* The time in which it is not known what a goroutine did. */
static int64_t lost(const gt_web *web, uint32_t ordinal)
{
    struct gt_loss loss;
    int64_t time = 0;
    for (size_t i = 0; gt_store_get_loss(web->store, i, &loss); i++) {
        assert_true(loss.start < loss.end);
        if (loss.goroutine == ordinal)
            time += loss.end - loss.start;
    }
    return time;
}

/* What the store leaves out for lack of data is what the summary takes for known. */
static void check_lost(const struct gt_store_row *row, const gt_summary_times *times,
                       int64_t forever, int64_t lost_time)
{
    int64_t known = 0;
    for (uint32_t cls = GT_CLASS_RUNNING; cls <= GT_CLASS_WAIT_OTHER; cls++)
        known += row->time[cls];
    assert_int_equal(known + lost_time - forever, times->execution + times->sched_wait +
                                                      times->syscall + times->syscall_block +
                                                      times->block);
}

static void check_goroutines(const gt_web *web, const struct expected *e, const gt_summary *summary)
{
    size_t count, at = 0;
    const gt_goroutine_summary *const *list = gt_summary_goroutines(summary, &count);
    while (at < count) {
        struct gt_store_row row;
        uint32_t ordinal;
        assert_true(gt_store_find_row(web->store, GT_STORE_VIEW_GOROUTINE, list[at]->id, &ordinal));
        assert_true(gt_store_get_row(web->store, GT_STORE_VIEW_GOROUTINE, ordinal, &row));
        const struct gt_track *track = gt_store_track(web->store, row.lanes[0].track);
        const int64_t *time = row.time;
        struct sum sum = sum_up(web, list, count, &at, track);
        if (e->goroutines[ordinal].is_doubtful)
            continue;
        int64_t waits = -waited(web, track, (gt_string){"forever", 7});
        int64_t lost_time = lost(web, ordinal);
        if (lost_time != 0) {
            assert_true(web->loading.repairs_total != 0);
            check_lost(&row, &sum.times, -waits, lost_time);
            continue;
        }
        for (uint32_t cls = GT_CLASS_WAIT_CHAN; cls <= GT_CLASS_WAIT_OTHER; cls++)
            waits += time[cls];
        const struct known *known = &e->goroutines[ordinal];
        assert_int_equal(time[GT_CLASS_RUNNING] + time[GT_CLASS_RUNNING_GC],
                         sum.times.execution + known->runs_more);
        assert_int_equal(waits, sum.times.block + known->waits_more);
        assert_true(sum.blocked >= sum.times.block);
        /* Before Go 1.22 it is not always known when a system call lost its proc. */
        if (!sum.is_open_call) {
            if (web->loading.version >= 22)
                assert_int_equal(time[GT_CLASS_SYSCALL], sum.times.syscall);
            assert_int_equal(time[GT_CLASS_RUNNABLE], sum.times.sched_wait - known->ready_less);
            assert_int_equal(time[GT_CLASS_SYSCALL] + time[GT_CLASS_SYSCALL_BLOCKED],
                             sum.times.syscall + sum.times.syscall_block);
        }
        check_states(track);
        /* What is missing from a damaged trace, or contradicts itself, makes impossible states. */
        if (web->loading.repairs_total != 0 || e->is_doubtful)
            continue;
        check_runs(web, track, false);
        /* Before Go 1.22 a trace may name a thread that the goroutine has left in a system call. */
        if (web->loading.version >= 22)
            check_runs(web, track, true);
    }
}

static void check_counts(const gt_web *web, const struct expected *e)
{
    struct gt_store_counts counts;
    uint64_t wakes = 0, total;
    gt_store_get_counts(web->store, &counts);
    assert_int_equal(counts.logs, e->logs);
    assert_int_equal(counts.samples, e->samples);
    assert_int_equal(gt_store_mark_count(web->store), e->logs + e->samples);
    assert_int_equal(web->loading.events, e->events);
    assert_int_equal(gt_store_end(web->store), e->end - e->start);
    for (uint32_t i = 0; i < gt_store_row_count(web->store, GT_STORE_VIEW_GOROUTINE); i++) {
        gt_store_wakes(web->store, i, INT64_MIN, INT64_MAX, NULL, 0, &total);
        wakes += total;
    }
    assert_int_equal(wakes, e->wakes);
}

static void test_store_agrees_with_reader_and_summary(void **state)
{
    struct expected e;
    memset(&e, 0, sizeof(e));
    gt_web *web = load(*state);
    e.goroutines = test_calloc(gt_store_row_count(web->store, GT_STORE_VIEW_GOROUTINE) + 1,
                               sizeof(*e.goroutines));
    e.running =
        test_calloc(gt_store_row_count(web->store, GT_STORE_VIEW_PROC) + 1, sizeof(*e.running));
    e.runs = test_calloc(gt_store_row_count(web->store, GT_STORE_VIEW_PROC) + 1, sizeof(*e.runs));
    gt_summary *summary = read_all(web, &e);
    check_counts(web, &e);
    if (web->loading.repairs_total == 0 && !e.is_doubtful)
        check_procs(web, &e);
    check_goroutines(web, &e, summary);
    gt_summary_close(&summary);
    test_free(e.goroutines);
    test_free(e.running);
    test_free(e.runs);
    gt_web_close(&web);
}

/* Loading must not pass for complete if the memory ran out, however late. */
static void test_lack_of_memory_is_reported(void **state)
{
    struct wire wire = {0};
    int failed = 0;
    gt_web_options options = GT_WEB_OPTIONS_INIT;
    (void) state;
    options.allocator = &memory_allocator;
    sample_trace(&wire, 26, 2, 500);
    for (int i = 0; i < 200; i++) {
        gt_web *web;
        memory_fail_after(i);
        gt_status status = gt_web_open_memory(&web, wire.data, wire.size, &options, NULL);
        if (status == GT_OK) {
            const struct timespec moment = {0, 100000};
            while (!gt_web_load_is_done(web))
                nanosleep(&moment, NULL);
            if (gt_store_failed(web->store))
                assert_status(web->loading.error.status, GT_ERR_NO_MEMORY);
            failed += gt_store_failed(web->store);
        }
        memory_fail_after(-1);
        gt_web_close(&web);
    }
    assert_true(failed > 0);
    wire_free(&wire);
}

static void add_traces(struct suite *suite, const char *directory, const char *prefix)
{
    struct file_list list = {0};
    files_list(&list, directory, prefix, ".trace");
    for (size_t i = 0; i < list.count; i++) {
        char *path = files_join(directory, list.names[i]);
        size_t size;
        uint8_t *bytes = files_read(path, &size);
        free(bytes);
        if (size <= SIZE_MAX_READ)
            suite_add(suite, path, test_store_agrees_with_reader_and_summary, path);
        else
            free(path);
    }
    files_list_free(&list);
}

int main(void)
{
    struct suite suite = {0};
    static const char *const folders[] = {"v1", "v2"};
    for (size_t i = 0; i < sizeof(folders) / sizeof(folders[0]); i++) {
        char *directory = files_join(files_testdata(), folders[i]);
        add_traces(&suite, directory, "");
        free(directory);
    }
    assert_true(suite.count > 0);
    suite_add(&suite, "lack of memory", test_lack_of_memory_is_reported, NULL);
    if (files_corpus())
        add_traces(&suite, files_corpus(), "go1.");
    int failed = suite_run(&suite, "view build");
    suite_free(&suite, free);
    return failed;
}
