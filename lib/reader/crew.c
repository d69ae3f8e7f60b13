/* SPDX-License-Identifier: BSD-3-Clause */
#include "reader/crew.h"

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <time.h>

#include "base/thread.h"

enum {
    /*
     * A sleeping thread is woken once it can take this many blocks, or a quarter of all, because
     * waking takes as long as reading some hundred events.
     */
    WAKE_BLOCKS = 8,
    LEAST_BLOCKS = 4 * WAKE_BLOCKS,
    /* How long the caller waits for a thread of the host to begin a job, in nanoseconds. */
    HOST_PATIENCE = 10000000
};

/*
 * What the host has of a crew. A host may run a job only after the crew has ended, for example
 * because the thread that closes the reader is the only one of the host, so the ticket remains
 * until the last job has run. By then the host may use its allocator for something else, in another
 * thread, or have ended it, so the ticket is of malloc.
 */
struct crew_ticket {
    struct gt_mem mem;
    pthread_mutex_t lock;
    struct gt_crew *crew; /* NULL: it has ended */
    atomic_uint owners;   /* the jobs of the host that have not ended, and the crew */
};

/* All members are used with the lock held, except for those that never change. */
struct gt_crew {
    struct gt_mem *mem;
    struct gt_source source;
    uint32_t version;
    pthread_mutex_t lock;
    pthread_cond_t worker_wakeup, caller_wakeup;
    struct gt_thread_mutex mem_lock; /* the value of mem->lock while the threads exist */

    struct gt_crew_job *first, *last; /* from the earliest generation on */
    size_t job_count;
    struct gt_v2_extent scanned; /* the last generation that got a job */
    bool is_scanned;             /* no more generations get jobs */

    struct gt_v2_block *spare;
    size_t block_count; /* in use */
    size_t block_limit;

    bool caller_sleeps;
    bool is_ending;
    unsigned workers; /* the most threads at once */

    gt_execute_fn execute; /* NULL if the threads are the library's */
    void *execute_data;
    struct crew_ticket *ticket;
    unsigned hosted;    /* the jobs of the host that have begun and not ended */
    bool is_submitting; /* `submitter` is in `execute` */
    bool is_host_late;  /* no thread has begun the last job for which the caller has waited */
    pthread_t submitter;

    unsigned started; /* the number of threads of the library */
    size_t capacity;
    pthread_t threads[];
};

/* Adds a job for the next generation. Returns false if there is none. */
static bool crew_add_job(struct gt_crew *crew)
{
    struct gt_v2_extent next = {.start = crew->scanned.end};
    if (crew->is_scanned ||
        !gt_v2_extent_find(&crew->source, crew->version, crew->scanned.number, &next)) {
        crew->is_scanned = true;
        return false;
    }
    struct gt_crew_job *job = gt_mem_zeros(crew->mem, sizeof(*job));
    if (!job) {
        crew->is_scanned = true;
        return false;
    }
    crew->scanned = job->extent = next;
    gt_v2_apart_init(&job->apart, crew->mem, &crew->source, &job->extent, crew->version);
    *(crew->last ? &crew->last->next : &crew->first) = job;
    crew->last = job;
    crew->job_count++;
    return true;
}

/* Returns the first job that no thread has begun, or NULL. */
static struct gt_crew_job *crew_find_job(const struct gt_crew *crew)
{
    struct gt_crew_job *job = crew->first;
    while (job && job->is_begun)
        job = job->next;
    return job;
}

/* Returns a job that can begin now, or NULL. */
static struct gt_crew_job *crew_next_job(struct gt_crew *crew)
{
    struct gt_crew_job *job = crew_find_job(crew);
    if (!job && crew->job_count <= crew->workers && crew_add_job(crew))
        job = crew->last;
    return job;
}

/* Waits for a job to begin. Returns NULL if the thread must end. */
static struct gt_crew_job *crew_wait_for_job(struct gt_crew *crew)
{
    while (!crew->is_ending) {
        struct gt_crew_job *job = crew_next_job(crew);
        if (job)
            return job;
        pthread_cond_wait(&crew->worker_wakeup, &crew->lock);
    }
    return NULL;
}

static void crew_sleep_caller(struct gt_crew *crew)
{
    crew->caller_sleeps = true;
    pthread_cond_wait(&crew->caller_wakeup, &crew->lock);
    crew->caller_sleeps = false;
}

static void crew_wake_caller(struct gt_crew *crew)
{
    if (crew->caller_sleeps)
        pthread_cond_signal(&crew->caller_wakeup);
}

/*
 * Whether the thread of a job may have another block. A quarter of the blocks is for the first job
 * only, and that job may always have one if it has none, so that the caller can go on.
 */
static bool crew_has_room(const struct gt_crew *crew, const struct gt_crew_job *job)
{
    if (job != crew->first)
        return crew->block_count < crew->block_limit - crew->block_limit / 4;
    return crew->block_count < crew->block_limit || job->queued == 0;
}

/* Waits for a block for a job. Returns NULL if the job must end. */
static struct gt_v2_block *crew_wait_for_block(struct gt_crew *crew, const struct gt_crew_job *job)
{
    while (!crew->is_ending && !job->is_dropped && !crew_has_room(crew, job)) {
        crew_wake_caller(crew);
        pthread_cond_wait(&crew->worker_wakeup, &crew->lock);
    }
    if (crew->is_ending || job->is_dropped)
        return NULL;
    struct gt_v2_block *block = crew->spare;
    if (block)
        crew->spare = block->next;
    else
        block = gt_mem_alloc(crew->mem, sizeof(*block));
    crew->block_count += block != NULL;
    return block;
}

static void crew_queue_block(struct gt_crew *crew, struct gt_crew_job *job,
                             struct gt_v2_block *block)
{
    block->next = NULL;
    *(job->last ? &job->last->next : &job->first) = block;
    job->last = block;
    job->queued++;
    if (job->queued >= WAKE_BLOCKS && job == crew->first)
        crew_wake_caller(crew);
}

static void crew_return_block(struct gt_crew *crew, struct gt_v2_block *block)
{
    block->next = crew->spare;
    crew->spare = block;
    crew->block_count--;
}

/* Reads a generation. The lock is held before and after. */
static void crew_run_job(struct gt_crew *crew, struct gt_crew_job *job)
{
    job->is_begun = true;
    crew->is_host_late = false;
    if (crew->execute) /* the caller may wait for this */
        crew_wake_caller(crew);
    pthread_mutex_unlock(&crew->lock);
    bool has_more = gt_v2_apart_read(&job->apart);
    pthread_mutex_lock(&crew->lock);
    while (has_more) {
        struct gt_v2_block *block = crew_wait_for_block(crew, job);
        if (!block) {
            job->apart.failed = true;
            break;
        }
        pthread_mutex_unlock(&crew->lock);
        has_more = gt_v2_apart_fill(&job->apart, block);
        pthread_mutex_lock(&crew->lock);
        if (has_more)
            crew_queue_block(crew, job, block);
        else
            crew_return_block(crew, block);
    }
    job->is_over = true;
    crew_wake_caller(crew);
}

static void *crew_work(void *data)
{
    struct gt_crew *crew = data;
    struct gt_crew_job *job;
    pthread_mutex_lock(&crew->lock);
    while ((job = crew_wait_for_job(crew)))
        crew_run_job(crew, job);
    pthread_mutex_unlock(&crew->lock);
    return NULL;
}

static struct crew_ticket *crew_ticket_create(struct gt_crew *crew)
{
    gt_status status;
    if (!gt_mem_charge(crew->mem, sizeof(struct crew_ticket)))
        return NULL;
    struct crew_ticket *ticket =
        gt_mem_create(sizeof(*ticket), offsetof(struct crew_ticket, mem), NULL, 0, &status);
    if (!ticket) {
        gt_mem_discharge(crew->mem, sizeof(*ticket));
        gt_mem_fail(crew->mem, status);
        return NULL;
    }
    pthread_mutex_init(&ticket->lock, NULL);
    ticket->crew = crew;
    atomic_init(&ticket->owners, 1);
    return ticket;
}

static void crew_ticket_drop(struct crew_ticket *ticket)
{
    if (atomic_fetch_sub(&ticket->owners, 1) != 1)
        return;
    pthread_mutex_destroy(&ticket->lock);
    gt_mem_delete(&ticket->mem, ticket, sizeof(*ticket));
}

/* Begins a job of the host. Returns the crew with its lock held, or NULL if it has ended. */
static struct gt_crew *crew_ticket_use(struct crew_ticket *ticket)
{
    pthread_mutex_lock(&ticket->lock);
    struct gt_crew *crew = ticket->crew;
    if (crew) {
        pthread_mutex_lock(&crew->lock);
        crew->hosted++;
    }
    pthread_mutex_unlock(&ticket->lock);
    return crew;
}

/*
 * Reads generations in a thread of the host. In the thread that is in `execute` nothing may run,
 * because the job would wait for blocks that this very thread returns; then the host gets no more.
 */
static void crew_run_hosted(void *data)
{
    struct crew_ticket *ticket = data;
    struct gt_crew_job *job;
    struct gt_crew *crew = crew_ticket_use(ticket);
    if (!crew) {
        crew_ticket_drop(ticket);
        return;
    }
    if (crew->is_submitting && pthread_equal(crew->submitter, pthread_self()))
        crew->workers = 0;
    else
        while (!crew->is_ending && (job = crew_next_job(crew)))
            crew_run_job(crew, job);
    crew->hosted--;
    /* Not the last owner, because the crew remains until the lock is released. */
    crew_ticket_drop(ticket);
    crew_wake_caller(crew);
    pthread_mutex_unlock(&crew->lock);
}

/* Waits for the jobs that the host has begun. Those that it begins later do nothing. */
static void crew_leave_host(struct gt_crew *crew)
{
    if (!crew->ticket)
        return;
    pthread_mutex_lock(&crew->ticket->lock);
    crew->ticket->crew = NULL;
    pthread_mutex_unlock(&crew->ticket->lock);
    pthread_mutex_lock(&crew->lock);
    while (crew->hosted != 0)
        crew_sleep_caller(crew);
    pthread_mutex_unlock(&crew->lock);
    crew_ticket_drop(crew->ticket);
    gt_mem_discharge(crew->mem, sizeof(*crew->ticket));
}

/* The jobs that the host has been given and that have not ended. */
static unsigned crew_count_submitted(const struct gt_crew *crew)
{
    return atomic_load(&crew->ticket->owners) - 1;
}

/* Whether one more thread of the host would find something to read. */
static bool crew_has_work(const struct gt_crew *crew)
{
    return crew_find_job(crew) || (!crew->is_scanned && crew->job_count <= crew->workers);
}

/* Gives the host as much as there is to do. The lock is held before and after, but not within. */
static void crew_submit(struct gt_crew *crew)
{
    while (crew->execute && crew_count_submitted(crew) < crew->workers && crew_has_work(crew)) {
        atomic_fetch_add(&crew->ticket->owners, 1);
        crew->is_submitting = true;
        crew->submitter = pthread_self();
        pthread_mutex_unlock(&crew->lock);
        bool is_refused = crew->execute(crew->execute_data, crew_run_hosted, crew->ticket) != 0;
        pthread_mutex_lock(&crew->lock);
        crew->is_submitting = false;
        if (is_refused) {
            crew_ticket_drop(crew->ticket);
            return;
        }
    }
}

static size_t crew_size(size_t workers)
{
    return sizeof(struct gt_crew) + workers * sizeof(pthread_t);
}

/* Starts the threads of the library. Returns false if there is none. */
static bool crew_start_threads(struct gt_crew *crew)
{
    while (crew->started < crew->workers &&
           gt_thread_start(&crew->threads[crew->started], crew_work, crew))
        crew->started++;
    crew->workers = crew->started;
    return crew->started != 0;
}

static void crew_init_locks(struct gt_crew *crew)
{
    pthread_condattr_t clock;
    pthread_condattr_init(&clock);
    pthread_condattr_setclock(&clock, CLOCK_MONOTONIC);
    pthread_mutex_init(&crew->lock, NULL);
    gt_thread_mutex_init(&crew->mem_lock);
    pthread_cond_init(&crew->worker_wakeup, NULL);
    pthread_cond_init(&crew->caller_wakeup, &clock);
    pthread_condattr_destroy(&clock);
    crew->mem->lock = &crew->mem_lock.lock;
}

struct gt_crew *gt_crew_create(struct gt_mem *mem, const struct gt_source *source, uint32_t version,
                               const struct gt_crew_size *size)
{
    size_t capacity = size->execute ? 0 : size->workers;
    struct gt_crew *crew = gt_mem_zeros(mem, crew_size(capacity));
    if (!crew)
        return NULL;
    crew->mem = mem;
    crew->source = *source;
    crew->version = version;
    crew->scanned.end = source->cur;
    crew->workers = size->workers;
    crew->capacity = capacity;
    crew->execute = size->execute;
    crew->execute_data = size->execute_data;
    crew->block_limit = (size_t) (size->bytes / sizeof(struct gt_v2_block));
    if (crew->block_limit < LEAST_BLOCKS)
        crew->block_limit = LEAST_BLOCKS;
    crew_init_locks(crew);
    if (size->execute)
        crew->ticket = crew_ticket_create(crew);
    pthread_mutex_lock(&crew->lock);
    bool is_staffed = size->execute ? crew->ticket != NULL : crew_start_threads(crew);
    if (is_staffed)
        crew_submit(crew);
    pthread_mutex_unlock(&crew->lock);
    if (is_staffed)
        return crew;
    gt_crew_destroy(crew);
    return NULL;
}

static void crew_free_blocks(struct gt_crew *crew, struct gt_v2_block *block)
{
    while (block) {
        struct gt_v2_block *next = block->next;
        gt_mem_free(crew->mem, block, sizeof(*block));
        block = next;
    }
}

void gt_crew_free(struct gt_crew *crew, struct gt_crew_job *job)
{
    gt_v2_apart_destroy(&job->apart);
    gt_mem_free(crew->mem, job, sizeof(*job));
}

void gt_crew_destroy(struct gt_crew *crew)
{
    if (!crew)
        return;
    pthread_mutex_lock(&crew->lock);
    crew->is_ending = true;
    pthread_cond_broadcast(&crew->worker_wakeup);
    pthread_mutex_unlock(&crew->lock);
    crew_leave_host(crew);
    for (unsigned i = 0; i < crew->started; i++)
        pthread_join(crew->threads[i], NULL);
    while (crew->first) {
        struct gt_crew_job *job = crew->first;
        crew->first = job->next;
        crew_free_blocks(crew, job->first);
        gt_crew_free(crew, job);
    }
    crew_free_blocks(crew, crew->spare);
    crew->mem->lock = NULL;
    pthread_mutex_destroy(&crew->lock);
    gt_thread_mutex_destroy(&crew->mem_lock);
    pthread_cond_destroy(&crew->worker_wakeup);
    pthread_cond_destroy(&crew->caller_wakeup);
    gt_mem_free(crew->mem, crew, crew_size(crew->capacity));
}

struct gt_crew_job *gt_crew_first(struct gt_crew *crew)
{
    pthread_mutex_lock(&crew->lock);
    if (!crew->first && crew_add_job(crew)) {
        pthread_cond_signal(&crew->worker_wakeup);
        crew_submit(crew);
    }
    struct gt_crew_job *job = crew->first;
    pthread_mutex_unlock(&crew->lock);
    return job;
}

/*
 * Waits a while for a thread of the host to begin the job. If none does, because all are busy with
 * other work or wait for this thread, the job fails.
 */
static void crew_await_host(struct gt_crew *crew, struct gt_crew_job *job)
{
    struct timespec until;
    int result = 0;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_nsec += HOST_PATIENCE;
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    while (!job->is_begun && crew_count_submitted(crew) != 0 && !crew->is_host_late &&
           result == 0) {
        crew->caller_sleeps = true;
        result = pthread_cond_timedwait(&crew->caller_wakeup, &crew->lock, &until);
        crew->caller_sleeps = false;
    }
    crew->is_host_late = !job->is_begun;
    if (!job->is_begun)
        job->is_begun = job->is_over = job->apart.failed = true;
}

struct gt_v2_block *gt_crew_take(struct gt_crew *crew, struct gt_crew_job *job)
{
    pthread_mutex_lock(&crew->lock);
    if (job->queued == 0 && !job->is_over)
        pthread_cond_broadcast(&crew->worker_wakeup);
    if (crew->execute && !job->is_begun)
        crew_await_host(crew, job);
    while (job->queued == 0 && !job->is_over)
        crew_sleep_caller(crew);
    struct gt_v2_block *block = job->first;
    if (block) {
        job->first = block->next;
        job->queued--;
        if (!job->first)
            job->last = NULL;
    }
    pthread_mutex_unlock(&crew->lock);
    return block;
}

void gt_crew_give(struct gt_crew *crew, struct gt_v2_block *block)
{
    pthread_mutex_lock(&crew->lock);
    crew_return_block(crew, block);
    /* Threads that wait are woken when an eighth of the blocks is free for them. */
    if (crew->block_count == crew->block_limit * 7 / 8 ||
        crew->block_count == crew->block_limit * 5 / 8)
        pthread_cond_broadcast(&crew->worker_wakeup);
    pthread_mutex_unlock(&crew->lock);
}

void gt_crew_end(struct gt_crew *crew, struct gt_crew_job *job)
{
    pthread_mutex_lock(&crew->lock);
    job->is_dropped = true;
    if (!job->is_begun)
        job->is_begun = job->is_over = true;
    pthread_cond_broadcast(&crew->worker_wakeup);
    while (!job->is_over)
        crew_sleep_caller(crew);
    while (job->first) {
        struct gt_v2_block *block = job->first;
        job->first = block->next;
        crew_return_block(crew, block);
    }
    job->last = NULL;
    crew->first = job->next;
    if (!crew->first)
        crew->last = NULL;
    crew->job_count--;
    pthread_cond_broadcast(&crew->worker_wakeup);
    crew_submit(crew);
    pthread_mutex_unlock(&crew->lock);
}
