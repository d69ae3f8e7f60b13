/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * stream FILE: prints running percentiles of how long goroutines wait for a proc, of a trace
 * that comes through a socket, from a child process. Memory does not grow with the stream.
 */
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <sys/socket.h>
#include <unistd.h>

#include <gotrace/gotrace.h>

static int send_file(const char *path, int to)
{
    char piece[500];
    ssize_t size;
    int from = open(path, O_RDONLY);
    while ((size = read(from, piece, sizeof(piece))) > 0)
        size = send(to, piece, (size_t) size, MSG_NOSIGNAL);
    return size == 0 ? 0 : 1;
}

/* The first series is that of all waits for a proc, if there was any. */
static void print_percentiles(gt_latency *latency, int64_t time)
{
    gt_latency_series all = GT_LATENCY_SERIES_INIT;
    int64_t median, p99;
    if (gt_latency_snapshot(latency) != GT_OK || gt_latency_get_series(latency, 0, &all) != GT_OK ||
        all.kind != GT_LATENCY_SCHED)
        return;
    gt_latency_quantile(latency, 0, 0.5, &median);
    gt_latency_quantile(latency, 0, 0.99, &p99);
    printf("at %" PRId64 " ms: %" PRIu64 " waits, median %" PRId64 " ns, 99%% %" PRId64 " ns\n",
           time / 1000000, all.count, median, p99);
}

/* Takes events until the stream ends. A Sync comes about once a second. */
static gt_status measure(gt_reader *reader, gt_latency *latency, int socket)
{
    const gt_event *event;
    gt_status status, taken = GT_OK;
    while (taken == GT_OK && (status = gt_reader_next_event(reader, &event)) >= GT_OK) {
        if (status == GT_END)
            return GT_OK;
        if (status == GT_OK)
            taken = gt_latency_event(latency, reader, event);
        else
            poll(&(struct pollfd){socket, POLLIN, 0}, 1, -1);
        if (status == GT_OK && event->kind == GT_EVENT_SYNC)
            print_percentiles(latency, event->time);
    }
    return taken == GT_OK ? status : taken;
}

int main(int argc, char **argv)
{
    int sockets[2];
    gt_reader *reader = NULL;
    gt_latency *latency = NULL;
    gt_latency_options options = GT_LATENCY_OPTIONS_INIT;
    options.pairs = 0;
    if (argc != 2 || socketpair(AF_UNIX, SOCK_STREAM, 0, sockets) != 0)
        return 2;
    if (fork() == 0)
        return send_file(argv[1], sockets[1]);
    close(sockets[1]);
    fcntl(sockets[0], F_SETFL, O_NONBLOCK);
    gt_status status = gt_latency_open(&latency, &options);
    if (status == GT_OK)
        status = gt_reader_open_fd(&reader, sockets[0], NULL, NULL);
    if (status == GT_OK)
        status = measure(reader, latency, sockets[0]);
    if (status != GT_OK)
        fprintf(stderr, "stream: %s\n", gt_status_text(status));
    gt_latency_close(&latency);
    gt_reader_close(&reader);
    return status == GT_OK ? 0 : 1;
}
