/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Follows a trace that another program is still writing, like tail -f: prints the messages of
 * trace.Log as their generations are completed.
 *
 *     follow FILE [SECONDS]
 *
 * Ends when nothing has been appended for SECONDS, 10 by default.
 */
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include <gotrace/gotrace.h>

/* Prints what is complete. Returns GT_AGAIN if more bytes are needed. */
static gt_status print_logs(gt_reader *reader)
{
    const gt_event *event;
    gt_status status;
    while ((status = gt_reader_next_event(reader, &event)) == GT_OK) {
        gt_log log = GT_LOG_INIT;
        if (event->kind == GT_EVENT_LOG && gt_event_log(event, &log) == GT_OK)
            printf("%" PRId64 " %.*s: %.*s\n", event->time, (int) log.category.size,
                   log.category.data, (int) log.message.size, log.message.data);
    }
    fflush(stdout);
    return status;
}

/* Feeds what has been appended to the file, and prints what it completes. */
static gt_status feed_appended(gt_reader *reader, int fd, int *appended)
{
    char buffer[65536];
    gt_status status = GT_AGAIN;
    ssize_t size;
    *appended = 0;
    while (status == GT_AGAIN && (size = read(fd, buffer, sizeof(buffer))) > 0) {
        *appended = 1;
        status = gt_reader_feed(reader, buffer, (size_t) size);
        if (status == GT_OK)
            status = print_logs(reader);
    }
    return status;
}

int main(int argc, char **argv)
{
    const char *path = argc > 1 ? argv[1] : "";
    int seconds = argc > 2 ? atoi(argv[2]) : 10;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    gt_reader *reader;
    gt_error error = GT_ERROR_INIT;
    char text[GT_ERROR_TEXT_SIZE];
    if (fd < 0 || gt_reader_open_push(&reader, NULL, NULL) != GT_OK)
        return perror(path), 1;

    const struct timespec pause = {0, 100000000};
    gt_status status = GT_AGAIN;
    for (int idle = 0, appended; status == GT_AGAIN && idle < seconds * 10; idle++) {
        status = feed_appended(reader, fd, &appended);
        if (appended)
            idle = 0;
        nanosleep(&pause, NULL);
    }
    /* The end is only now known, and with it what the last bytes mean. */
    if (status == GT_AGAIN && gt_reader_finish(reader) == GT_OK)
        status = print_logs(reader);
    gt_reader_error(reader, &error);
    if (gt_error_format(&error, text, sizeof(text)) > 0)
        fprintf(stderr, "%s: %s\n", path, text);
    gt_reader_close(&reader);
    close(fd);
    return status == GT_END ? 0 : 1;
}
