/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Fibers that record themselves: fibers TRACE. Two of them add numbers, and yield to each other.
 *
 *     cc fibers.c $(pkg-config --cflags --libs gotrace-recorder) -pthread -o fibers
 *     ./fibers fibers.trace && gotrace view fibers.trace
 */

#define _XOPEN_SOURCE 700 /* for ucontext.h */

#include <fcntl.h>
#include <gotrace/recorder.h>
#include <stdio.h>
#include <ucontext.h>
#include <unistd.h>

enum {
    FIBERS = 2,
    ROUNDS = 5
};

static gt_rec_thread *thread;
static gt_rec_text add;
static ucontext_t scheduler;

static struct fiber {
    ucontext_t context;
    gt_rec_go *go;
    int rounds_left;
    char stack[64 << 10];
} fibers[FIBERS];

static void fiber_run(int number)
{
    struct fiber *self = &fibers[number];
    for (volatile int sum = 0; self->rounds_left > 0; self->rounds_left--) {
        gt_rec_region_begin(thread, 0, add);
        while (++sum % 100000 != 0)
            continue;
        gt_rec_region_end(thread);
        gt_rec_go_stop(thread, GT_REC_YIELD);
        swapcontext(&self->context, &scheduler);
    }
    gt_rec_go_end(thread);
    setcontext(&scheduler);
}

int main(int argc, char **argv)
{
    gt_recorder *recorder;
    gt_rec_proc *proc;
    int fd = argc == 2 ? open(argv[1], O_CREAT | O_TRUNC | O_WRONLY, 0666) : -1;
    if (fd < 0 || gt_recorder_open(&recorder, NULL, NULL) != GT_OK ||
        gt_recorder_start_fd(recorder, fd, NULL) != GT_OK ||
        gt_recorder_text(recorder, "add", 3, &add) != GT_OK ||
        gt_rec_thread_attach(recorder, &thread) != GT_OK ||
        gt_rec_proc_create(recorder, 0, &proc) != GT_OK ||
        gt_rec_proc_start(thread, proc) != GT_OK) {
        fprintf(stderr, "usage: fibers TRACE, a file that can be written\n");
        return 2;
    }
    for (int i = 0; i < FIBERS; i++) {
        struct fiber *fiber = &fibers[i];
        fiber->rounds_left = ROUNDS;
        getcontext(&fiber->context);
        fiber->context.uc_stack.ss_sp = fiber->stack;
        fiber->context.uc_stack.ss_size = sizeof(fiber->stack);
        makecontext(&fiber->context, (void (*)(void)) fiber_run, 1, i);
        gt_rec_go_create(thread, add, 0, &fiber->go);
    }
    for (int i = 0; i < FIBERS * (ROUNDS + 1); i++) {
        gt_rec_go_start(thread, fibers[i % FIBERS].go);
        swapcontext(&scheduler, &fibers[i % FIBERS].context);
    }
    gt_rec_thread_detach(&thread);
    gt_status status = gt_recorder_stop(recorder, NULL);
    gt_recorder_close(&recorder);
    return close(fd) != 0 || status != GT_OK;
}
