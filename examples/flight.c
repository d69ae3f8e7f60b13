/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Keeps the last moments of a program in memory, and writes them when a request was slow: flight
 * TRACE. Each request is a goroutine. The slow one holds a lock, for which the next ones wait, and
 * the trace shows who that was.
 *
 *     cc flight.c $(pkg-config --cflags --libs gotrace-recorder) -pthread -o flight
 *     ./flight slow.trace && gotrace why slow.trace
 */

#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include <gotrace/recorder.h>

enum {
    THREADS = 2,
    REQUESTS = 200,
    SLOW_REQUEST = 150,
    SLOW_MS = 30
};

static gt_recorder *recorder;
static gt_rec_text request_name;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int next_request;
static const char *trace;

static void must(const char *what, gt_status status)
{
    if (status < 0) {
        fprintf(stderr, "%s: %s\n", what, gt_status_text(status));
        exit(1);
    }
}

static double now_ms(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double) time.tv_sec * 1e3 + (double) time.tv_nsec / 1e6;
}

static void work(double milliseconds)
{
    double end = now_ms() + milliseconds;
    while (now_ms() < end) {
    }
}

/* Writes what happened before, while other threads go on. */
static void write_window(int number)
{
    gt_error error = GT_ERROR_INIT;
    int fd = open(trace, O_WRONLY | O_CREAT | O_TRUNC, 0644);
    if (fd < 0) {
        perror(trace);
        exit(1);
    }
    gt_status status = gt_recorder_window_write_fd(recorder, fd, &error);
    must(error.message, status);
    close(fd);
    printf("request %d was slow, see %s\n", number, trace);
}

/* A goroutine that waits for the lock says so. */
static void handle(gt_rec_thread *thread, gt_rec_go *go, int number)
{
    if (pthread_mutex_trylock(&lock) != 0) {
        must("block", gt_rec_go_block(thread, GT_REC_SYNC));
        pthread_mutex_lock(&lock);
        must("unblock", gt_rec_go_unblock(thread, go));
        must("start", gt_rec_go_start(thread, go));
    }
    work(number == SLOW_REQUEST ? SLOW_MS : 0.02);
    pthread_mutex_unlock(&lock);
    work(0.02);
}

static int take_request(void)
{
    static pthread_mutex_t requests = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&requests);
    int number = next_request++;
    pthread_mutex_unlock(&requests);
    return number;
}

static void *serve(void *argument)
{
    gt_rec_thread *thread;
    gt_rec_proc *proc;
    must("attach", gt_rec_thread_attach(recorder, &thread));
    must("proc", gt_rec_proc_create(recorder, *(const uint64_t *) argument, &proc));
    must("start", gt_rec_proc_start(thread, proc));
    for (int number; (number = take_request()) < REQUESTS;) {
        gt_rec_go *go;
        double begin = now_ms();
        must("create", gt_rec_go_create(thread, request_name, 0, &go));
        must("start", gt_rec_go_start(thread, go));
        handle(thread, go, number);
        must("end", gt_rec_go_end(thread));
        must("release", gt_rec_go_release(&go));
        /* Of the requests that wait for it one would do as well. */
        if (number == SLOW_REQUEST && now_ms() - begin >= SLOW_MS)
            write_window(number);
    }
    gt_rec_thread_detach(&thread);
    return NULL;
}

int main(int argc, char **argv)
{
    gt_recorder_window_options options = GT_RECORDER_WINDOW_OPTIONS_INIT;
    uint64_t ids[THREADS];
    pthread_t threads[THREADS];
    if (argc != 2) {
        fputs("usage: flight TRACE\n", stderr);
        return 1;
    }
    trace = argv[1];
    options.min_age = 200 * 1000000;
    must("open", gt_recorder_open(&recorder, NULL, NULL));
    must("text", gt_recorder_text(recorder, "flight.request", 14, &request_name));
    must("window", gt_recorder_window_start(recorder, &options, NULL));
    for (uint64_t i = 0; i < THREADS; i++) {
        ids[i] = i;
        if (pthread_create(&threads[i], NULL, serve, &ids[i]) != 0)
            must("thread", GT_ERR_NO_MEMORY);
    }
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    gt_recorder_close(&recorder);
    return 0;
}
