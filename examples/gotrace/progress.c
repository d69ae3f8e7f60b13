/* SPDX-License-Identifier: BSD-3-Clause */
#include "progress.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "terminal.h"

enum {
    NS_A_SECOND = 1000000000,
    FIRST_AFTER = NS_A_SECOND / 2,
    AGAIN_AFTER = NS_A_SECOND / 10,
    /* The width of a terminal whose width is not known. */
    USUAL_COLUMNS = 80,
    MOST_COLUMNS = 200,
    /* Decoding takes about seven times as long as reading. */
    DECODING_WEIGHT = 7,
    BYTES_A_MEGABYTE = 1000000
};

static struct {
    const char *name;
    bool is_active;
    int64_t start; /* in nanoseconds, as the next one */
    int64_t next;  /* the time of the next drawing */
    size_t shown;  /* the columns of the line; 0 if it is not shown */
} progress;

static int64_t progress_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t) now.tv_sec * NS_A_SECOND + now.tv_nsec;
}

void progress_begin(const char *name, enum progress_mode mode)
{
    const char *slash = strrchr(name, '/');
    progress.name = slash ? slash + 1 : name;
    progress.is_active =
        mode == PROGRESS_FORCED || (mode == PROGRESS_ON_TERMINAL && isatty(STDERR_FILENO));
    progress.start = progress_now();
    progress.next = progress.start + (mode == PROGRESS_FORCED ? 0 : FIRST_AFTER);
}

/* Returns one column less than the terminal has, because some terminals begin a new line after the
 * last column. */
static size_t progress_columns(void)
{
    struct winsize size;
    if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0)
        return USUAL_COLUMNS - 1;
    return size.ws_col < MOST_COLUMNS ? size.ws_col - 1U : MOST_COLUMNS;
}

/* Returns the amount of work that is done, in the unit of the input's bytes. */
static uint64_t progress_done(const gt_progress *to)
{
    return to->bytes_read / (DECODING_WEIGHT + 1) +
           to->bytes_decoded / (DECODING_WEIGHT + 1) * DECODING_WEIGHT;
}

/* Writes the line without the name, and returns its length. */
static size_t progress_write(char *text, size_t room, const gt_progress *to, int64_t elapsed)
{
    double done = (double) progress_done(to), total = (double) to->bytes_total;
    double rate = elapsed > 0 ? done * NS_A_SECOND / (double) elapsed : 0;
    double left = rate > 0 && total > done ? (total - done) / rate : 0;
    int length;
    if (to->bytes_total == 0)
        length = snprintf(text, room, "gotrace: %.0f MB, %.0f MB/s", done / BYTES_A_MEGABYTE,
                          rate / BYTES_A_MEGABYTE);
    else
        length = snprintf(text, room, "gotrace: %.0f%%, %.0f of %.0f MB, %.0f MB/s, %.0f s left",
                          100 * done / total, done / BYTES_A_MEGABYTE, total / BYTES_A_MEGABYTE,
                          rate / BYTES_A_MEGABYTE, left);
    return (size_t) length < room ? (size_t) length : room - 1;
}

/*
 * Appends the name with escapes to the `length` bytes of the line, as far as there are `columns`. A
 * character has at least as many bytes as columns. Returns the new length.
 */
static size_t progress_write_name(char *text, size_t length, size_t columns)
{
    static const char between[] = ": ";
    struct terminal terminal = {.keeps_lines = false};
    char shown[(sizeof(terminal.held) + 1) * TERMINAL_STEP];
    size_t size = strlen(progress.name);
    if (length + sizeof(between) > columns)
        return length;
    memcpy(text + length, between, sizeof(between) - 1);
    length += sizeof(between) - 1;
    for (size_t i = 0; i < size; i++) {
        size_t part = terminal_escape(&terminal, progress.name + i, 1, i + 1 == size, shown);
        if (length + part > columns)
            break;
        memcpy(text + length, shown, part);
        length += part;
    }
    return length;
}

/* Draws the line with the carriage return as its only control character, because that is the only
 * one that every terminal supports. */
static void progress_draw(const gt_progress *to, int64_t elapsed)
{
    char text[MOST_COLUMNS + 1];
    size_t columns = progress_columns();
    size_t length = progress_write(text, columns + 1, to, elapsed);
    length = progress_write_name(text, length, columns);
    int blanks = progress.shown > length ? (int) (progress.shown - length) : 0;
    fprintf(stderr, "\r%.*s%*s", (int) length, text, blanks, "");
    fflush(stderr);
    progress.shown = length;
}

int progress_report(void *user_data, const gt_progress *to)
{
    (void) user_data;
    if (!progress.is_active)
        return 0;
    int64_t now = progress_now();
    if (now >= progress.next) {
        progress.next = now + AGAIN_AFTER;
        progress_draw(to, now - progress.start);
    }
    return 0;
}

void progress_clear(void)
{
    if (progress.shown == 0)
        return;
    fprintf(stderr, "\r%*s\r", (int) progress.shown, "");
    fflush(stderr);
    progress.shown = 0;
}

void progress_end(void)
{
    progress_clear();
    progress.is_active = false;
}
