/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * bench_wasm WORK ROUNDS FILE: does some work on a trace ROUNDS times, and prints how much there
 * was of it. It is built for the machine and for WebAssembly, so that wasm.py can compare both: the
 * file is read by the same calls, and only `mapped` lets the library choose how to read it.
 */

#include <fcntl.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <gotrace/gotrace.h>
#include <gotrace/web.h>

enum {
    /* As many as the module of the package for JavaScript holds. */
    ARRAY_EVENTS = 4096,
    STEP_NS = 20000000
};

/* Members of events as arrays, as the package for JavaScript has them. */
static struct {
    double time[ARRAY_EVENTS];
    double thread[ARRAY_EVENTS];
    double proc[ARRAY_EVENTS];
    double goroutine[ARRAY_EVENTS];
    uint8_t kind[ARRAY_EVENTS];
} arrays;

static const char *path;

static void must(gt_status status, const char *what)
{
    if (status == GT_OK || status == GT_END)
        return;
    fprintf(stderr, "bench_wasm: %s: %s\n", what, gt_status_text(status));
    exit(1);
}

static int file_open(void)
{
    int fd = open(path, O_RDONLY);
    if (fd < 0) {
        perror(path);
        exit(1);
    }
    return fd;
}

/* Reads all events, and passes them to `take` in lists. Returns their number. */
static uint64_t events_read(gt_reader *reader,
                            void (*take)(gt_reader *reader, void *user_data, const gt_event *event,
                                         size_t at),
                            void *user_data)
{
    const gt_event *const *events = NULL;
    size_t count = 0;
    uint64_t total = 0;
    gt_status status;
    while ((status = gt_reader_next_events(reader, &events, &count)) == GT_OK) {
        for (size_t i = 0; i < count; i++)
            take(reader, user_data, events[i], i % ARRAY_EVENTS);
        total += count;
    }
    must(status, "read");
    return total;
}

/* What is known of all events is stored, as it would be for JavaScript. */
static void event_store(gt_reader *reader, void *user_data, const gt_event *event, size_t at)
{
    (void) reader;
    (void) user_data;
    arrays.kind[at] = (uint8_t) event->kind;
    arrays.time[at] = (double) event->time;
    arrays.thread[at] = (double) event->thread;
    arrays.proc[at] = (double) event->proc;
    arrays.goroutine[at] = (double) event->goroutine;
}

static void event_summarise(gt_reader *reader, void *user_data, const gt_event *event, size_t at)
{
    (void) at;
    must(gt_summary_event(user_data, reader, event), "summary");
}

static uint64_t work_mapped(void)
{
    gt_reader *reader = NULL;
    must(gt_reader_open_file(&reader, path, NULL, NULL), "open");
    uint64_t total = events_read(reader, event_store, NULL);
    gt_reader_close(&reader);
    return total;
}

static uint64_t work_events(void)
{
    gt_reader *reader = NULL;
    int fd = file_open();
    must(gt_reader_open_fd(&reader, fd, NULL, NULL), "open");
    uint64_t total = events_read(reader, event_store, NULL);
    gt_reader_close(&reader);
    close(fd);
    return total;
}

/* Keeps the summaries of all goroutines until the end, and returns their number. */
static uint64_t work_summary(void)
{
    gt_reader *reader = NULL;
    gt_summary *summary = NULL;
    size_t count = 0;
    int fd = file_open();
    must(gt_reader_open_fd(&reader, fd, NULL, NULL), "open");
    must(gt_summary_open(&summary, NULL, NULL), "summary");
    events_read(reader, event_summarise, summary);
    must(gt_summary_finish(summary), "finish");
    gt_summary_goroutines(summary, &count);
    gt_summary_close(&summary);
    gt_reader_close(&reader);
    close(fd);
    return count;
}

/* The viewer opens the trace more than once, and each reader needs a position of its own. */
static gt_status trace_open(void *user_data, const gt_reader_options *options, gt_reader **reader,
                            gt_error *error)
{
    (void) user_data;
    return gt_reader_open_fd(reader, file_open(), options, error);
}

/* Loads the trace as the page does, in one thread. Returns how many events it has. */
static uint64_t work_page(void)
{
    gt_web *web = NULL;
    gt_web_options options = GT_WEB_OPTIONS_INIT;
    gt_web_progress progress = GT_WEB_PROGRESS_INIT;
    options.flags = GT_WEB_NO_THREADS;
    must(gt_web_open_callback(&web, trace_open, NULL, 0, &options, NULL), "open");
    while (gt_web_step(web, STEP_NS) == GT_OK)
        continue;
    must(gt_web_get_progress(web, &progress), "progress");
    must((gt_status) progress.status, "load");
    gt_web_close(&web);
    return progress.events;
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        uint64_t (*work)(void);
    } works[] = {
        {"mapped", work_mapped},
        {"events", work_events},
        {"summary", work_summary},
        {"page", work_page},
    };

    uint64_t found = 0;
    if (argc != 4)
        return 2;
    path = argv[3];
    for (size_t i = 0; i < sizeof(works) / sizeof(works[0]); i++) {
        for (long left = strtol(argv[2], NULL, 10); left > 0 && !strcmp(works[i].name, argv[1]);
             left--)
            found = works[i].work();
    }
    printf("%" PRIu64 "\n", found);
    return 0;
}
