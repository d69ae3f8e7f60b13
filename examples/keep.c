/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * keep FILE prints the 1,000 longest waits of goroutines: how long each was, and the event that
 * ended it, with the stack of who woke the goroutine up. An event is gone with the next one, so
 * those that may be among the longest are copied: never more than 2,000. They outlive the reader.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include <gotrace/gotrace.h>

enum {
    KEPT = 1000
};

struct wait {
    int64_t time;
    gt_event *end;
};

static int wait_compare(const void *a, const void *b)
{
    const struct wait *x = a, *y = b;
    return (x->time < y->time) - (x->time > y->time);
}

/* Sorts the waits and frees all but the longest. Returns their number. */
static size_t waits_trim(struct wait *waits, size_t count)
{
    qsort(waits, count, sizeof(*waits), wait_compare);
    while (count > KEPT)
        gt_event_free(&waits[--count].end);
    return count;
}

/* Returns how long a goroutine has waited that this event wakes up, and -1 for all other events. */
static int64_t event_wait(gt_reader *reader, const gt_event *event)
{
    gt_transition change = GT_TRANSITION_INIT;
    gt_goroutine_info info = GT_GOROUTINE_INFO_INIT;
    if (gt_event_goroutine_transition(event, &change) != GT_OK || change.from != GT_GO_WAITING ||
        change.to == change.from ||
        gt_reader_goroutine(reader, change.resource.id, &info) != GT_OK || !info.previous_known)
        return -1;
    return info.since - info.previous_since;
}

int main(int argc, char **argv)
{
    static struct wait waits[2 * KEPT];
    size_t count = 0;
    gt_reader *reader = NULL;
    gt_reader_options options = GT_READER_OPTIONS_INIT;
    gt_error error = GT_ERROR_INIT;
    char text[1 << 16];
    options.flags = GT_READER_TRACK;
    gt_status status = gt_reader_open_file(&reader, argc > 1 ? argv[1] : "", &options, &error);
    for (const gt_event *event; status == GT_OK;) {
        status = gt_reader_next_event(reader, &event);
        int64_t time = status == GT_OK ? event_wait(reader, event) : -1;
        if (time < 0 || (count >= KEPT && time < waits[KEPT - 1].time))
            continue;
        status = gt_event_copy(reader, event, NULL, &waits[count].end);
        waits[count++].time = time;
        if (count % KEPT == 0)
            count = waits_trim(waits, count);
    }
    gt_reader_error(reader, &error);
    gt_reader_close(&reader);
    count = waits_trim(waits, count);
    for (size_t i = 0, size; i < count; gt_event_free(&waits[i++].end))
        if (gt_event_format(NULL, waits[i].end, text, sizeof(text), &size) == GT_OK)
            printf("%" PRId64 " ns %s\n", waits[i].time, text);
    if (status != GT_END && gt_error_format(&error, text, sizeof(text)) > 0)
        fprintf(stderr, "%s: %s\n", argc > 1 ? argv[1] : "keep", text);
    return status == GT_END ? 0 : 1;
}
