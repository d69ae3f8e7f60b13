/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reads a trace and counts its events by kind: the smallest program that uses
 * libgotrace properly.
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

/* The kinds that this program knows. The library may be newer and have more. */
#define KINDS (GT_EVENT_EXPERIMENTAL + 1)

static int fail(const char *file, const gt_error *error)
{
    char text[GT_ERROR_TEXT_SIZE];
    gt_error_format(error, text, sizeof(text));
    fprintf(stderr, "%s: %s\n", file, text);
    return 1;
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        fputs("usage: events FILE\n", stderr);
        return 2;
    }

    /* Opening reads only the header, and fails if the file is not a trace. */
    gt_reader *reader;
    gt_error error = GT_ERROR_INIT;
    if (gt_reader_open_file(&reader, argv[1], NULL, &error) != GT_OK)
        return fail(argv[1], &error);

    /*
     * The event belongs to the reader and is valid until the next call: keep
     * what you want of it, or all of it with gt_event_copy. Its five members are
     * read directly; everything else is read by a getter for its kind, such as
     * gt_event_transition.
     */
    uint64_t counts[KINDS] = {0};
    const gt_event *event;
    gt_status status;
    while ((status = gt_reader_next_event(reader, &event)) == GT_OK) {
        if (event->kind < KINDS)
            counts[event->kind]++;
    }

    /* A damaged trace first yields all its good events, so there are counts to print. */
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
