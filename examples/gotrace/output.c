/* SPDX-License-Identifier: BSD-3-Clause */
#include "output.h"

#include <errno.h>
#include <poll.h>
#include <unistd.h>

enum {
    /* How many bytes are escaped at a time. */
    ESCAPED_PIECE = 1024
};

void output_open(struct output *out, int fd)
{
    out->fd = fd;
    out->error = 0;
    out->used = 0;
    out->is_terminal = isatty(fd);
    out->is_raw = out->forces_progress = out->hides_progress = false;
    out->terminal = (struct terminal){.keeps_lines = true};
}

/* Another program may have made the pipe non-blocking. */
static bool output_wait_until_writable(int fd)
{
    struct pollfd poll_fd = {.fd = fd, .events = POLLOUT};
    return poll(&poll_fd, 1, -1) >= 0 || errno == EINTR;
}

enum progress_mode output_progress_mode(const struct output *out)
{
    if (out->hides_progress)
        return PROGRESS_OFF;
    return out->forces_progress ? PROGRESS_FORCED : PROGRESS_ON_TERMINAL;
}

static void output_write(struct output *out, const char *data, size_t size)
{
    /* Output on the terminal shows the progress as well, so the line about progress is erased. */
    if (out->is_terminal && size > 0)
        progress_end();
    while (size > 0 && out->error == 0) {
        ssize_t written = write(out->fd, data, size);
        if (written >= 0) {
            data += written;
            size -= (size_t) written;
        } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
            if (!output_wait_until_writable(out->fd))
                out->error = errno;
        } else if (errno != EINTR) {
            out->error = errno;
        }
    }
}

static void output_write_escaped(struct output *out, bool is_last)
{
    char shown[(ESCAPED_PIECE + sizeof(out->terminal.held)) * TERMINAL_STEP];
    size_t done = 0;
    do {
        size_t part = out->used - done < ESCAPED_PIECE ? out->used - done : ESCAPED_PIECE;
        bool is_end = done + part == out->used;
        size_t size =
            terminal_escape(&out->terminal, out->buffer + done, part, is_end && is_last, shown);
        output_write(out, shown, size);
        done += part;
    } while (done < out->used);
}

static void output_empty(struct output *out, bool is_last)
{
    if (output_escapes(out))
        output_write_escaped(out, is_last);
    else
        output_write(out, out->buffer, out->used);
    out->used = 0;
}

void output_make_room(struct output *out)
{
    output_empty(out, false);
}

bool output_flush(struct output *out)
{
    output_empty(out, true);
    return out->error == 0;
}

void output_bytes_in_parts(struct output *out, const char *data, size_t size)
{
    while (size > OUTPUT_SIZE - out->used) {
        size_t part = OUTPUT_SIZE - out->used;
        memcpy(out->buffer + out->used, data, part);
        out->used = OUTPUT_SIZE;
        data += part;
        size -= part;
        output_make_room(out);
    }
    output_bytes(out, data, size);
}

size_t output_escape(gt_string *rest, char *to, size_t room)
{
    struct terminal terminal = {.keeps_lines = false};
    size_t most = room / TERMINAL_STEP - sizeof(terminal.held);
    size_t part = rest->size < most ? rest->size : most;
    size_t size = terminal_escape(&terminal, rest->data, part, part == rest->size, to);
    /* An incomplete character at the end of this part is repeated at the start of the next one. */
    part -= terminal.held_size;
    rest->data += part;
    rest->size -= part;
    return size;
}

void output_string(struct output *out, gt_string string)
{
    if (!output_escapes(out)) {
        output_bytes(out, string.data, string.size);
        return;
    }
    while (string.size > 0) {
        char *to = output_reserve(out, ESCAPED_PIECE);
        output_commit(out, to + output_escape(&string, to, ESCAPED_PIECE));
    }
}

void output_unsigned(struct output *out, uint64_t value)
{
    output_commit(out, put_unsigned(output_reserve(out, OUTPUT_NUMBER_MAX), value));
}

char *put_unsigned(char *to, uint64_t value)
{
    char digits[OUTPUT_NUMBER_MAX];
    char *first = digits + sizeof(digits);
    do {
        *--first = (char) ('0' + value % 10);
        value /= 10;
    } while (value > 0);
    return put_bytes(to, first, (size_t) (digits + sizeof(digits) - first));
}
