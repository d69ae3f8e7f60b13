/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * bench_recorder: what an event costs, in nanoseconds of the thread that records it, while nothing
 * is recorded and while it is; and how many bytes it has in the trace. Beside it the clock, which
 * is read once for each call. Then what the end of a generation with 10,000 goroutines costs, and
 * how long another thread, which records all the time, is held up by it.
 */

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <gotrace/recorder.h>

enum {
    ROUNDS = 2000000,
    THREADS_MOST = 2,
    FRAMES = 8,
    GOROUTINES = 10000,
    ADVANCES = 300
};

static double now(clockid_t clock)
{
    struct timespec time;
    clock_gettime(clock, &time);
    return (double) time.tv_sec * 1e9 + (double) time.tv_nsec;
}

static int count_bytes(void *user_data, const void *data, size_t size)
{
    (void) data;
    *(uint64_t *) user_data += size;
    return 0;
}

static void must(gt_status status)
{
    if (status != GT_OK) {
        fprintf(stderr, "bench_recorder: %s\n", gt_status_text(status));
        exit(1);
    }
}

struct worker {
    gt_recorder *recorder;
    uint64_t id;
    pthread_t pthread;
    /* The results, in ns an event. */
    double yields, calls, blocks, regions;
};

/* The CPU time of the thread, so that other programs count less. */
#define MEASURE(result, events, statements)                                                        \
    do {                                                                                           \
        double begin = now(CLOCK_THREAD_CPUTIME_ID);                                               \
        for (unsigned i = 0; i < ROUNDS; i++) {                                                    \
            statements                                                                             \
        }                                                                                          \
        (result) = (now(CLOCK_THREAD_CPUTIME_ID) - begin) / ROUNDS / (events);                     \
    } while (0)

/* So many frames are below it, without those of the thread's start. */
__attribute__((noinline)) static int worker_measure(struct worker *w, gt_rec_thread *thread,
                                                    gt_rec_go *go, unsigned frames)
{
    if (frames > 0)
        return 1 + worker_measure(w, thread, go, frames - 1);
    MEASURE(w->yields, 2, gt_rec_go_stop(thread, GT_REC_YIELD); gt_rec_go_start(thread, go););
    MEASURE(w->calls, 2, gt_rec_syscall_begin(thread); gt_rec_syscall_end(thread););
    MEASURE(w->blocks, 3, gt_rec_go_block(thread, GT_REC_SYNC); gt_rec_go_unblock(thread, go);
            gt_rec_go_start(thread, go););
    MEASURE(w->regions, 2, gt_rec_region_begin(thread, 0, GT_REC_SYNC); gt_rec_region_end(thread););
    return 1;
}

static gt_rec_thread *run_goroutine(gt_recorder *recorder, uint64_t id, gt_rec_go **go)
{
    gt_rec_thread *thread;
    gt_rec_proc *proc;
    must(gt_rec_thread_attach(recorder, &thread));
    must(gt_rec_proc_create(recorder, id, &proc));
    must(gt_rec_proc_start(thread, proc));
    must(gt_rec_go_create(thread, 0, 0, go));
    must(gt_rec_go_start(thread, *go));
    return thread;
}

static void *worker_run(void *argument)
{
    struct worker *w = argument;
    gt_rec_go *go;
    gt_rec_thread *thread = run_goroutine(w->recorder, w->id, &go);
    worker_measure(w, thread, go, FRAMES);
    gt_rec_thread_detach(&thread);
    return NULL;
}

/* `depth` is how many frames stacks may have; 0: events have none. */
static void bench(bool is_on, unsigned threads, unsigned depth, uint64_t flags)
{
    gt_recorder_options options = GT_RECORDER_OPTIONS_INIT;
    struct worker workers[THREADS_MOST];
    gt_recorder *recorder;
    uint64_t bytes = 0;
    options.period = 20000000;
    options.memory_limit = UINT64_C(2) << 30;
    options.stack_depth = depth;
    options.flags = flags;
    must(gt_recorder_open(&recorder, &options, NULL));
    if (is_on)
        must(gt_recorder_start(recorder, count_bytes, &bytes, NULL));
    for (unsigned i = 0; i < threads; i++) {
        workers[i].recorder = recorder;
        workers[i].id = i;
        if (pthread_create(&workers[i].pthread, NULL, worker_run, &workers[i]) != 0)
            exit(1);
    }
    for (unsigned i = 0; i < threads; i++)
        pthread_join(workers[i].pthread, NULL);
    if (is_on)
        must(gt_recorder_stop(recorder, NULL));
    for (unsigned i = 0; i < threads; i++)
        printf("%-4s %u of %u threads, stacks of %u: stop, start %6.1f ns; call %6.1f ns; block,"
               " wake, start %6.1f ns; region %6.1f ns\n",
               is_on ? "on" : "off", i + 1, threads, depth, workers[i].yields, workers[i].calls,
               workers[i].blocks, workers[i].regions);
    if (is_on)
        printf("%21.2f bytes an event\n", (double) bytes / ((double) threads * ROUNDS * 9));
    gt_recorder_close(&recorder);
}

/* A thread that records all the time, and its longest call. */
struct busy {
    gt_recorder *recorder;
    atomic_bool is_over;
    _Atomic double longest;
    _Atomic uint64_t calls;
};

static void *busy_run(void *argument)
{
    struct busy *busy = argument;
    gt_rec_go *go;
    gt_rec_thread *thread = run_goroutine(busy->recorder, 0, &go);
    double before = now(CLOCK_MONOTONIC);
    while (!busy->is_over) {
        gt_rec_region_begin(thread, 0, GT_REC_SYNC);
        gt_rec_region_end(thread);
        double after = now(CLOCK_MONOTONIC);
        if (after - before > busy->longest)
            busy->longest = after - before;
        before = after;
        busy->calls++;
    }
    gt_rec_thread_detach(&thread);
    return NULL;
}

static double least(double a, double b)
{
    return a < b ? a : b;
}

/* The CPU time of the end of a generation in which none of so many goroutines did anything. */
static void bench_generation(void)
{
    gt_recorder_options options = GT_RECORDER_OPTIONS_INIT;
    struct busy busy = {NULL, false, 0, 0};
    pthread_t pthread;
    double cost = 1e18, hold = 1e18;
    uint64_t bytes = 0;
    options.flags = GT_RECORDER_NO_THREAD;
    must(gt_recorder_open(&busy.recorder, &options, NULL));
    for (unsigned i = 0; i < GOROUTINES; i++) {
        gt_rec_go *go;
        must(gt_rec_go_adopt(busy.recorder, GT_REC_SYNC, GT_REC_BLOCKED, &go));
    }
    must(gt_recorder_start(busy.recorder, count_bytes, &bytes, NULL));
    if (pthread_create(&pthread, NULL, busy_run, &busy) != 0)
        exit(1);
    for (unsigned i = 0; i < ADVANCES; i++) {
        struct timespec rest = {0, 2000000};
        nanosleep(&rest, NULL);
        busy.longest = 0;
        uint64_t calls = busy.calls;
        double begin = now(CLOCK_THREAD_CPUTIME_ID);
        must(gt_recorder_advance(busy.recorder));
        cost = least(cost, now(CLOCK_THREAD_CPUTIME_ID) - begin);
        /* The system may have let the other thread wait all the time. */
        if (busy.calls - calls > 100)
            hold = least(hold, busy.longest);
    }
    busy.is_over = true;
    pthread_join(pthread, NULL);
    must(gt_recorder_stop(busy.recorder, NULL));
    gt_recorder_close(&busy.recorder);
    printf(
        "generation with %d goroutines: %.0f us of the thread that ends it; meanwhile two calls of"
        " another thread take at most %.1f us (the least of %d)\n",
        GOROUTINES, cost / 1e3, hold / 1e3, ADVANCES);
}

int main(void)
{
    double clock;
    struct timespec time;
    MEASURE(clock, 1, clock_gettime(CLOCK_MONOTONIC, &time););
    printf("clock_gettime %6.1f ns\n", clock);
    bench(false, 1, 0, 0);
    bench(true, 1, 0, 0);
    bench(true, 2, 0, 0);
    bench(true, 1, FRAMES, 0);
    printf("with the counter of the processor\n");
    bench(true, 1, 0, GT_RECORDER_TSC);
    bench(true, 2, 0, GT_RECORDER_TSC);
    bench(true, 1, FRAMES, GT_RECORDER_TSC);
    bench_generation();
    return 0;
}
