/* SPDX-License-Identifier: BSD-3-Clause */
#include "unpacker.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "child.h"
#include "descriptor.h"

enum {
    /* The exit status of gzip if it has decompressed everything and printed a warning. */
    GZIP_WARNING = 2
};

/*
 * Held from the making of a pipe until the child has started, so that no other child inherits the
 * pipe and keeps it open.
 */
static pthread_mutex_t unpacker_lock = PTHREAD_MUTEX_INITIALIZER;

static const struct {
    unsigned char magic[UNPACKER_MAGIC];
    size_t size;
    const char *program;
} unpacker_formats[] = {
    {{0x1f, 0x8b}, 2, "gzip"},
    {{0x28, 0xb5, 0x2f, 0xfd}, 4, "zstd"},
};

const char *unpacker_recognise(const char *start, size_t size)
{
    for (size_t i = 0; i < sizeof(unpacker_formats) / sizeof(unpacker_formats[0]); i++) {
        if (size >= unpacker_formats[i].size &&
            memcmp(start, unpacker_formats[i].magic, unpacker_formats[i].size) == 0)
            return unpacker_formats[i].program;
    }
    return NULL;
}

/* Sets the error message. Returns false. */
__attribute__((format(printf, 2, 3))) static bool unpacker_fail(struct unpacker *unpacker,
                                                                const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(unpacker->error, sizeof(unpacker->error), format, arguments);
    va_end(arguments);
    return false;
}

/* Makes a pipe that children do not inherit. */
static bool unpacker_make_pipe(int ends[2])
{
    if (pipe(ends) == 0)
        return fcntl(ends[0], F_SETFD, FD_CLOEXEC) == 0 && fcntl(ends[1], F_SETFD, FD_CLOEXEC) == 0;
    ends[0] = ends[1] = -1;
    return false;
}

/* Starts the child between two pipes. Of `in` only in[0] is used if the child is not fed. */
static bool unpacker_start_child(struct unpacker *unpacker, const int in[2], const int out[2])
{
    char name[8], flags[] = "-dc";
    char *arguments[] = {name, flags, NULL};
    const int streams[CHILD_STREAMS] = {in[0], out[1], fileno(unpacker->said)};
    snprintf(name, sizeof(name), "%s", unpacker->program);
    int error = child_start(arguments, streams, &unpacker->child);
    if (error == 0)
        return true;
    unpacker->child = 0;
    return unpacker_fail(unpacker,
                         "cannot run %s to decompress it: %s; install %s, or decompress it before",
                         name, strerror(error), name);
}

/* Makes the pipes and starts the child. */
static bool unpacker_connect(struct unpacker *unpacker, int from, bool is_fed)
{
    int in[2] = {from, -1}, out[2] = {-1, -1};
    pthread_mutex_lock(&unpacker_lock);
    bool is_good = unpacker_make_pipe(out) && (!is_fed || unpacker_make_pipe(in)) &&
                   (!is_fed || fcntl(in[1], F_SETFL, O_NONBLOCK) == 0);
    if (!is_good)
        unpacker_fail(unpacker, "cannot make a pipe to decompress it: %s", strerror(errno));
    is_good = is_good && unpacker_start_child(unpacker, in, out);
    descriptor_close(&out[1]);
    if (is_fed)
        descriptor_close(&in[0]);
    unpacker->to = in[1];
    unpacker->out = out[0];
    pthread_mutex_unlock(&unpacker_lock);
    return is_good;
}

bool unpacker_start(struct unpacker *unpacker, const char *program, int from, bool is_fed,
                    const char *start, size_t start_size)
{
    unpacker->program = program;
    unpacker->to = unpacker->out = -1;
    unpacker->waiting_start = 0;
    unpacker->waiting_size = start_size;
    if (start_size > 0)
        memcpy(unpacker->waiting, start, start_size);
    unpacker->error[0] = '\0';
    unpacker->said = tmpfile();
    if (!unpacker->said)
        return unpacker_fail(unpacker, "cannot make a temporary file to decompress it: %s",
                             strerror(errno));
    return unpacker_connect(unpacker, from, is_fed);
}

/* Writes the waiting bytes to the child. If the child no longer reads, its exit status will show
 * the reason. */
static void unpacker_pass_on(struct unpacker *unpacker)
{
    ssize_t written =
        write(unpacker->to, unpacker->waiting + unpacker->waiting_start, unpacker->waiting_size);
    if (written > 0) {
        unpacker->waiting_start += (size_t) written;
        unpacker->waiting_size -= (size_t) written;
    } else if (errno != EAGAIN && errno != EINTR) {
        descriptor_close(&unpacker->to);
    }
}

/* Reads more of the source. Returns false if that fails. */
static bool unpacker_take_in(struct unpacker *unpacker, int from)
{
    ssize_t got = read(from, unpacker->waiting, sizeof(unpacker->waiting));
    unpacker->waiting_start = 0;
    unpacker->waiting_size = got > 0 ? (size_t) got : 0;
    if (got == 0)
        descriptor_close(&unpacker->to);
    if (got >= 0 || errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR)
        return true;
    return unpacker_fail(unpacker, "reading failed: %s", strerror(errno));
}

/* Waits until there is output, and feeds the child meanwhile. Returns false on failure. */
static bool unpacker_wait(struct unpacker *unpacker, int from)
{
    for (;;) {
        bool has_waiting = unpacker->waiting_size > 0;
        struct pollfd polled[] = {
            {.fd = unpacker->out, .events = POLLIN},
            {.fd = has_waiting ? unpacker->to : from, .events = has_waiting ? POLLOUT : POLLIN},
        };
        int count = poll(polled, unpacker->to >= 0 ? 2 : 1, -1);
        if (count < 0 && errno != EINTR)
            return unpacker_fail(unpacker, "reading failed: %s", strerror(errno));
        if (count > 0 && polled[0].revents != 0)
            return true;
        if (count <= 0 || unpacker->to < 0)
            continue;
        if (has_waiting)
            unpacker_pass_on(unpacker);
        else if (!unpacker_take_in(unpacker, from))
            return false;
    }
}

/* Returns 0 if the child, which has closed its output, did its work, and -1 if not. */
static int64_t unpacker_end(struct unpacker *unpacker)
{
    char why[GT_ERROR_MESSAGE_SIZE / 2];
    int status = 0;
    descriptor_close(&unpacker->to);
    if (unpacker->child == 0)
        return unpacker->error[0] == '\0' ? 0 : -1;
    bool is_known = child_wait(unpacker->child, &status);
    unpacker->child = 0;
    if (!is_known) {
        unpacker_fail(unpacker, "cannot wait for %s: %s", unpacker->program, strerror(errno));
        return -1;
    }
    if (WIFEXITED(status) && (WEXITSTATUS(status) == 0 ||
                              (WEXITSTATUS(status) == GZIP_WARNING && unpacker->program[0] == 'g')))
        return 0;
    child_explain(unpacker->program, unpacker->said, status, why, sizeof(why));
    unpacker_fail(unpacker, "cannot decompress it: %s", why);
    return -1;
}

int64_t unpacker_read(struct unpacker *unpacker, int from, void *buffer, size_t capacity)
{
    ssize_t got;
    if (unpacker->error[0] != '\0')
        return -1;
    do {
        if (!unpacker_wait(unpacker, from))
            return -1;
        got = read(unpacker->out, buffer, capacity);
    } while (got < 0 && errno == EINTR);
    if (got > 0)
        return got;
    if (got == 0)
        return unpacker_end(unpacker);
    unpacker_fail(unpacker, "reading failed: %s", strerror(errno));
    return -1;
}

void unpacker_stop(struct unpacker *unpacker)
{
    int status;
    if (!unpacker->program)
        return;
    descriptor_close(&unpacker->to);
    descriptor_close(&unpacker->out);
    if (unpacker->child > 0) {
        kill(unpacker->child, SIGKILL);
        child_wait(unpacker->child, &status);
    }
    unpacker->child = 0;
    if (unpacker->said)
        fclose(unpacker->said);
    unpacker->said = NULL;
    unpacker->program = NULL;
}
