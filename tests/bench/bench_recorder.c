/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * bench_recorder: what an event costs, in nanoseconds of the thread that records it, while nothing
 * is recorded and while it is; and how many bytes it has in the trace. Beside it the clock, which
 * is read once for each call.
 */

#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <gotrace/recorder.h>

enum {
    ROUNDS = 2000000,
    THREADS_MOST = 2
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
    double yields, calls, blocks;
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

static void *worker_run(void *argument)
{
    struct worker *w = argument;
    gt_rec_thread *thread;
    gt_rec_proc *proc;
    gt_rec_go *go;
    must(gt_rec_thread_attach(w->recorder, &thread));
    must(gt_rec_proc_create(w->recorder, w->id, &proc));
    must(gt_rec_proc_start(thread, proc));
    must(gt_rec_go_create(thread, 0, 0, &go));
    must(gt_rec_go_start(thread, go));
    MEASURE(w->yields, 2, gt_rec_go_stop(thread, GT_REC_YIELD); gt_rec_go_start(thread, go););
    MEASURE(w->calls, 2, gt_rec_syscall_begin(thread); gt_rec_syscall_end(thread););
    MEASURE(w->blocks, 3, gt_rec_go_block(thread, GT_REC_SYNC); gt_rec_go_unblock(thread, go);
            gt_rec_go_start(thread, go););
    gt_rec_thread_detach(&thread);
    return NULL;
}

/* `depth` is how many frames stacks may have; 0: events have none. */
static void bench(bool is_on, unsigned threads, unsigned depth)
{
    gt_recorder_options options = GT_RECORDER_OPTIONS_INIT;
    struct worker workers[THREADS_MOST];
    gt_recorder *recorder;
    uint64_t bytes = 0;
    options.period = 20000000;
    options.memory_limit = UINT64_C(2) << 30;
    options.stack_depth = depth;
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
               " wake, start %6.1f ns\n",
               is_on ? "on" : "off", i + 1, threads, depth, workers[i].yields, workers[i].calls,
               workers[i].blocks);
    if (is_on)
        printf("%21.2f bytes an event\n", (double) bytes / ((double) threads * ROUNDS * 7));
    gt_recorder_close(&recorder);
}

int main(void)
{
    double clock;
    struct timespec time;
    MEASURE(clock, 1, clock_gettime(CLOCK_MONOTONIC, &time););
    printf("clock_gettime %6.1f ns\n", clock);
    bench(false, 1, 0);
    bench(true, 1, 0);
    bench(true, 2, 0);
    bench(true, 1, 8);
    return 0;
}
