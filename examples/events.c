/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reads a trace and counts its events by kind: the smallest program that uses
 * libgotrace well.
 *
 *     events FILE
 *
 * To build it against the installed library:
 *
 *     cc events.c $(pkg-config --cflags --libs gotrace)
 */
#include <inttypes.h>
#include <stdio.h>

#include <gotrace/gotrace.h>

/* Kinds that this program was built with. The library may be newer and know more. */
#define KINDS (GT_EVENT_EXPERIMENTAL + 1)

static int fail(const char *file, const gt_error *error)
{
    fprintf(stderr, "events: %s: %s\n", file, error->message);
    return 1;
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        fputs("usage: events FILE\n", stderr);
        return 2;
    }

    /* Opening reads no more than the header, so it fails on what is no trace at all. */
    gt_reader *reader;
    gt_error error = GT_ERROR_INIT;
    if (gt_reader_open_file(&reader, argv[1], NULL, &error) != GT_OK)
        return fail(argv[1], &error);

    /*
     * The event belongs to the reader, and is gone with the next call: copy
     * what you want to keep. Its five members need no call; what else an event
     * of some kind says is had from a getter, such as gt_event_transition.
     */
    uint64_t counts[KINDS] = {0};
    const gt_event *event;
    gt_status status;
    while ((status = gt_reader_next_event(reader, &event)) == GT_OK) {
        if (event->kind < KINDS)
            counts[event->kind]++;
    }

    /* A damaged trace gives all that is good in it first, so there is something to print. */
    for (uint32_t kind = 1; kind < KINDS; kind++)
        printf("%-16s%" PRIu64 "\n", gt_event_kind_name(kind), counts[kind]);

    int code = 0;
    if (status != GT_END) {
        gt_reader_error(reader, &error);
        code = fail(argv[1], &error);
    }
    gt_reader_close(&reader);
    return code;
}
