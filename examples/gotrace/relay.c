/* SPDX-License-Identifier: BSD-3-Clause */
#include "relay.h"

gt_status relay_open(struct relay *relay, gt_error *error)
{
    return gt_reader_open_push(&relay->reader, NULL, error);
}

/* Passes on what there is. Returns false if something fails. */
static bool relay_pass(struct relay *relay)
{
    const gt_event *event;
    while ((relay->status = gt_reader_next_event(relay->reader, &event)) == GT_OK) {
        if (gt_downgrader_event(relay->downgrader, event) != GT_OK)
            return false;
    }
    return relay->status >= GT_OK;
}

bool relay_take(struct relay *relay, const void *data, size_t size)
{
    relay->status = gt_reader_feed(relay->reader, data, size);
    return relay->status == GT_OK && relay_pass(relay);
}

bool relay_end(struct relay *relay)
{
    gt_reader_finish(relay->reader);
    return relay_pass(relay) && relay->status == GT_END;
}

void relay_close(struct relay *relay)
{
    gt_reader_close(&relay->reader);
    relay->downgrader = NULL;
}
