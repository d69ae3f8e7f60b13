/* SPDX-License-Identifier: BSD-3-Clause */
#include "web/analysis.h"

#include <string.h>
#include <time.h>

#include "base/error.h"
#include "base/thread.h"
#include "web/json.h"
#include "web/scan.h"

enum {
    /* How long the results of a trace that is being recorded are kept, in nanoseconds. */
    STALE_NS = 2000000000,
    /* The most jobs that are kept or wait to run. */
    JOBS_MAX = 24,
    /* The number of events that are read between two checks of whether to continue. */
    EVENTS_AT_ONCE = 1 << 15,
    /* How long to wait between two checks, in milliseconds. */
    NAP = 50
};

enum job_state {
    JOB_WAITING,
    JOB_RUNS,
    JOB_DONE,
    JOB_FAILED
};

struct gt_analysis_job {
    struct gt_analysis *analysis;
    const struct gt_analysis_kind *kind;
    void *key;
    size_t key_size;
    enum job_state state;
    double fraction;
    /* If the trace was still being recorded: when the analysis was made. Otherwise 0. */
    int64_t made;
    /* A request was answered with the result. */
    bool is_given;
    void *result;
    gt_error error;
    /* The number of handlers that use the job or wait for it. It is not freed while there are any.
     */
    size_t users;
    struct gt_analysis_job *next;
};

struct gt_analysis {
    struct gt_web *web;
    pthread_mutex_t lock;
    /* Signals that a job was added or has ended, or that `stopping` was set. */
    pthread_cond_t changed;
    pthread_t thread;
    /* The host does not forbid threads, and `thread` runs the jobs. */
    bool has_thread;
    bool stopping;
    /* The most recently requested job comes first. */
    struct gt_analysis_job *jobs;
};

static void job_free(struct gt_analysis_job *job, struct gt_mem *mem)
{
    if (job->result)
        job->kind->free(mem, job->result);
    gt_mem_free(mem, job->key, job->key_size + 1);
    gt_mem_free(mem, job, sizeof(*job));
}

/* Waits for a change, or for NAP milliseconds. The lock is held. */
static void analysis_nap(struct gt_analysis *analysis)
{
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_nsec += NAP * 1000000L;
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    pthread_cond_timedwait(&analysis->changed, &analysis->lock, &until);
}

/*
 * Returns the job to run next, or NULL: one that a handler waits for, otherwise the one that was
 * requested most recently, because the clients may have lost interest in the others.
 */
static struct gt_analysis_job *analysis_find_waiting(const struct gt_analysis *analysis)
{
    struct gt_analysis_job *found = NULL;
    for (struct gt_analysis_job *job = analysis->jobs; job; job = job->next) {
        if (job->state == JOB_WAITING && (!found || (found->users == 0 && job->users > 0)))
            found = job;
    }
    return found;
}

/* Runs a job. The lock is held, but is released while the analysis itself runs. */
static void analysis_run(struct gt_analysis *analysis, struct gt_analysis_job *job)
{
    struct gt_analysis_pass pass = {analysis->web, job, 1, GT_ERROR_INIT};
    bool is_growing = !gt_web_load_is_done(analysis->web);
    job->state = JOB_RUNS;
    pthread_mutex_unlock(&analysis->lock);
    void *result = job->kind->run(&pass, job->key);
    pthread_mutex_lock(&analysis->lock);
    job->made = is_growing ? gt_scan_now() : 0;
    job->result = result;
    job->error = pass.error;
    job->state = result ? JOB_DONE : JOB_FAILED;
    pthread_cond_broadcast(&analysis->changed);
}

static void *analysis_work(void *user_data)
{
    struct gt_analysis *analysis = user_data;
    pthread_mutex_lock(&analysis->lock);
    while (!analysis->stopping && !gt_web_load_has_caught_up(analysis->web))
        analysis_nap(analysis);
    while (!analysis->stopping) {
        struct gt_analysis_job *job = analysis_find_waiting(analysis);
        if (job)
            analysis_run(analysis, job);
        else
            pthread_cond_wait(&analysis->changed, &analysis->lock);
    }
    pthread_mutex_unlock(&analysis->lock);
    return NULL;
}

static bool analysis_start(struct gt_analysis *analysis)
{
    pthread_condattr_t attributes;
    if (pthread_condattr_init(&attributes) != 0)
        return false;
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    bool good = pthread_cond_init(&analysis->changed, &attributes) == 0;
    pthread_condattr_destroy(&attributes);
    if (!good)
        return false;
    if (pthread_mutex_init(&analysis->lock, NULL) == 0) {
        if (!analysis->has_thread || gt_thread_start(&analysis->thread, analysis_work, analysis))
            return true;
        pthread_mutex_destroy(&analysis->lock);
    }
    pthread_cond_destroy(&analysis->changed);
    return false;
}

/*
 * Returns the analyses of `web`, which are created at the first request. Returns NULL if there is
 * not enough memory or no thread.
 */
static struct gt_analysis *analysis_get_analysis(struct gt_web *web)
{
    pthread_mutex_lock(&web->loading.lock);
    if (!web->analysis) {
        struct gt_analysis *analysis = gt_mem_zeros(&web->mem, sizeof(*analysis));
        if (analysis) {
            analysis->web = web;
            analysis->has_thread = (web->options.flags & GT_WEB_NO_THREADS) == 0;
        }
        if (analysis && analysis_start(analysis))
            web->analysis = analysis;
        else
            gt_mem_free(&web->mem, analysis, sizeof(*analysis));
    }
    struct gt_analysis *analysis = web->analysis;
    pthread_mutex_unlock(&web->loading.lock);
    return analysis;
}

/* Finds a job and moves it to the front of the list. Returns NULL if there is none. */
static struct gt_analysis_job *analysis_find(struct gt_analysis *analysis,
                                             const struct gt_analysis_kind *kind, const void *key,
                                             size_t key_size)
{
    for (struct gt_analysis_job **at = &analysis->jobs; *at; at = &(*at)->next) {
        struct gt_analysis_job *job = *at;
        if (job->kind != kind || job->key_size != key_size || memcmp(job->key, key, key_size) != 0)
            continue;
        *at = job->next;
        job->next = analysis->jobs;
        analysis->jobs = job;
        return job;
    }
    return NULL;
}

/*
 * If the list is full, frees the least recently requested job that is neither used nor running.
 * Returns false if there is no such job.
 */
static bool analysis_make_room(struct gt_analysis *analysis)
{
    struct gt_analysis_job **found = NULL;
    size_t count = 0;
    for (struct gt_analysis_job **at = &analysis->jobs; *at; at = &(*at)->next) {
        count++;
        if ((*at)->users == 0 && (*at)->state != JOB_RUNS)
            found = at;
    }
    if (count < JOBS_MAX)
        return true;
    if (!found)
        return false;
    struct gt_analysis_job *job = *found;
    *found = job->next;
    job_free(job, &analysis->web->mem);
    return true;
}

static struct gt_analysis_job *analysis_add(struct gt_analysis *analysis,
                                            const struct gt_analysis_kind *kind, const void *key,
                                            size_t key_size)
{
    struct gt_mem *mem = &analysis->web->mem;
    struct gt_analysis_job *job =
        analysis_make_room(analysis) ? gt_mem_zeros(mem, sizeof(*job)) : NULL;
    if (!job)
        return NULL;
    job->analysis = analysis;
    job->kind = kind;
    job->key_size = key_size;
    job->key = gt_mem_alloc(mem, key_size + 1);
    if (!job->key) {
        gt_mem_free(mem, job, sizeof(*job));
        return NULL;
    }
    memcpy(job->key, key, key_size);
    job->next = analysis->jobs;
    analysis->jobs = job;
    pthread_cond_broadcast(&analysis->changed);
    return job;
}

/* Removes a failed job, so that the next request tries again. */
static void analysis_forget(struct gt_analysis *analysis, struct gt_analysis_job *job)
{
    for (struct gt_analysis_job **at = &analysis->jobs; *at; at = &(*at)->next) {
        if (*at != job)
            continue;
        *at = job->next;
        job_free(job, &analysis->web->mem);
        return;
    }
}

static bool analysis_is_over(const struct gt_analysis_job *job)
{
    return job->state == JOB_DONE || job->state == JOB_FAILED;
}

/*
 * Returns whether a trace may have grown since a job that nobody uses has read it. While the trace
 * grows, each result answers one request, however late that comes. Otherwise a client that asks
 * seldom would never get one.
 */
static bool analysis_is_stale(const struct gt_analysis_job *job)
{
    if (job->state != JOB_DONE || job->users != 0 || job->made == 0)
        return false;
    return gt_web_load_is_done(job->analysis->web) ||
           (job->is_given && gt_scan_now() - job->made >= STALE_NS);
}

/* Makes the analysis in the calling thread, after loading the rest of the trace. */
static void analysis_run_here(struct gt_analysis *analysis, struct gt_analysis_job *job)
{
    while (gt_web_load_step(analysis->web, UINT64_MAX))
        continue;
    if (job->state == JOB_WAITING)
        analysis_run(analysis, job);
}

/* Waits until the job has ended, the client is gone, or everything is to stop. The lock is held. */
static void analysis_wait_for(struct gt_analysis *analysis, struct gt_analysis_job *job,
                              struct gt_response *response)
{
    job->users++;
    if (!analysis->has_thread)
        analysis_run_here(analysis, job);
    while (!analysis_is_over(job) && !analysis->stopping &&
           !atomic_load(&analysis->web->stopping) && !gt_response_is_over(response))
        analysis_nap(analysis);
    job->users--;
}

static void analysis_answer_progress(struct gt_response *response, double fraction)
{
    struct gt_json json;
    gt_response_set_status(response, 202);
    gt_json_start(&json, response);
    gt_json_key_real(&json, "progress", fraction);
    gt_json_finish(&json);
}

/* Answers with the state of a job that is not done. The lock is held, because another thread may
 * free the job otherwise. */
static void analysis_answer_state(struct gt_analysis *analysis, struct gt_analysis_job *job,
                                  bool wait, struct gt_response *response)
{
    if (job->state == JOB_FAILED)
        gt_response_error(response, job->error.status == GT_ERR_NO_MEMORY ? 503 : 500,
                          job->error.message);
    else if (wait)
        gt_response_error(response, 503, "stopped");
    else
        analysis_answer_progress(response, job->fraction);
    if (job->state == JOB_FAILED && job->users == 0)
        analysis_forget(analysis, job);
}

/* Ends the use of a job by a query. */
static void analysis_release(void *held)
{
    struct gt_analysis_job *job = held;
    pthread_mutex_lock(&job->analysis->lock);
    job->users--;
    pthread_mutex_unlock(&job->analysis->lock);
}

void *gt_analysis_demand(struct gt_web *web, struct gt_query *query,
                         const struct gt_analysis_kind *kind, const void *key, size_t key_size,
                         bool wait)
{
    struct gt_analysis *analysis = query->failed ? NULL : analysis_get_analysis(web);
    if (!analysis) {
        gt_query_no_memory(query);
        return NULL;
    }
    pthread_mutex_lock(&analysis->lock);
    struct gt_analysis_job *job = analysis_find(analysis, kind, key, key_size);
    if (job && analysis_is_stale(job)) {
        analysis_forget(analysis, job);
        job = NULL;
    }
    if (!job)
        job = analysis_add(analysis, kind, key, key_size);
    if (job && wait)
        analysis_wait_for(analysis, job, query->response);
    void *result = job ? job->result : NULL;
    if (result) {
        job->users++;
        job->is_given = true;
        query->release = analysis_release;
        query->held = job;
    } else if (job) {
        analysis_answer_state(analysis, job, wait, query->response);
    } else {
        gt_response_error(query->response, 503, "too much to analyse at a time");
    }
    pthread_mutex_unlock(&analysis->lock);
    return result;
}

bool gt_analysis_is_waiting(struct gt_web *web)
{
    return web->analysis && analysis_find_waiting(web->analysis);
}

void gt_analysis_step(struct gt_web *web)
{
    struct gt_analysis *analysis = web->analysis;
    if (!analysis)
        return;
    pthread_mutex_lock(&analysis->lock);
    struct gt_analysis_job *job = analysis_find_waiting(analysis);
    if (job)
        analysis_run(analysis, job);
    pthread_mutex_unlock(&analysis->lock);
}

void gt_analysis_close(struct gt_web *web)
{
    struct gt_analysis *analysis = web->analysis;
    if (!analysis)
        return;
    pthread_mutex_lock(&analysis->lock);
    analysis->stopping = true;
    pthread_cond_broadcast(&analysis->changed);
    pthread_mutex_unlock(&analysis->lock);
    if (analysis->has_thread)
        pthread_join(analysis->thread, NULL);
    while (analysis->jobs) {
        struct gt_analysis_job *job = analysis->jobs;
        analysis->jobs = job->next;
        job_free(job, &analysis->web->mem);
    }
    pthread_cond_destroy(&analysis->changed);
    pthread_mutex_destroy(&analysis->lock);
    gt_mem_free(&web->mem, analysis, sizeof(*analysis));
    web->analysis = NULL;
}

bool gt_analysis_go_on(struct gt_analysis_pass *pass, double fraction)
{
    struct gt_analysis *analysis = pass->web->analysis;
    pthread_mutex_lock(&analysis->lock);
    pass->job->fraction = fraction > 1 ? 1 : fraction;
    bool stopping = analysis->stopping || atomic_load(&pass->web->stopping);
    pthread_mutex_unlock(&analysis->lock);
    if (stopping)
        gt_analysis_fail(pass, GT_ERR_CALLBACK);
    return !stopping;
}

void *gt_analysis_fail(struct gt_analysis_pass *pass, gt_status status)
{
    gt_error_plain(&pass->error, status);
    return NULL;
}

/* Updates the progress from the position of the reader. Returns whether to continue. */
static bool analysis_note_progress(struct gt_analysis_pass *pass, const gt_reader *reader,
                                   uint64_t *forgotten)
{
    gt_reader_info info = GT_READER_INFO_INIT;
    const struct gt_web_source *source = &pass->web->source;
    gt_reader_get_info(reader, &info);
    gt_web_source_forget(source, &info, forgotten);
    double fraction = source->total != 0 ? (double) info.bytes / (double) source->total : 0;
    return gt_analysis_go_on(pass, pass->reading_share * fraction);
}

static gt_status analysis_read_some(gt_reader *reader, gt_analysis_event_fn *on_event,
                                    void *user_data, gt_status *trouble)
{
    const gt_event *const *events;
    gt_status status = GT_OK;
    size_t count;
    for (size_t done = 0; done < EVENTS_AT_ONCE && *trouble == GT_OK; done += count) {
        status = gt_reader_next_events(reader, &events, &count);
        if (status != GT_OK)
            break;
        for (size_t i = 0; i < count && *trouble == GT_OK; i++)
            *trouble = on_event(user_data, reader, events[i]);
    }
    return status;
}

bool gt_analysis_read(struct gt_analysis_pass *pass, gt_analysis_event_fn *on_event,
                      void *user_data)
{
    gt_reader *reader;
    if (gt_web_source_open(&pass->web->source, &reader, &pass->error) != GT_OK)
        return false;
    gt_status status = GT_OK, trouble = GT_OK;
    uint64_t forgotten = 0;
    bool good = true;
    while (good && status == GT_OK && trouble == GT_OK) {
        good = analysis_note_progress(pass, reader, &forgotten);
        if (good)
            status = analysis_read_some(reader, on_event, user_data, &trouble);
    }
    gt_reader_close(&reader);
    if (trouble != GT_OK)
        gt_analysis_fail(pass, trouble);
    /* A fault of the trace only ends the pass early. */
    bool failed = gt_web_load_is_failure(pass->web, status);
    if (good && failed)
        gt_analysis_fail(pass, status);
    return good && trouble == GT_OK && !failed;
}
