/* SPDX-License-Identifier: BSD-3-Clause */
#include "bench_modes.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <gotrace/gotrace.h>

#include "bench_floor.h"
#include "bench_getters.h"

#define PIPE_CHUNK  (64 * 1024)
#define FLOOR_CHUNK ((size_t) 1 << 20)

static void fail(struct bench_run *run, const char *what)
{
    snprintf(run->message, sizeof(run->message), "%s", what);
}

static void finish(gt_reader *reader, gt_status status, struct bench_run *run)
{
    gt_reader_info info = GT_READER_INFO_INIT;
    gt_error error = GT_ERROR_INIT;

    gt_reader_get_info(reader, &info);
    run->memory_peak = info.memory_peak;
    if (status != GT_END) {
        gt_reader_error(reader, &error);
        fail(run, error.message);
    }
    gt_reader_close(&reader);
}

/* What every reader of events does at least: looks at each one's kind and time. */
static void read_events(gt_reader *reader, struct bench_run *run)
{
    const gt_event *event;
    uint64_t events = 0, sum = 0;
    gt_status status;

    while ((status = gt_reader_next_event(reader, &event)) == GT_OK) {
        events++;
        sum += (uint64_t) event->time + event->kind;
    }
    run->events = events;
    run->sum = sum;
    finish(reader, status, run);
}

/* The same, many events with each call. */
static void read_batches(gt_reader *reader, struct bench_run *run)
{
    const gt_event *const *batch;
    uint64_t events = 0, sum = 0;
    size_t count;
    gt_status status;

    while ((status = gt_reader_next_events(reader, &batch, &count)) == GT_OK) {
        events += count;
        for (size_t i = 0; i < count; i++)
            sum += (uint64_t) batch[i]->time + batch[i]->kind;
    }
    run->events = events;
    run->sum = sum;
    finish(reader, status, run);
}

static void visit_events(gt_reader *reader, struct bench_run *run)
{
    const gt_event *event;
    gt_status status;

    while ((status = gt_reader_next_event(reader, &event)) == GT_OK) {
        run->events++;
        run->sum += bench_visit(reader, event);
    }
    finish(reader, status, run);
}

static gt_reader *open_with(const char *path, uint64_t flags, unsigned workers,
                            struct bench_run *run)
{
    gt_reader_options options = GT_READER_OPTIONS_INIT;
    gt_error error = GT_ERROR_INIT;
    gt_reader *reader;

    options.flags = flags;
    options.workers = workers;
    if (gt_reader_open_file(&reader, path, &options, &error) != GT_OK)
        fail(run, error.message);
    return reader;
}

static gt_reader *open_file(const char *path, uint64_t flags, struct bench_run *run)
{
    return open_with(path, flags, 0, run);
}

static void read_with_workers(const char *path, unsigned workers, struct bench_run *run)
{
    gt_reader *reader = open_with(path, 0, workers, run);

    if (reader)
        read_events(reader, run);
}

static void run_1_worker(const char *path, struct bench_run *run)
{
    read_with_workers(path, 1, run);
}

static void run_2_workers(const char *path, struct bench_run *run)
{
    read_with_workers(path, 2, run);
}

static void run_4_workers(const char *path, struct bench_run *run)
{
    read_with_workers(path, 4, run);
}

static void run_8_workers(const char *path, struct bench_run *run)
{
    read_with_workers(path, 8, run);
}

static void run_events(const char *path, struct bench_run *run)
{
    gt_reader *reader = open_file(path, 0, run);

    if (reader)
        read_events(reader, run);
}

static void run_batch(const char *path, struct bench_run *run)
{
    gt_reader *reader = open_file(path, 0, run);

    if (reader)
        read_batches(reader, run);
}

static void run_getters(const char *path, struct bench_run *run)
{
    gt_reader *reader = open_file(path, 0, run);

    if (reader)
        visit_events(reader, run);
}

static void run_ahead(const char *path, struct bench_run *run)
{
    gt_reader *reader = open_file(path, GT_READER_AHEAD, run);

    if (reader)
        read_events(reader, run);
}

static void run_ahead_getters(const char *path, struct bench_run *run)
{
    gt_reader *reader = open_file(path, GT_READER_AHEAD, run);

    if (reader)
        visit_events(reader, run);
}

/*
 * Reads the file to memory that is kept from round to round. A mapping would not be the least: what
 * its pages cost is up to the system, and a reader can do without.
 */
static bool read_whole(const char *path, uint8_t **data, size_t *size)
{
    static uint8_t *kept;
    int fd = open(path, O_RDONLY);
    struct stat status;
    ssize_t got = 1;
    size_t done = 0;

    if (fd < 0)
        return false;
    *size = fstat(fd, &status) == 0 ? (size_t) status.st_size : 0;
    if (!kept)
        kept = malloc(*size + 1);
    while (kept && done < *size && got > 0) {
        got = pread(fd, kept + done, *size - done < FLOOR_CHUNK ? *size - done : FLOOR_CHUNK,
                    (off_t) done);
        done += got > 0 ? (size_t) got : 0;
    }
    close(fd);
    *data = kept;
    return kept && done == *size;
}

static void run_floor(const char *path, struct bench_run *run)
{
    struct floor_result result;
    uint8_t *data;
    size_t size = 0;

    if (!read_whole(path, &data, &size)) {
        fail(run, "the file cannot be read");
        return;
    }
    if (!floor_scan(data, size, &result))
        fail(run, "the trace is damaged");
    run->events = result.events;
    run->sum = result.sum;
}

/* The process at the other end of the pipe. */
static void feed_pipe(const char *path, int out)
{
    static char chunk[PIPE_CHUNK];
    int in = open(path, O_RDONLY);
    ssize_t got, put, done;

    while (in >= 0 && (got = read(in, chunk, sizeof(chunk))) > 0)
        for (done = 0; done < got; done += put)
            if ((put = write(out, chunk + done, (size_t) (got - done))) < 0)
                _exit(1);
    _exit(0);
}

static void run_pipe(const char *path, struct bench_run *run)
{
    gt_error error = GT_ERROR_INIT;
    gt_reader *reader;
    int ends[2];
    pid_t child;

    if (pipe(ends) != 0 || (child = fork()) < 0) {
        fail(run, strerror(errno));
        return;
    }
    if (child == 0) {
        close(ends[0]);
        feed_pipe(path, ends[1]);
    }
    close(ends[1]);
    if (gt_reader_open_fd(&reader, ends[0], NULL, &error) == GT_OK)
        read_events(reader, run);
    else
        fail(run, error.message);
    close(ends[0]);
    waitpid(child, NULL, 0);
}

/* What every reader of records does at least: looks at each one's type and arguments. */
static void read_records(gt_raw_reader *reader, struct bench_run *run)
{
    gt_raw_info info = GT_RAW_INFO_INIT;
    gt_error error = GT_ERROR_INIT;
    const gt_raw_event *event;
    uint64_t records = 0, sum = 0;
    gt_status status;

    while ((status = gt_raw_reader_next_event(reader, &event)) == GT_OK) {
        records++;
        sum += event->type + (event->argument_count > 0 ? event->arguments[0] : 0);
    }
    gt_raw_reader_get_info(reader, &info);
    run->events = records;
    run->sum = sum;
    run->memory_peak = info.memory_peak;
    if (status != GT_END) {
        gt_raw_reader_error(reader, &error);
        fail(run, error.message);
    }
}

static void run_raw(const char *path, struct bench_run *run)
{
    gt_error error = GT_ERROR_INIT;
    gt_raw_reader *reader;

    if (gt_raw_reader_open_file(&reader, path, NULL, &error) == GT_OK)
        read_records(reader, run);
    else
        fail(run, error.message);
    gt_raw_reader_close(&reader);
}

const struct bench_mode bench_modes[BENCH_MODES] = {
    {"floor", "all numbers decoded, no order", run_floor},
    {"events", "gt_reader_next_event, mapped file", run_events},
    {"batch", "gt_reader_next_events, the same", run_batch},
    {"getters", "events, all getters and stacks", run_getters},
    {"events2", "events, read ahead in a 2nd thread", run_ahead},
    {"getters2", "getters, the same way", run_ahead_getters},
    {"worker1", "events, 1 worker", run_1_worker},
    {"worker2", "events, 2 workers", run_2_workers},
    {"worker4", "events, 4 workers", run_4_workers},
    {"worker8", "events, 8 workers", run_8_workers},
    {"pipe", "gt_reader_next_event, from a pipe", run_pipe},
    {"raw", "gt_raw_reader_next_event, mapped", run_raw},
};
