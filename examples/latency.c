/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Prints how long goroutines wait for a proc: a histogram of the times from
 * Runnable to Running. Shows how to track the states of goroutines. Switches
 * between coroutines, which wait for no proc, count as the shortest of waits;
 * gt_latency of gotrace/latency.h knows them.
 *
 *     latency FILE
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include <gotrace/gotrace.h>

/* A waiting goroutine, in a list of those whose ids have the same low bits. */
struct waiting {
    struct waiting *next;
    int64_t goroutine;
    int64_t since;
};

static struct waiting *lists[1 << 16];
/* Entry n counts the waits from 2^n ns up to 2^(n+1) ns; entry 0 also those of 0 ns. */
static uint64_t histogram[64];

/* Returns the link to a waiting goroutine, or the end of the list in which it would be. */
static struct waiting **find(int64_t goroutine)
{
    struct waiting **link = &lists[(uint64_t) goroutine % (1 << 16)];
    while (*link && (*link)->goroutine != goroutine)
        link = &(*link)->next;
    return link;
}

static void begin_wait(int64_t goroutine, int64_t time)
{
    struct waiting *waiting = malloc(sizeof(*waiting));
    if (!waiting)
        exit(1);
    *waiting = (struct waiting){NULL, goroutine, time};
    *find(goroutine) = waiting;
}

static void end_wait(int64_t goroutine, int64_t time)
{
    struct waiting **link = find(goroutine), *waiting = *link;
    if (!waiting)
        return;
    unsigned int row = 0;
    for (uint64_t ns = (uint64_t) time - (uint64_t) waiting->since; ns > 1; ns /= 2)
        row++;
    histogram[row]++;
    *link = waiting->next;
    free(waiting);
}

static void add_transition(const gt_event *event)
{
    gt_transition change = GT_TRANSITION_INIT;
    gt_event_transition(event, &change);
    /* event->goroutine is the goroutine that caused the change, not the one that changes. */
    if (change.resource.kind != GT_RESOURCE_GOROUTINE || change.from == change.to)
        return;
    if (change.from == GT_GO_RUNNABLE)
        end_wait(change.resource.id, event->time);
    /* A goroutine that comes from Undetermined became runnable before the trace. */
    if (change.to == GT_GO_RUNNABLE && change.from != GT_GO_UNDETERMINED)
        begin_wait(change.resource.id, event->time);
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        fputs("usage: latency FILE\n", stderr);
        return 2;
    }
    gt_reader *reader;
    const gt_event *event;
    gt_error error = GT_ERROR_INIT;
    char text[GT_ERROR_TEXT_SIZE];
    gt_status status = gt_reader_open_file(&reader, argv[1], NULL, &error);
    while (status == GT_OK && (status = gt_reader_next_event(reader, &event)) == GT_OK) {
        if (event->kind == GT_EVENT_STATE_TRANSITION)
            add_transition(event);
    }
    for (int row = 0; row < 64; row++)
        printf("from %20" PRIu64 " ns: %" PRIu64 "\n", UINT64_C(1) << row, histogram[row]);
    gt_reader_error(reader, &error); /* does nothing if opening failed */
    if (gt_error_format(&error, text, sizeof(text)) > 0)
        fprintf(stderr, "%s: %s\n", argv[1], text);
    gt_reader_close(&reader);
    return status == GT_END ? 0 : 1;
}
