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
    out->is_raw = false;
    out->terminal = (struct terminal){.keeps_lines = true};
}

/* Another program may have made the pipe non-blocking. */
static bool output_wait_until_writable(int fd)
{
    struct pollfd poll_fd = {.fd = fd, .events = POLLOUT};
    return poll(&poll_fd, 1, -1) >= 0 || errno == EINTR;
}

static void output_write(struct output *out, const char *data, size_t size)
{
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

void output_string(struct output *out, gt_string string)
{
    struct terminal terminal = {.keeps_lines = false};
    if (!output_escapes(out)) {
        output_bytes(out, string.data, string.size);
        return;
    }
    for (size_t i = 0; i < string.size; i += ESCAPED_PIECE) {
        size_t part = string.size - i < ESCAPED_PIECE ? string.size - i : ESCAPED_PIECE;
        char *to = output_reserve(out, (ESCAPED_PIECE + sizeof(terminal.held)) * TERMINAL_STEP);
        size_t size =
            terminal_escape(&terminal, string.data + i, part, i + part == string.size, to);
        output_commit(out, to + size);
    }
}

void output_unsigned(struct output *out, uint64_t value)
{
    output_commit(out, put_unsigned(output_reserve(out, OUTPUT_NUMBER_MAX), value));
}

#define EIGHT_DIGITS 100000000u

/* clang-format off */
const char put_pairs[200] = {
    "0001020304050607080910111213141516171819"
    "2021222324252627282930313233343536373839"
    "4041424344454647484950515253545556575859"
    "6061626364656667686970717273747576777879"
    "8081828384858687888990919293949596979899"};

#define DIGIT(n) (char) ('0' + (n))
#define WORD(a, b, c)                                                                              \
    {{(a) != 0 ? DIGIT(a) : (b) != 0 ? DIGIT(b) : DIGIT(c),                                        \
      (a) != 0 ? DIGIT(b) : DIGIT(c), DIGIT(c)}, (a) != 0 ? 3 : (b) != 0 ? 2 : 1}
#define TEN(a, b)                                                                                  \
    WORD(a, b, 0), WORD(a, b, 1), WORD(a, b, 2), WORD(a, b, 3), WORD(a, b, 4), WORD(a, b, 5),      \
    WORD(a, b, 6), WORD(a, b, 7), WORD(a, b, 8), WORD(a, b, 9)
#define HUNDRED(a)                                                                                 \
    TEN(a, 0), TEN(a, 1), TEN(a, 2), TEN(a, 3), TEN(a, 4), TEN(a, 5), TEN(a, 6), TEN(a, 7),        \
    TEN(a, 8), TEN(a, 9)

const struct put_word put_words[1000] = {
    HUNDRED(0), HUNDRED(1), HUNDRED(2), HUNDRED(3), HUNDRED(4),
    HUNDRED(5), HUNDRED(6), HUNDRED(7), HUNDRED(8), HUNDRED(9),
};

/* clang-format on */

/* Unlike in a loop, the divisions do not depend on each other. */
char *put_eight(char *to, uint32_t value)
{
    uint32_t high = value / 10000, low = value % 10000;
    memcpy(to, put_pairs + (size_t) 2 * (high / 100), 2);
    memcpy(to + 2, put_pairs + (size_t) 2 * (high % 100), 2);
    memcpy(to + 4, put_pairs + (size_t) 2 * (low / 100), 2);
    memcpy(to + 6, put_pairs + (size_t) 2 * (low % 100), 2);
    return to + 8;
}

char *put_long(char *to, uint64_t value)
{
    if (value < EIGHT_DIGITS)
        return put_three(put_unsigned(to, value / 1000), (uint32_t) (value % 1000));
    return put_eight(put_unsigned(to, value / EIGHT_DIGITS), (uint32_t) (value % EIGHT_DIGITS));
}

char *put_hex(char *to, uint64_t value)
{
    unsigned int count = 1;
    while (count < 16 && value >> (4 * count) != 0)
        count++;
    for (unsigned int i = count; i > 0; i--) {
        to[i - 1] = "0123456789abcdef"[value & 15];
        value >>= 4;
    }
    return to + count;
}
