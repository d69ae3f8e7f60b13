/* SPDX-License-Identifier: BSD-3-Clause */
#include "reader/ahead.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>

#include "base/likely.h"

enum {
    /* Blocks of 32 events. More gain nothing and leave the cache. */
    BLOCKS = 64,
    /*
     * The other one learns of so many at a time, and wakes for so many: waking takes as long as
     * some hundred events.
     */
    STEP = 8,
    WORTHWHILE = BLOCKS * 3 / 4,
    /* Some 20 microseconds. */
    SPINS = 1000,
    /* One more wait goes without for so many in vain one after the other, and so many at most. */
    VAIN = 4,
    MOST_SKIPPED = 63,
    /* Between what either thread writes all the time, so that no line of the caches has both. */
    APART = 128,
    RING_BYTES = BLOCKS * sizeof(struct gt_events) + GT_EVENT_BYTES
};

static inline void pause_a_little(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#endif
}

/* A call that waits to be made. */
struct request {
    gt_ahead_call *call;
    void *data;
    const void *argument;
};

/* Whether it is worth to spin: not where the other thread has no processor to run on meanwhile. */
struct patience {
    unsigned vain; /* times one after the other */
    unsigned left; /* waits to go without */
};

struct gt_ahead {
    struct gt_mem *mem;
    gt_ahead_more *more;
    void *decoder;
    void *memory;             /* of ... */
    struct gt_events *blocks; /* ... a ring, from where a line of the cache starts */
    pthread_t thread;
    char apart_first[APART];

    /* The decoding thread's. */
    size_t made;
    struct patience decoder_patience;
    char apart[APART];

    /* The caller's. */
    size_t used;  /* given to it, also the one that it has now */
    size_t known; /* to be there */
    struct patience caller_patience;
    char apart_too[APART];

    /* Both threads', changed under the lock. */
    pthread_mutex_t lock;
    pthread_cond_t decoder_can, caller_can;
    _Atomic size_t filled, taken;
    atomic_int running; /* the decoder is the other thread's */
    int ending;
    int decoder_waits, caller_waits;
    const struct request *request;

    pthread_mutex_t mem_lock;
};

static int spin_until(const _Atomic size_t *count, size_t old)
{
    for (unsigned i = 0; i < SPINS; i++) {
        if (atomic_load_explicit(count, memory_order_relaxed) != old)
            return 1;
        pause_a_little();
    }
    return 0;
}

/* Waits a little for `*count` to change from `old`: waking takes far longer than most waits. */
static void spin(struct patience *patience, const _Atomic size_t *count, size_t old)
{
    if (patience->left > 0) {
        patience->left--;
        return;
    }
    if (spin_until(count, old))
        patience->vain = 0;
    else if (patience->vain < VAIN * MOST_SKIPPED)
        patience->vain++;
    patience->left = patience->vain / VAIN;
}

static void wait_for(pthread_cond_t *cond, pthread_mutex_t *mutex, int *waits)
{
    *waits = 1;
    pthread_cond_wait(cond, mutex);
    *waits = 0;
}

static void wake_caller(struct gt_ahead *a)
{
    if (a->caller_waits)
        pthread_cond_signal(&a->caller_can);
}

static void wake_decoder(struct gt_ahead *a)
{
    if (a->decoder_waits)
        pthread_cond_signal(&a->decoder_can);
}

/* Lets the caller see what was made. Under the lock. */
static void publish(struct gt_ahead *a)
{
    a->filled = a->made;
    if (!a->running || a->filled - a->taken >= WORTHWHILE)
        wake_caller(a);
}

/* Waits for a free block, and for work. 0: it is over. */
static int may_go_on(struct gt_ahead *a)
{
    while (!a->ending && (!a->running || a->filled - a->taken == BLOCKS))
        wait_for(&a->decoder_can, &a->lock, &a->decoder_waits);
    return !a->ending;
}

/* Blocks until the decoder has no more, or those that there is room for. Returns whether it had. */
static int make_some(struct gt_ahead *a, size_t room)
{
    for (size_t i = 0; i < STEP && i < room; i++) {
        if (!a->more(a->decoder, &a->blocks[a->made % BLOCKS]))
            return 0;
        a->made++;
    }
    return 1;
}

static void *decode(void *data)
{
    struct gt_ahead *a = data;
    pthread_mutex_lock(&a->lock);
    while (may_go_on(a)) {
        size_t room = BLOCKS - (a->filled - a->taken);
        pthread_mutex_unlock(&a->lock);
        int more = make_some(a, room);
        if (more && a->made - a->taken == BLOCKS)
            spin(&a->decoder_patience, &a->taken, a->made - BLOCKS);
        pthread_mutex_lock(&a->lock);
        a->running = more;
        publish(a);
    }
    pthread_mutex_unlock(&a->lock);
    return NULL;
}

/*
 * Signals are for the program's own threads, but for those that the thread itself raises, as where
 * a mapped file was cut short: a handler could not have these otherwise.
 */
static void set_blocked(sigset_t *set)
{
    static const int raised[] = {SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGSYS, SIGTRAP};
    sigfillset(set);
    for (size_t i = 0; i < sizeof(raised) / sizeof(raised[0]); i++)
        sigdelset(set, raised[i]);
}

static int start_thread(struct gt_ahead *a)
{
    sigset_t blocked, old;
    set_blocked(&blocked);
    if (pthread_sigmask(SIG_SETMASK, &blocked, &old) != 0)
        return 0;
    int is_started = pthread_create(&a->thread, NULL, decode, a) == 0;
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    return is_started;
}

static void release(struct gt_ahead *a)
{
    struct gt_mem *mem = a->mem;
    mem->lock = NULL;
    pthread_mutex_destroy(&a->lock);
    pthread_mutex_destroy(&a->mem_lock);
    pthread_cond_destroy(&a->decoder_can);
    pthread_cond_destroy(&a->caller_can);
    if (a->memory)
        gt_mem_free(mem, a->memory, RING_BYTES);
    gt_mem_free(mem, a, sizeof(*a));
}

struct gt_ahead *gt_ahead_create(struct gt_mem *mem, gt_ahead_more *more, void *decoder)
{
    struct gt_ahead *a = gt_mem_alloc(mem, sizeof(*a));
    if (!a)
        return NULL;
    memset(a, 0, sizeof(*a));
    a->mem = mem;
    a->more = more;
    a->decoder = decoder;
    pthread_mutex_init(&a->lock, NULL);
    pthread_mutex_init(&a->mem_lock, NULL);
    pthread_cond_init(&a->decoder_can, NULL);
    pthread_cond_init(&a->caller_can, NULL);
    a->memory = gt_mem_alloc(mem, RING_BYTES);
    if (a->memory) {
        memset(a->memory, 0, RING_BYTES);
        size_t past = (uintptr_t) a->memory % GT_EVENT_BYTES;
        a->blocks = (struct gt_events *) ((char *) a->memory + (GT_EVENT_BYTES - past));
    }
    mem->lock = &a->mem_lock;
    if (!a->memory || !start_thread(a)) {
        release(a);
        return NULL;
    }
    return a;
}

void gt_ahead_destroy(struct gt_ahead *a)
{
    if (!a)
        return;
    pthread_mutex_lock(&a->lock);
    a->ending = 1;
    wake_decoder(a);
    pthread_mutex_unlock(&a->lock);
    pthread_join(a->thread, NULL);
    release(a);
}

void gt_ahead_go(struct gt_ahead *a)
{
    pthread_mutex_lock(&a->lock);
    a->running = 1;
    wake_decoder(a);
    pthread_mutex_unlock(&a->lock);
}

/* Under the lock, which others may take meanwhile. */
static void serve(struct gt_ahead *a)
{
    const struct request *request = a->request;
    pthread_mutex_unlock(&a->lock);
    request->call(request->data, request->argument);
    pthread_mutex_lock(&a->lock);
    a->request = NULL;
    wake_decoder(a);
}

/* Gives back what was used, and sees what there is. */
static void exchange(struct gt_ahead *a)
{
    if (a->filled == a->used && a->running)
        spin(&a->caller_patience, &a->filled, a->used);
    pthread_mutex_lock(&a->lock);
    a->taken = a->used;
    if (BLOCKS - (a->filled - a->taken) >= WORTHWHILE)
        wake_decoder(a);
    while (a->filled == a->taken && a->running) {
        if (a->request)
            serve(a);
        else
            wait_for(&a->caller_can, &a->lock, &a->caller_waits);
    }
    a->known = a->filled;
    pthread_mutex_unlock(&a->lock);
}

/*
 * Begins to bring events over from the other processor's cache, while those before them are looked
 * at: with all getters an event takes 4 % less.
 */
static void fetch(const struct gt_events *events)
{
    for (unsigned i = 0; i < GT_EVENTS_AHEAD; i++)
        GT_PREFETCH(&events->list[i]);
}

const struct gt_events *gt_ahead_next(struct gt_ahead *a)
{
    if (a->used == a->known || a->used % STEP == 0)
        exchange(a);
    if (a->used == a->known)
        return NULL;
    const struct gt_events *events = &a->blocks[a->used++ % BLOCKS];
    if (a->used < a->known)
        fetch(&a->blocks[a->used % BLOCKS]);
    return events;
}

void gt_ahead_run(struct gt_ahead *a, gt_ahead_call *call, void *data, const void *argument)
{
    struct request request = {call, data, argument};
    pthread_mutex_lock(&a->lock);
    int is_ours = a->running;
    if (is_ours) {
        a->request = &request;
        a->filled = a->made;
        wake_caller(a);
        while (a->request && !a->ending)
            wait_for(&a->decoder_can, &a->lock, &a->decoder_waits);
        a->request = NULL;
    }
    pthread_mutex_unlock(&a->lock);
    if (!is_ours)
        call(data, argument);
}
