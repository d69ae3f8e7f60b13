/* SPDX-License-Identifier: BSD-3-Clause */
#include "backfill.h"

#include <errno.h>
#include <pthread.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "columntrace.h"
#include "interrupt.h"
#include "progress.h"
#include "terminal.h"
#include "thread.h"

enum {
    BACKFILL_USUAL_JOBS = 4,
    BACKFILL_NAME_SIZE = 32
};

/* The traces of one date, in the order of the command line. */
struct backfill_day {
    struct columntrace *first;
    struct columntrace *last;
    uint64_t bytes;
    size_t number;               /* in the order of their first traces */
    struct partition *partition; /* NULL before it is worked on */
};

struct backfill_work {
    const struct backfill *backfill;
    struct input settings;
    struct columntrace *traces;
    struct backfill_day *days;
    size_t day_count;
    size_t read;   /* the traces that are of a day */
    void *by_id;   /* a tree of them, for tsearch */
    void *by_date; /* a tree of days */
    pthread_mutex_t lock;
    /* Guarded by the lock, as is progress.h. */
    size_t taken; /* the days */
    size_t told;  /* the traces whose messages were written */
    bool is_bad;  /* a trace gave nothing */
    bool is_over; /* something has failed, or the user wants no more */
    gt_progress progress;
};

/* A thread, and how far it has read its trace. */
struct backfill_job {
    struct backfill_work *work;
    gt_progress progress;
};

/* Notes how far a job has come, and draws it. The lock is held. */
static void backfill_note_progress(struct backfill_job *job, uint64_t bytes_read, uint64_t decoded)
{
    struct backfill_work *work = job->work;
    work->progress.bytes_read += bytes_read - job->progress.bytes_read;
    work->progress.bytes_decoded += decoded - job->progress.bytes_decoded;
    job->progress.bytes_read = bytes_read;
    job->progress.bytes_decoded = decoded;
    progress_report(NULL, &work->progress);
}

/* A gt_progress_fn. */
static int backfill_progress(void *user_data, const gt_progress *to)
{
    struct backfill_job *job = user_data;
    pthread_mutex_lock(&job->work->lock);
    backfill_note_progress(job, to->bytes_read, to->bytes_decoded);
    bool is_over = job->work->is_over;
    pthread_mutex_unlock(&job->work->lock);
    return is_over || interrupt_has_come();
}

/* Writes the messages of traces of which nothing more will be said, in their order. The lock is
 * held. */
static void backfill_tell(struct backfill_work *work)
{
    for (; work->told < work->backfill->count && work->traces[work->told].is_over; work->told++)
        terminal_settle_messages(&work->traces[work->told].messages, true);
}

/* Compare traces by their ids, and days by their dates, for tsearch. */
static int backfill_compare_ids(const void *left, const void *right)
{
    const struct columntrace *a = left, *b = right;
    return memcmp(&a->id, &b->id, sizeof(a->id));
}

static int backfill_compare_dates(const void *left, const void *right)
{
    const struct backfill_day *a = left, *b = right;
    return strcmp(a->first->date, b->first->date);
}

/* Returns what is in the tree as this is, which may be itself. NULL: no memory. */
static void *backfill_find(void *item, void **tree, int (*compare)(const void *, const void *))
{
    void *found = tsearch(item, tree, compare);
    return found ? *(void **) found : NULL;
}

static void backfill_free_tree(void **tree, int (*compare)(const void *, const void *))
{
    while (*tree)
        tdelete(**(void ***) tree, tree, compare);
}

/* Adds a trace to those of its date. Returns whether there is memory. */
static bool backfill_add(struct backfill_work *work, struct columntrace *trace)
{
    struct backfill_day *next = &work->days[work->day_count];
    *next = (struct backfill_day){.first = trace, .number = work->day_count};
    struct backfill_day *day = backfill_find(next, &work->by_date, backfill_compare_dates);
    if (!day)
        return false;
    if (day == next)
        work->day_count++;
    else
        day->last->next = trace;
    day->last = trace;
    day->bytes += trace->bytes;
    work->progress.bytes_total += trace->bytes;
    work->read++;
    return true;
}

/* Adds a trace, and says why if it does not. Returns whether it does. */
static bool backfill_take_in(struct backfill_work *work, struct columntrace *trace)
{
    const struct columntrace *same = backfill_find(trace, &work->by_id, backfill_compare_ids);
    if (same == trace && backfill_add(work, trace))
        return true;
    if (same && same != trace) {
        terminal_report("%s: left out: a trace before it is the same", trace->name);
        return false;
    }
    work->is_bad = true;
    terminal_report("%s: %s", trace->name, strerror(ENOMEM));
    return false;
}

/* Finds out what a trace is. Whatever must not be said before others is kept. */
static void backfill_survey(struct backfill_work *work, struct columntrace *trace)
{
    terminal_divert(&trace->messages);
    bool is_known = columntrace_survey(trace, &work->settings);
    work->is_bad = work->is_bad || !is_known;
    bool is_taken = is_known && backfill_take_in(work, trace);
    terminal_divert(NULL);
    if (is_taken)
        return;
    columntrace_close(trace);
    trace->is_over = true;
    backfill_tell(work);
}

/* The largest first, so that threads end at about the same time. */
static int backfill_compare(const void *left, const void *right)
{
    const struct backfill_day *a = left, *b = right;
    if (a->bytes != b->bytes)
        return a->bytes > b->bytes ? -1 : 1;
    return a->number < b->number ? -1 : 1;
}

/* Ends the work on a trace. Returns whether to go on. */
static bool backfill_note(struct backfill_job *job, struct columntrace *trace,
                          enum columntrace_end end)
{
    struct backfill_work *work = job->work;
    pthread_mutex_lock(&work->lock);
    if (end == COLUMNTRACE_CANCELLED && !interrupt_has_come())
        terminal_settle_messages(&trace->messages, false);
    work->is_bad = work->is_bad || end == COLUMNTRACE_BAD;
    work->is_over = work->is_over || end == COLUMNTRACE_FAILED || end == COLUMNTRACE_CANCELLED ||
                    interrupt_has_come();
    bool goes_on = !work->is_over;
    trace->is_over = true;
    backfill_tell(work);
    backfill_note_progress(job, trace->bytes, trace->bytes);
    job->progress = (gt_progress){.size = sizeof(job->progress)};
    pthread_mutex_unlock(&work->lock);
    return goes_on;
}

/* Reads a trace. After the last one of its day the tables are complete. Returns whether to go on.
 */
static bool backfill_read(struct backfill_job *job, struct backfill_day *day,
                          struct columntrace *trace)
{
    const struct backfill *backfill = job->work->backfill;
    enum columntrace_end end = COLUMNTRACE_FAILED;
    const struct columntrace_reading how = {.settings = &job->work->settings,
                                            .about = backfill->about,
                                            .on_progress = backfill_progress,
                                            .progress_data = job};
    terminal_divert(&trace->messages);
    if (!day->partition)
        day->partition = partition_open(backfill->place, trace->date);
    if (day->partition)
        end = columntrace_read(trace, day->partition, &how);
    bool is_read = end == COLUMNTRACE_GOOD || end == COLUMNTRACE_BAD;
    if (is_read && !trace->next && !partition_finish(day->partition))
        end = COLUMNTRACE_FAILED;
    terminal_divert(NULL);
    return backfill_note(job, trace, end);
}

/* Takes the next day. Returns NULL if there is none, or all must end. */
static struct backfill_day *backfill_take(struct backfill_work *work)
{
    pthread_mutex_lock(&work->lock);
    bool is_over = work->is_over || work->taken == work->day_count;
    struct backfill_day *day = is_over ? NULL : &work->days[work->taken++];
    pthread_mutex_unlock(&work->lock);
    return day;
}

static void *backfill_job_run(void *user_data)
{
    struct backfill_job *job = user_data;
    struct backfill_day *day;
    while ((day = backfill_take(job->work))) {
        struct columntrace *trace = day->first;
        while (trace && backfill_read(job, day, trace))
            trace = trace->next;
    }
    return NULL;
}

/* How many days are worked on at once. */
static size_t backfill_jobs(const struct backfill_work *work)
{
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    size_t jobs = work->backfill->jobs;
    if (jobs == 0)
        jobs = processors > BACKFILL_USUAL_JOBS ? BACKFILL_USUAL_JOBS
               : processors > 1                 ? (size_t) processors
                                                : 1;
    return jobs < work->day_count ? jobs : work->day_count;
}

/* Works on all days, in this thread and others. */
static void backfill_work_all(struct backfill_work *work)
{
    struct backfill_job jobs[BACKFILL_MAX_JOBS];
    pthread_t threads[BACKFILL_MAX_JOBS];
    size_t count = backfill_jobs(work), started = 1;
    for (size_t i = 0; i < BACKFILL_MAX_JOBS; i++)
        jobs[i] = (struct backfill_job){work, {.size = sizeof(jobs[i].progress)}};
    /* The processors are busy without a second thread for each. */
    work->settings.one_thread = work->settings.one_thread || count > 1;
    while (started < count && thread_start(&threads[started], backfill_job_run, &jobs[started]))
        started++;
    backfill_job_run(&jobs[0]);
    while (started > 1)
        pthread_join(threads[--started], NULL);
}

/* Gives the files their names if everything is good, or removes them. Returns whether it is. */
static bool backfill_close(struct backfill_work *work, bool is_good)
{
    for (size_t i = 0; i < work->day_count; i++) {
        struct backfill_day *day = &work->days[i];
        if (day->partition)
            is_good = partition_close(day->partition, is_good) && is_good;
    }
    return is_good;
}

/* Surveys the traces, works on them, and closes. Returns the exit code. */
static int backfill_do(struct backfill_work *work)
{
    char name[BACKFILL_NAME_SIZE];
    const struct backfill *backfill = work->backfill;
    for (size_t i = 0; i < backfill->count; i++) {
        work->traces[i].name = backfill->names[i];
        backfill_survey(work, &work->traces[i]);
    }
    backfill_free_tree(&work->by_id, backfill_compare_ids);
    backfill_free_tree(&work->by_date, backfill_compare_dates);
    qsort(work->days, work->day_count, sizeof(*work->days), backfill_compare);
    snprintf(name, sizeof(name), "%zu traces", work->read);
    progress_begin(work->read == 1 ? work->days[0].first->name : name, work->settings.progress);
    interrupt_arm(NULL, NULL);
    interrupt_protect();
    backfill_work_all(work);
    input_stop_watching();
    bool is_good = backfill_close(work, !work->is_over && !interrupt_has_come());
    for (size_t i = 0; i < backfill->count; i++) {
        work->traces[i].is_over = true;
        backfill_tell(work);
        columntrace_close(&work->traces[i]);
    }
    return is_good && !work->is_bad ? COMMAND_GOOD : COMMAND_BAD;
}

int backfill_run(const struct backfill *backfill)
{
    struct backfill_work work = {.backfill = backfill,
                                 .settings = *backfill->settings,
                                 .traces = calloc(backfill->count, sizeof(*work.traces)),
                                 .days = calloc(backfill->count, sizeof(*work.days)),
                                 .progress = {.size = sizeof(work.progress)}};
    int code = COMMAND_BAD;
    pthread_mutex_init(&work.lock, NULL);
    if (work.traces && work.days)
        code = backfill_do(&work);
    else
        terminal_report("%s: %s", backfill->place->folder, strerror(ENOMEM));
    pthread_mutex_destroy(&work.lock);
    free(work.traces);
    free(work.days);
    return code;
}
