/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reads a trace in an event loop, which also does something else: the descriptor does not block,
 * and GT_AGAIN leads back to poll(2).
 *
 *     poll <PIPE
 */
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <unistd.h>

#include <gotrace/gotrace.h>

struct totals {
    uint64_t events;
    uint64_t turns; /* of the loop */
};

/* Takes the events that are there, but not so many that others have to wait. */
static gt_status take_events(gt_reader *reader, struct totals *totals)
{
    for (int i = 0; i < 1000; i++) {
        const gt_event *event;
        gt_status status = gt_reader_next_event(reader, &event);
        if (status != GT_OK)
            return status;
        totals->events++;
    }
    return GT_OK;
}

int main(void)
{
    int flags = fcntl(STDIN_FILENO, F_GETFL);
    gt_reader *reader;
    gt_error error = GT_ERROR_INIT;
    if (flags < 0 || fcntl(STDIN_FILENO, F_SETFL, flags | O_NONBLOCK) < 0)
        return perror("poll"), 1;
    if (gt_reader_open_fd(&reader, STDIN_FILENO, NULL, &error) != GT_OK)
        return fprintf(stderr, "poll: %s\n", error.message), 1;

    struct totals totals = {0, 0};
    struct pollfd source = {STDIN_FILENO, POLLIN, 0};
    gt_status status = GT_AGAIN;
    while (status == GT_AGAIN || status == GT_OK) {
        /* After GT_OK there is more to take, so other descriptors are looked at without waiting. */
        if (poll(&source, 1, status == GT_AGAIN ? 1000 : 0) < 0)
            break;
        totals.turns++;
        status = take_events(reader, &totals);
    }
    char text[GT_ERROR_TEXT_SIZE];
    if (gt_reader_error(reader, &error) == GT_OK && gt_error_format(&error, text, sizeof(text)) > 0)
        fprintf(stderr, "poll: %s\n", text);
    gt_reader_close(&reader);
    fcntl(STDIN_FILENO, F_SETFL, flags);
    printf("%" PRIu64 " events in %s turn of the loop\n", totals.events,
           totals.turns > 1 ? "more than one" : "one");
    return status == GT_END ? 0 : 1;
}
