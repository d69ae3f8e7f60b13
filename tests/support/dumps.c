/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/dumps.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

#include "support/test.h"

/* How much of a differing event is printed. */
#define SHOWN_MAX 600

#define TIME_FIELD " Time="

struct slice {
    const char *data;
    size_t size;
};

struct dump {
    FILE *file;
    /*
     * The line that was read ahead, which is the first one of the next event; size -1 at the end.
     */
    char *line;
    size_t line_capacity;
    ssize_t line_size;
    /* The texts of the events of the run without their times, and where each begins. */
    char *text;
    size_t text_size;
    size_t text_capacity;
    size_t *starts;
    size_t count;
    size_t capacity;
    /* The same texts, sorted. */
    struct slice *events;
    int64_t first_time;
};

static void next_line(struct dump *dump)
{
    dump->line_size = getline(&dump->line, &dump->line_capacity, dump->file);
}

static void dump_open(struct dump *dump, FILE *file)
{
    memset(dump, 0, sizeof(*dump));
    dump->file = file;
    next_line(dump);
}

static void dump_close(struct dump *dump)
{
    while (dump->line_size >= 0)
        next_line(dump);
    free(dump->line);
    free(dump->text);
    free(dump->starts);
    free(dump->events);
}

static void append_text(struct dump *dump, const char *data, size_t size)
{
    while (dump->text_capacity - dump->text_size < size) {
        dump->text_capacity = dump->text_capacity ? 2 * dump->text_capacity : 4096;
        dump->text = realloc(dump->text, dump->text_capacity);
        assert_non_null(dump->text);
    }
    memcpy(dump->text + dump->text_size, data, size);
    dump->text_size += size;
}

static void append_start(struct dump *dump)
{
    if (dump->count == dump->capacity) {
        dump->capacity = dump->capacity ? 2 * dump->capacity : 64;
        dump->starts = realloc(dump->starts, dump->capacity * sizeof(*dump->starts));
        dump->events = realloc(dump->events, dump->capacity * sizeof(*dump->events));
        assert_non_null(dump->starts);
        assert_non_null(dump->events);
    }
    dump->starts[dump->count++] = dump->text_size;
}

/* The time in the line that was read ahead, and where its digits are. */
static int64_t line_time(const struct dump *dump, size_t *begin, size_t *end)
{
    char *field = strstr(dump->line, TIME_FIELD), *after;
    long long time;

    *begin = *end = (size_t) dump->line_size;
    if (!field)
        return 0;
    field += strlen(TIME_FIELD);
    time = strtoll(field, &after, 10);
    *begin = (size_t) (field - dump->line);
    *end = (size_t) (after - dump->line);
    return time;
}

/* Moves one event from the file to the run. */
static void take_event(struct dump *dump, size_t begin, size_t end)
{
    append_start(dump);
    append_text(dump, dump->line, begin);
    append_text(dump, dump->line + end, (size_t) dump->line_size - end);
    next_line(dump);
    while (dump->line_size >= 0 && strncmp(dump->line, "M=", 2) != 0) {
        append_text(dump, dump->line, (size_t) dump->line_size);
        next_line(dump);
    }
}

static int compare_slices(const void *a, const void *b)
{
    const struct slice *x = a, *y = b;
    int order = memcmp(x->data, y->data, x->size < y->size ? x->size : y->size);

    return order ? order : (x->size > y->size) - (x->size < y->size);
}

static void sort_run(struct dump *dump)
{
    size_t end;

    for (size_t i = 0; i < dump->count; i++) {
        end = i + 1 < dump->count ? dump->starts[i + 1] : dump->text_size;
        dump->events[i].data = dump->text + dump->starts[i];
        dump->events[i].size = end - dump->starts[i];
    }
    qsort(dump->events, dump->count, sizeof(*dump->events), compare_slices);
}

/* Reads the next run. Returns 0 if there is none. */
static int next_run(struct dump *dump)
{
    int64_t time, last = 0;
    size_t begin, end;

    dump->text_size = 0;
    dump->count = 0;
    while (dump->line_size >= 0) {
        time = line_time(dump, &begin, &end);
        if (dump->count > 0 && time > last + 1)
            break;
        if (dump->count == 0)
            dump->first_time = time;
        last = time;
        take_event(dump, begin, end);
    }
    if (dump->count > 0)
        sort_run(dump);
    return dump->count > 0;
}

static void show(const char *whose, const struct dump *dump, size_t i)
{
    const struct slice *event = &dump->events[i];
    size_t size = event->size < SHOWN_MAX ? event->size : SHOWN_MAX;

    print_error("--- only in %s, near Time=%lld:\n%.*s\n", whose, (long long) dump->first_time,
                (int) size, event->data);
}

/* Whether the run of `theirs` equals that of `ours`; with `part`, whether it is contained in it. */
static int same_run(const struct dump *ours, const struct dump *theirs, int part)
{
    size_t i = 0, k = 0;
    int order;

    while (i < ours->count || k < theirs->count) {
        order = i == ours->count     ? 1
                : k == theirs->count ? -1
                                     : compare_slices(&ours->events[i], &theirs->events[k]);
        if (order > 0)
            show("theirs", theirs, k);
        else if (order < 0 && !part)
            show("ours", ours, i);
        if (order > 0 || (order < 0 && !part))
            return 0;
        k += order == 0;
        i++;
    }
    if (ours->first_time == theirs->first_time)
        return 1;
    print_error("times differ: %lld in ours, %lld in theirs\n", (long long) ours->first_time,
                (long long) theirs->first_time);
    return 0;
}

static long compare(struct dump *ours, struct dump *theirs, int prefix)
{
    long count = 0;
    int part;

    while (next_run(theirs)) {
        part = prefix && theirs->line_size < 0;
        if (!next_run(ours)) {
            print_error("after %ld events ours ends\n", count);
            show("theirs", theirs, 0);
            return -1;
        }
        if (!same_run(ours, theirs, part)) {
            print_error("they differ after %ld events\n", count);
            return -1;
        }
        count += (long) theirs->count;
    }
    if (!prefix && next_run(ours)) {
        print_error("after %ld events theirs ends\n", count);
        show("ours", ours, 0);
        return -1;
    }
    return count;
}

long dumps_compare(FILE *ours, FILE *theirs, int prefix)
{
    struct dump a, b;
    long count;

    dump_open(&a, ours);
    dump_open(&b, theirs);
    count = compare(&a, &b, prefix);
    dump_close(&a);
    dump_close(&b);
    return count;
}
