/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reads a trace with four readers in four threads, each with a limit on its memory. The thread that
 * is the first to have read COUNT events cancels all readers, as does Ctrl-C.
 *
 *     threads FILE LIMIT COUNT
 */
#include <inttypes.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

#include <gotrace/gotrace.h>

#define THREADS 4

struct job {
    gt_reader *reader;
    uint64_t wanted;
    uint64_t events;
    gt_status status;
};

/* They are opened before the threads start and closed after those have ended. */
static struct job jobs[THREADS];

/* Any thread may call this, and so may a signal handler. */
static void cancel_all(int signal)
{
    (void) signal;
    for (int i = 0; i < THREADS; i++)
        gt_reader_cancel(jobs[i].reader);
}

static void *run_job(void *data)
{
    struct job *job = data;
    const gt_event *event;
    while ((job->status = gt_reader_next_event(job->reader, &event)) == GT_OK) {
        if (++job->events == job->wanted)
            cancel_all(0);
    }
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t threads[THREADS];
    gt_reader_options options = GT_READER_OPTIONS_INIT;
    int code = argc == 4 ? 0 : 2;
    options.memory_limit = argc == 4 ? strtoull(argv[2], NULL, 10) : 0;
    for (int i = 0; i < THREADS && code == 0; i++) {
        gt_error error = GT_ERROR_INIT;
        jobs[i].wanted = strtoull(argv[3], NULL, 10);
        if (gt_reader_open_file(&jobs[i].reader, argv[1], &options, &error) != GT_OK) {
            fprintf(stderr, "%s: %s\n", argv[1], error.message);
            code = 1;
        }
    }
    struct sigaction action = {.sa_handler = cancel_all};
    sigaction(SIGINT, &action, NULL);

    int started = 0;
    while (code == 0 && started < THREADS &&
           pthread_create(&threads[started], NULL, run_job, &jobs[started]) == 0)
        started++;
    for (int i = 0; i < started; i++) {
        gt_error error = GT_ERROR_INIT;
        char text[GT_ERROR_TEXT_SIZE] = "end of the trace";
        pthread_join(threads[i], NULL);
        if (jobs[i].status != GT_END && gt_reader_error(jobs[i].reader, &error) == GT_OK)
            gt_error_format(&error, text, sizeof(text));
        printf("%s after %" PRIu64 " events\n", text, jobs[i].events);
    }
    signal(SIGINT, SIG_DFL);
    for (int i = 0; i < THREADS; i++)
        gt_reader_close(&jobs[i].reader);
    return started == THREADS ? 0 : code ? code : 1;
}
