/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/feed.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "support/test.h"

void feed_init(struct feed *feed, const void *data, size_t size)
{
    memset(feed, 0, sizeof(*feed));
    feed->data = data;
    feed->size = size;
    feed->fail_at = SIZE_MAX;
}

static size_t next_step(struct feed *feed)
{
    size_t step;

    if (feed->step_count == 0)
        return SIZE_MAX;
    step = feed->steps[feed->step];
    feed->step = (feed->step + 1) % feed->step_count;
    return step;
}

int64_t feed_read(void *user_data, void *buffer, size_t capacity)
{
    struct feed *feed = user_data;
    size_t count = next_step(feed);

    feed->calls++;
    if (feed->position >= feed->fail_at)
        return feed->failure;
    if (count > capacity)
        count = capacity;
    if (count > feed->size - feed->position)
        count = feed->size - feed->position;
    if (count > feed->fail_at - feed->position)
        count = feed->fail_at - feed->position;
    if (count > 0)
        memcpy(buffer, feed->data + feed->position, count);
    feed->position += count;
    return (int64_t) count;
}

static void write_all(int fd, const uint8_t *data, size_t size)
{
    ssize_t count;

    while (size > 0) {
        count = write(fd, data, size);
        if (count < 0 && errno == EINTR)
            continue;
        if (count < 0)
            _exit(1);
        data += count;
        size -= (size_t) count;
    }
}

static void write_steps(int fd, const uint8_t *data, size_t size, size_t step, int number,
                        pid_t parent)
{
    /* Gives the reader time to read what is there and to wait for more. */
    const struct timespec pause = {0, 1000000};
    size_t count;

    while (size > 0) {
        count = step == 0 || step > size ? size : step;
        write_all(fd, data, count);
        data += count;
        size -= count;
        if (number && size > 0) {
            nanosleep(&pause, NULL);
            /* If the parent has ended, another process has become the parent. */
            if (getppid() != parent)
                _exit(1);
            kill(parent, number);
        }
    }
}

void writer_start(struct writer *writer, const void *data, size_t size, size_t step, int number)
{
    const pid_t parent = getpid();
    int ends[2];

    assert_int_equal(pipe(ends), 0);
    writer->child = fork();
    assert_true(writer->child >= 0);
    if (writer->child == 0) {
        close(ends[0]);
        write_steps(ends[1], data, size, step, number, parent);
        _exit(0);
    }
    close(ends[1]);
    writer->fd = ends[0];
}

void writer_start_fifo(struct writer *writer, const char *path, const void *data, size_t size)
{
    writer->fd = -1;
    writer->child = fork();
    assert_true(writer->child >= 0);
    if (writer->child == 0) {
        write_all(open(path, O_WRONLY), data, size);
        _exit(0);
    }
}

void writer_stop(struct writer *writer)
{
    int status = 0;

    if (writer->fd >= 0)
        close(writer->fd);
    while (waitpid(writer->child, &status, 0) < 0 && errno == EINTR)
        continue;
}
