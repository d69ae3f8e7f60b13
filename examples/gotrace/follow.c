/* SPDX-License-Identifier: BSD-3-Clause */
#include "follow.h"

#include <errno.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <gotrace/reader.h>

#include "http/clock.h"

enum {
    FOLLOW_NS_A_MS = 1000000,
    /* The time between two looks at a file, in milliseconds. */
    FOLLOW_PERIOD = 100
};

void follow_begin(struct follow *follow, const struct follow_rules *rules, int fd, const char *path)
{
    struct stat about;
    *follow = (struct follow){.rules = rules, .fd = fd, .last = http_clock()};
    if (fstat(fd, &about) != 0 || !S_ISREG(about.st_mode))
        return;
    follow->path = path;
    follow->device = about.st_dev;
    follow->inode = about.st_ino;
    follow->offset = lseek(fd, 0, SEEK_CUR);
}

void follow_stop(struct follow *follow)
{
    follow->is_stopped = 1;
}

/* Returns whether the file has shrunk, or its name leads to another one. Sets the fault then. */
static bool follow_has_changed(struct follow *follow)
{
    struct stat about;
    if (!follow->path)
        return false;
    if (fstat(follow->fd, &about) == 0 && about.st_size < follow->offset)
        follow->fault = "the file has become shorter while it was followed";
    else if (stat(follow->path, &about) != 0)
        follow->fault = "the file was removed while it was followed";
    else if (about.st_dev != follow->device || about.st_ino != follow->inode)
        follow->fault = "the file was replaced while it was followed";
    return follow->fault;
}

/* Returns whether no more is expected than what is there now. */
static bool follow_is_over(struct follow *follow)
{
    const struct follow_rules *rules = follow->rules;
    if (follow->is_stopped || follow_has_changed(follow))
        return true;
    if (rules->pid > 0 && kill(rules->pid, 0) != 0 && errno == ESRCH)
        return true;
    return rules->idle > 0 && http_clock() - follow->last >= rules->idle / FOLLOW_NS_A_MS;
}

/* Waits until a pipe may have bytes, or until it is time to look at a file again. */
static void follow_wait(const struct follow *follow)
{
    struct pollfd polled = {.fd = follow->path ? -1 : follow->fd, .events = POLLIN};
    if (follow->rules->before_wait)
        follow->rules->before_wait(follow->rules->user_data);
    poll(&polled, 1, FOLLOW_PERIOD);
}

/* Returns whether a read would not wait. */
static bool follow_is_ready(const struct follow *follow)
{
    struct pollfd polled = {.fd = follow->fd, .events = POLLIN};
    return follow->path || poll(&polled, 1, 0) > 0;
}

int64_t follow_read(struct follow *follow, void *buffer, size_t capacity)
{
    for (;;) {
        /* What was written before the end is read after that was noticed. */
        bool is_over = follow_is_over(follow);
        bool is_ready = follow_is_ready(follow);
        ssize_t got = is_ready ? read(follow->fd, buffer, capacity) : 0;
        if (got < 0 && errno != EINTR && errno != EAGAIN && errno != EWOULDBLOCK)
            return GT_READ_FAILED(errno);
        if (got > 0) {
            follow->offset += got;
            follow->last = http_clock();
            return got;
        }
        if (is_over || (got == 0 && is_ready && !follow->path))
            return 0;
        follow_wait(follow);
    }
}
