/* SPDX-License-Identifier: BSD-3-Clause */
#include "web/jsonrows.h"

#include <string.h>

void gt_json_rows_open(struct gt_json_rows *rows, struct gt_mem *mem)
{
    *rows = (struct gt_json_rows){.target = GT_CONSUMER_INIT};
    gt_idmap_init(&rows->chosen, mem);
    gt_idmap_init(&rows->used, mem);
}

void gt_json_rows_close(struct gt_json_rows *rows)
{
    gt_idmap_destroy(&rows->chosen);
    gt_idmap_destroy(&rows->used);
}

bool gt_json_rows_choose(struct gt_json_rows *rows, struct gt_store *store, uint32_t view,
                         const struct gt_query_tracks *tracks)
{
    bool good = true;
    rows->has_chosen = true;
    gt_store_lock_read(store);
    for (size_t i = 0; i < tracks->count && good; i++) {
        uint32_t of, ordinal;
        struct gt_store_head head;
        if (gt_store_track_row(store, tracks->list[i], &of, &ordinal) && of == view &&
            gt_store_get_head(store, view, ordinal, &head))
            good = gt_idmap_put_number(&rows->chosen, (uint64_t) head.id, 1) == GT_OK;
    }
    gt_store_unlock(store);
    return good;
}

int gt_json_rows_filter(void *user_data, uint64_t resource)
{
    const struct gt_json_rows *rows = user_data;
    return !rows->has_chosen || gt_idmap_get_number(&rows->chosen, resource) != 0;
}

static int json_rows_take_unit(void *user_data, const char *unit)
{
    const struct gt_json_rows *rows = user_data;
    return rows->target.time_unit(rows->target.user_data, unit);
}

/* Whether an event names or places a row, as opposed to a whole section. */
static bool json_rows_is_name(const gt_viewer_event *event)
{
    return event->phase == 'M' && event->section == GT_SECTION_RESOURCES && event->name.size > 7 &&
           memcmp(event->name.data, "thread_", 7) == 0;
}

static int json_rows_take_event(void *user_data, const gt_viewer_event *event, int required)
{
    struct gt_json_rows *rows = user_data;
    /* The emitter names rows after all other events. */
    if (json_rows_is_name(event) && gt_idmap_get_number(&rows->used, event->resource) == 0)
        return 0;
    if (event->phase != 'M' && event->section == GT_SECTION_RESOURCES &&
        gt_idmap_put_number(&rows->used, event->resource, 1) != GT_OK)
        return 1;
    return rows->target.event(rows->target.user_data, event, required);
}

static int json_rows_take_frame(void *user_data, const gt_viewer_frame *frame)
{
    const struct gt_json_rows *rows = user_data;
    return rows->target.frame(rows->target.user_data, frame);
}

static int json_rows_take_flush(void *user_data)
{
    const struct gt_json_rows *rows = user_data;
    return rows->target.flush(rows->target.user_data);
}

void gt_json_rows_wrap(struct gt_json_rows *rows, gt_consumer *consumer)
{
    rows->target = *consumer;
    consumer->user_data = rows;
    consumer->time_unit = json_rows_take_unit;
    consumer->event = json_rows_take_event;
    consumer->frame = json_rows_take_frame;
    consumer->flush = json_rows_take_flush;
}
