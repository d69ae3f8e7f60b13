/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * The programs of testdata/twins/main.go on the scheduler of fibers.c: programs NAME TRACE. Their
 * traces say the same as those of Go.
 *
 *     cc programs.c fibers.c $(pkg-config --cflags --libs gotrace-recorder) -pthread -o programs
 *     ./programs convoy convoy.trace && gotrace why convoy.trace
 */

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "fibers.h"

enum {
    ITEMS = 10
};

static void nap(void)
{
    fibers_sleep(2);
}

static struct channel numbers, squares, done;

static void producer(void *argument)
{
    (void) argument;
    for (int i = 0; i < ITEMS; i++) {
        nap();
        channel_send(&numbers, i);
    }
    nap();
    channel_close(&numbers);
}

static void square(void *argument)
{
    long value;
    (void) argument;
    while (channel_receive(&numbers, &value))
        channel_send(&squares, value * value);
    channel_close(&squares);
}

static void sink(void *argument)
{
    long sum = 0, value;
    (void) argument;
    while (channel_receive(&squares, &value))
        sum += value;
    channel_send(&done, sum);
}

static void pipeline(void *argument)
{
    long sum;
    fibers_go("main.producer", producer, argument);
    fibers_go("main.square", square, argument);
    fibers_go("main.sink", sink, argument);
    if (!channel_receive(&done, &sum) || sum != 285)
        fprintf(stderr, "a wrong sum\n");
}

static struct fiber_mutex mutex;
static struct fiber_group group;

static void worker(void *argument)
{
    (void) argument;
    fiber_lock(&mutex);
    fiber_unlock(&mutex);
    nap();
    group_done(&group);
}

static void convoy(void *argument)
{
    fiber_lock(&mutex);
    for (int i = 0; i < 4; i++) {
        group_add(&group, 1);
        fibers_go("main.worker", worker, argument);
    }
    nap();
    fiber_unlock(&mutex);
    group_wait(&group);
}

static void job(void *argument)
{
    (void) argument;
    gt_rec_region_begin(fibers_thread(), 0, fibers_text("work"));
    nap();
    group_done(&group);
    gt_rec_region_end(fibers_thread());
}

static void fan(void *argument)
{
    for (int i = 0; i < 12; i++) {
        group_add(&group, 1);
        fibers_go("main.job", job, argument);
    }
    group_wait(&group);
}

/* A request, and the group of its queries. */
struct request {
    uint64_t task;
    struct fiber_group queries;
};

static void query(void *argument)
{
    struct request *request = argument;
    uint64_t task;
    gt_rec_task_begin(fibers_thread(), request->task, fibers_text("query"), &task);
    gt_rec_region_begin(fibers_thread(), task, fibers_text("database"));
    nap();
    gt_rec_region_end(fibers_thread());
    gt_rec_log(fibers_thread(), task, fibers_text("rows"), "3", 1);
    gt_rec_task_end(fibers_thread(), task);
    group_done(&request->queries);
}

static void serve(void *argument)
{
    struct request request = {0, {{NULL, NULL}, 0}};
    (void) argument;
    gt_rec_task_begin(fibers_thread(), 0, fibers_text("request"), &request.task);
    gt_rec_region_begin(fibers_thread(), request.task, fibers_text("handle"));
    for (int i = 0; i < 2; i++) {
        group_add(&request.queries, 1);
        fibers_go("main.query", query, &request);
    }
    group_wait(&request.queries);
    gt_rec_region_end(fibers_thread());
    gt_rec_task_end(fibers_thread(), request.task);
    group_done(&group);
}

static void tree(void *argument)
{
    for (int i = 0; i < 3; i++) {
        group_add(&group, 1);
        fibers_go("main.request", serve, argument);
    }
    group_wait(&group);
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*run)(void *argument);
    } programs[] = {{"pipeline", pipeline}, {"convoy", convoy}, {"fan", fan}, {"tree", tree}};

    gt_recorder *recorder;
    size_t program = 0, count = sizeof(programs) / sizeof(programs[0]);
    while (program < count && argc == 3 && strcmp(argv[1], programs[program].name) != 0)
        program++;
    int fd = argc == 3 ? open(argv[2], O_CREAT | O_TRUNC | O_WRONLY, 0666) : -1;
    if (program == count || fd < 0) {
        fprintf(stderr, "usage: programs pipeline|convoy|fan|tree TRACE\n");
        return 2;
    }
    if (gt_recorder_open(&recorder, NULL, NULL) != GT_OK ||
        gt_recorder_start_fd(recorder, fd, NULL) != GT_OK)
        return 1;
    fibers_run(recorder, 2, programs[program].run);
    gt_status status = gt_recorder_stop(recorder, NULL);
    gt_recorder_close(&recorder);
    return close(fd) != 0 || status != GT_OK;
}
