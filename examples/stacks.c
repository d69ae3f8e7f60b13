/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Counts where goroutines begin to wait: by the handles of stacks while a generation is read, and
 * by the names of functions when it has been read.
 *
 *     stacks FILE
 *
 * A handle is a number, so counting by it is cheap. Frames can be asked for until the call after
 * the one that returned the next Sync, so each stack is looked up once.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include <gotrace/gotrace.h>

/* The low 32 bits of handles are small numbers, so they are indices. */
struct counts {
    uint64_t *by_slot;
    size_t room;
    gt_stack generation; /* the high 32 bits, which all stacks of a generation share */
};

static int count_stack(struct counts *counts, gt_stack stack)
{
    size_t slot = stack & UINT32_MAX;
    if (stack == GT_STACK_NONE || slot == GT_STACK_EMPTY_SLOT)
        return 0;
    if (slot >= counts->room) {
        size_t room = slot * 2 + 64;
        uint64_t *larger = realloc(counts->by_slot, room * sizeof(*larger));
        if (!larger)
            return -1;
        for (size_t i = counts->room; i < room; i++)
            larger[i] = 0;
        counts->by_slot = larger;
        counts->room = room;
    }
    counts->by_slot[slot]++;
    counts->generation = stack - slot;
    return 0;
}

static void print_counts(gt_reader *reader, struct counts *counts)
{
    for (size_t slot = 0; slot < counts->room; slot++) {
        const gt_frame *frames;
        size_t count;
        if (counts->by_slot[slot] > 0 &&
            gt_stack_view(reader, counts->generation + slot, &frames, &count) == GT_OK && count > 0)
            printf("%" PRIu64 " %.*s\n", counts->by_slot[slot], (int) frames[0].function.size,
                   frames[0].function.data);
        counts->by_slot[slot] = 0;
    }
}

int main(int argc, char **argv)
{
    gt_reader *reader;
    gt_error error = GT_ERROR_INIT;
    char text[GT_ERROR_TEXT_SIZE];
    struct counts counts = {NULL, 0, 0};
    const gt_event *event;
    gt_status status = gt_reader_open_file(&reader, argc > 1 ? argv[1] : "", NULL, &error);
    while (status == GT_OK && (status = gt_reader_next_event(reader, &event)) == GT_OK) {
        gt_transition transition = GT_TRANSITION_INIT;
        if (event->kind == GT_EVENT_SYNC)
            print_counts(reader, &counts);
        else if (gt_event_goroutine_transition(event, &transition) == GT_OK &&
                 transition.to == GT_GO_WAITING && count_stack(&counts, transition.stack) != 0)
            break;
    }
    print_counts(reader, &counts);
    free(counts.by_slot);
    gt_reader_error(reader, &error);
    gt_reader_close(&reader);
    if (gt_error_format(&error, text, sizeof(text)) > 0)
        fprintf(stderr, "%s: %s\n", argc > 1 ? argv[1] : "stacks", text);
    return status == GT_END ? 0 : 1;
}
