/* SPDX-License-Identifier: BSD-3-Clause */
#include "reader/worker.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>

#include "base/likely.h"
#include "base/thread.h"

enum {
    /*
     * The number of blocks of GT_EVENTS_AHEAD events in the ring buffer. More blocks gain nothing
     * and exceed the cache.
     */
    RING_BLOCKS = 64,
    RING_BYTES = RING_BLOCKS * sizeof(struct gt_events) + GT_EVENT_BYTES,
    /* Each thread publishes its progress once for this many blocks. */
    PUBLISH_BLOCKS = 8,
    /*
     * A sleeping thread is woken once it can take, or fill, this many blocks, because waking takes
     * as long as decoding some hundred events.
     */
    WAKE_BLOCKS = RING_BLOCKS * 3 / 4,
    /* The number of iterations after which a spin fails: about 20 microseconds. */
    SPIN_ROUNDS = 1000,
    /*
     * After every FAILED_SPINS consecutive failed spins, one more spin is skipped, up to
     * MOST_SKIPPED.
     */
    FAILED_SPINS = 4,
    MOST_SKIPPED = 63,
    /* Separates data that different threads write often, so that they share no cache line. */
    PADDING = 128
};

/*
 * Decides whether to spin before going to sleep. If spins fail repeatedly, the other thread has no
 * processor to run on meanwhile; then most spins are skipped.
 */
struct spin_backoff {
    unsigned failed_spins;  /* consecutive failed spins */
    unsigned skipped_spins; /* the number of spins still to be skipped */
};

/* A request of the worker to call a function in the caller's thread. */
struct worker_request {
    gt_worker_call_fn *call;
    void *data;
    const void *argument;
};

/*
 * Blocks are numbered from the first one ever decoded, and block n is at index n % RING_BLOCKS.
 * Invariant: decoded >= published >= visible >= delivered >= released >= decoded - RING_BLOCKS.
 */
struct gt_worker {
    struct gt_mem *mem;
    gt_worker_decode_fn *decode;
    void *decoder;
    void *memory;             /* the allocation that contains the ring buffer */
    struct gt_events *blocks; /* the ring buffer, aligned to the size of an event */
    pthread_t thread;
    char padding_before[PADDING];

    /* Members that only the worker thread uses. */
    size_t decoded;
    struct spin_backoff worker_backoff;
    char padding_between[PADDING];

    /* Members that only the caller's thread uses. */
    size_t delivered; /* includes the block that the caller is reading */
    size_t visible;   /* the last value of `published` that this thread has read */
    struct spin_backoff caller_backoff;
    char padding_after[PADDING];

    /*
     * Shared members. They are written with the lock held; the atomic ones are also read without
     * it.
     */
    pthread_mutex_t lock;
    pthread_cond_t worker_wakeup, caller_wakeup;
    _Atomic size_t published; /* blocks that the caller's thread may read */
    _Atomic size_t released;  /* blocks that the worker may overwrite */
    atomic_bool is_active;    /* the worker owns the decoder */
    const struct worker_request *request;
    bool worker_sleeps, caller_sleeps;
    bool is_ending;

    struct gt_thread_mutex mem_lock; /* the value of mem->lock while the thread exists */
};

static inline void spin_pause(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#endif
}

/* Spins until `*count` differs from `old`. Returns false if that takes too long. */
static bool spin_until_changed(const _Atomic size_t *count, size_t old)
{
    for (unsigned i = 0; i < SPIN_ROUNDS; i++) {
        if (atomic_load_explicit(count, memory_order_relaxed) != old)
            return true;
        spin_pause();
    }
    return false;
}

/*
 * Waits for a short time for `*count` to differ from `old`, because most waits are far shorter than
 * a wake-up.
 */
static void spin_or_skip(struct spin_backoff *backoff, const _Atomic size_t *count, size_t old)
{
    if (backoff->skipped_spins > 0) {
        backoff->skipped_spins--;
        return;
    }
    if (spin_until_changed(count, old))
        backoff->failed_spins = 0;
    else if (backoff->failed_spins < FAILED_SPINS * MOST_SKIPPED)
        backoff->failed_spins++;
    backoff->skipped_spins = backoff->failed_spins / FAILED_SPINS;
}

static void worker_sleep(struct gt_worker *w)
{
    w->worker_sleeps = true;
    pthread_cond_wait(&w->worker_wakeup, &w->lock);
    w->worker_sleeps = false;
}

static void worker_wake(struct gt_worker *w)
{
    if (w->worker_sleeps)
        pthread_cond_signal(&w->worker_wakeup);
}

static void worker_sleep_caller(struct gt_worker *w)
{
    w->caller_sleeps = true;
    pthread_cond_wait(&w->caller_wakeup, &w->lock);
    w->caller_sleeps = false;
}

static void worker_wake_caller(struct gt_worker *w)
{
    if (w->caller_sleeps)
        pthread_cond_signal(&w->caller_wakeup);
}

/* Makes the decoded blocks visible to the caller's thread. Called with the lock held. */
static void worker_publish(struct gt_worker *w)
{
    w->published = w->decoded;
    if (!w->is_active || w->published - w->released >= WAKE_BLOCKS)
        worker_wake_caller(w);
}

/*
 * Waits until the worker owns the decoder and a block is free. Returns false if the thread must
 * end.
 */
static bool worker_wait_for_work(struct gt_worker *w)
{
    while (!w->is_ending && (!w->is_active || w->published - w->released == RING_BLOCKS))
        worker_sleep(w);
    return !w->is_ending;
}

/* Decodes a few blocks, at most `room`. Returns whether the decoder may have more events. */
static bool worker_decode(struct gt_worker *w, size_t room)
{
    for (size_t i = 0; i < PUBLISH_BLOCKS && i < room; i++) {
        if (!w->decode(w->decoder, &w->blocks[w->decoded % RING_BLOCKS]))
            return false;
        w->decoded++;
    }
    return true;
}

static void *worker_run(void *data)
{
    struct gt_worker *w = data;
    pthread_mutex_lock(&w->lock);
    while (worker_wait_for_work(w)) {
        size_t room = RING_BLOCKS - (w->published - w->released);
        pthread_mutex_unlock(&w->lock);
        bool has_more = worker_decode(w, room);
        if (has_more && w->decoded - w->released == RING_BLOCKS)
            spin_or_skip(&w->worker_backoff, &w->released, w->decoded - RING_BLOCKS);
        pthread_mutex_lock(&w->lock);
        w->is_active = has_more;
        worker_publish(w);
    }
    pthread_mutex_unlock(&w->lock);
    return NULL;
}

static void worker_free(struct gt_worker *w)
{
    struct gt_mem *mem = w->mem;
    mem->lock = NULL;
    pthread_mutex_destroy(&w->lock);
    gt_thread_mutex_destroy(&w->mem_lock);
    pthread_cond_destroy(&w->worker_wakeup);
    pthread_cond_destroy(&w->caller_wakeup);
    if (w->memory)
        gt_mem_free(mem, w->memory, RING_BYTES);
    gt_mem_free(mem, w, sizeof(*w));
}

struct gt_worker *gt_worker_create(struct gt_mem *mem, gt_worker_decode_fn *decode, void *decoder)
{
    struct gt_worker *w = gt_mem_alloc(mem, sizeof(*w));
    if (!w)
        return NULL;
    memset(w, 0, sizeof(*w));
    w->mem = mem;
    w->decode = decode;
    w->decoder = decoder;
    pthread_mutex_init(&w->lock, NULL);
    gt_thread_mutex_init(&w->mem_lock);
    pthread_cond_init(&w->worker_wakeup, NULL);
    pthread_cond_init(&w->caller_wakeup, NULL);
    w->memory = gt_mem_alloc(mem, RING_BYTES);
    if (w->memory) {
        memset(w->memory, 0, RING_BYTES);
        size_t past = (uintptr_t) w->memory % GT_EVENT_BYTES;
        w->blocks = (struct gt_events *) ((char *) w->memory + (GT_EVENT_BYTES - past));
    }
    mem->lock = &w->mem_lock.lock;
    if (!w->memory || !gt_thread_start(&w->thread, worker_run, w)) {
        worker_free(w);
        return NULL;
    }
    return w;
}

void gt_worker_destroy(struct gt_worker *w)
{
    if (!w)
        return;
    pthread_mutex_lock(&w->lock);
    w->is_ending = true;
    worker_wake(w);
    pthread_mutex_unlock(&w->lock);
    pthread_join(w->thread, NULL);
    worker_free(w);
}

void gt_worker_start(struct gt_worker *w)
{
    pthread_mutex_lock(&w->lock);
    w->is_active = true;
    worker_wake(w);
    pthread_mutex_unlock(&w->lock);
}

/*
 * Makes the call that the worker has requested. The lock is held before and after, but released
 * during the call.
 */
static void worker_serve_request(struct gt_worker *w)
{
    const struct worker_request *request = w->request;
    pthread_mutex_unlock(&w->lock);
    request->call(request->data, request->argument);
    pthread_mutex_lock(&w->lock);
    w->request = NULL;
    worker_wake(w);
}

/* Releases the blocks that the caller has read, and waits for published ones. */
static void worker_exchange(struct gt_worker *w)
{
    if (w->published == w->delivered && w->is_active)
        spin_or_skip(&w->caller_backoff, &w->published, w->delivered);
    pthread_mutex_lock(&w->lock);
    w->released = w->delivered;
    if (RING_BLOCKS - (w->published - w->released) >= WAKE_BLOCKS)
        worker_wake(w);
    while (w->published == w->released && w->is_active) {
        if (w->request)
            worker_serve_request(w);
        else
            worker_sleep_caller(w);
    }
    w->visible = w->published;
    pthread_mutex_unlock(&w->lock);
}

/*
 * Prefetches events from the other processor's cache while the caller reads the events before them.
 * With all getters this makes an event 4 % cheaper.
 */
static void worker_prefetch(const struct gt_events *events)
{
    for (unsigned i = 0; i < GT_EVENTS_AHEAD; i++)
        GT_PREFETCH(&events->list[i]);
}

const struct gt_events *gt_worker_next(struct gt_worker *w)
{
    if (w->delivered == w->visible || w->delivered % PUBLISH_BLOCKS == 0)
        worker_exchange(w);
    if (w->delivered == w->visible)
        return NULL;
    const struct gt_events *events = &w->blocks[w->delivered++ % RING_BLOCKS];
    if (w->delivered < w->visible)
        worker_prefetch(&w->blocks[w->delivered % RING_BLOCKS]);
    return events;
}

void gt_worker_call(struct gt_worker *w, gt_worker_call_fn *call, void *data, const void *argument)
{
    struct worker_request request = {call, data, argument};
    pthread_mutex_lock(&w->lock);
    bool is_in_worker = w->is_active;
    if (is_in_worker) {
        w->request = &request;
        w->published = w->decoded;
        worker_wake_caller(w);
        while (w->request && !w->is_ending)
            worker_sleep(w);
        w->request = NULL;
    }
    pthread_mutex_unlock(&w->lock);
    if (!is_in_worker)
        call(data, argument);
}
