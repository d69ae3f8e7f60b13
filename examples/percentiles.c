/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Prints percentiles of how long goroutines wait to be scheduled, while the trace still comes
 * through a socket, in an amount of memory that does not grow with the trace.
 *
 *     percentiles <FILE
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <gotrace/gotrace.h>

/* Another process, in place of the program that is traced: it copies stdin to the socket. */
static pid_t start_sender(int ends[2])
{
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0)
        return -1;
    pid_t child = fork();
    if (child == 0) {
        char buffer[4096];
        ssize_t size;
        close(ends[0]);
        while ((size = read(STDIN_FILENO, buffer, sizeof(buffer))) > 0 &&
               write(ends[1], buffer, (size_t) size) == size) {
        }
        _exit(size != 0);
    }
    close(ends[1]);
    return child;
}

static void print_percentiles(gt_latency *latency, const char *when)
{
    gt_latency_series series = GT_LATENCY_SERIES_INIT;
    int64_t half = 0, most = 0;
    if (gt_latency_snapshot(latency) != GT_OK ||
        gt_latency_get_series(latency, 0, &series) != GT_OK || series.kind != GT_LATENCY_SCHED)
        return;
    gt_latency_quantile(latency, 0, 0.5, &half);
    gt_latency_quantile(latency, 0, 0.99, &most);
    printf("%s: %" PRIu64 " waits, p50 %" PRId64 " ns, p99 %" PRId64 " ns\n", when, series.count,
           half, most);
}

int main(void)
{
    int ends[2];
    gt_reader *reader = NULL;
    gt_latency *latency = NULL;
    gt_latency_options options = GT_LATENCY_OPTIONS_INIT;
    options.series = 8; /* what grows with the program that is traced is bounded */
    options.pairs = 0;
    gt_error error = GT_ERROR_INIT;
    char text[GT_ERROR_TEXT_SIZE];
    pid_t child = start_sender(ends);
    if (child < 0)
        return 1;
    gt_status status = gt_latency_open(&latency, &options, &error);
    if (status == GT_OK)
        status = gt_reader_open_fd(&reader, ends[0], NULL, &error);
    const gt_event *event;
    while (status == GT_OK && (status = gt_reader_next_event(reader, &event)) == GT_OK) {
        status = gt_latency_event(latency, reader, event);
        if (event->kind == GT_EVENT_SYNC)
            print_percentiles(latency, "so far");
    }
    print_percentiles(latency, "in all");
    gt_reader_error(reader, &error); /* does nothing if there is no reader */
    if (gt_error_format(&error, text, sizeof(text)) > 0)
        fprintf(stderr, "percentiles: %s\n", text);
    gt_latency_close(&latency);
    gt_reader_close(&reader);
    close(ends[0]);
    waitpid(child, NULL, 0);
    return status == GT_END ? 0 : 1;
}
