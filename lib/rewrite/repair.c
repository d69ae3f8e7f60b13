/* SPDX-License-Identifier: BSD-3-Clause */
#include "rewrite/writer.h"
#include "v2/spec.h"

/* Returns the type of the event by which a goroutine comes from one status to another, or 0. */
static uint32_t repair_type(uint32_t from, uint32_t to)
{
    if (to == GT_V2_GO_RUNNING)
        return from == GT_V2_GO_RUNNABLE ? GT_WIRE_GO_START : 0;
    if (to == GT_V2_GO_WAITING)
        return from == GT_V2_GO_RUNNING ? GT_WIRE_GO_BLOCK : 0;
    if (to != GT_V2_GO_RUNNABLE)
        return 0;
    switch (from) {
    case GT_V2_GO_RUNNING:
        return GT_WIRE_GO_STOP;
    case GT_V2_GO_SYSCALL:
        return GT_WIRE_GO_SYSCALL_END_BLOCKED;
    case GT_V2_GO_WAITING:
        return GT_WIRE_GO_UNBLOCK;
    default:
        return 0;
    }
}

void gt_rewrite_repair(struct gt_writer *writer, struct gt_rewrite_event *e)
{
    gt_transition change = GT_TRANSITION_INIT;
    if (e->type != GT_WIRE_GO_STATUS || gt_event_transition(e->event, &change) != GT_OK ||
        change.from == GT_GO_UNDETERMINED)
        return;
    const struct gt_rewrite_goroutine *goroutine =
        gt_idmap_get(&writer->state.goroutine_map, (uint64_t) change.resource.id);
    uint32_t type = goroutine ? repair_type(goroutine->status, e->status) : 0;
    bool needs_thread = type != GT_WIRE_GO_UNBLOCK && type != GT_WIRE_GO_START;
    if (type == 0 || (needs_thread && !goroutine->thread))
        return;
    e->type = type;
    if (needs_thread)
        e->thread = goroutine->thread;
}

gt_status gt_rewrite_nest_region(struct gt_writer *writer, const struct gt_rewrite_event *e,
                                 bool *is_left_out)
{
    bool is_region =
        e->event->kind == GT_EVENT_REGION_BEGIN || e->event->kind == GT_EVENT_REGION_END;
    struct gt_rewrite_goroutine *goroutine =
        is_region && writer->is_writing
            ? gt_idmap_get(&writer->state.goroutine_map, (uint64_t) e->event->goroutine)
            : NULL;
    if (!goroutine)
        return GT_OK;
    gt_status status =
        gt_rewrite_region_take(&writer->state.regions, &goroutine->regions, e->event, is_left_out);
    writer->info.left_out += *is_left_out;
    return status == GT_OK ? GT_OK : gt_rewrite_no_memory(writer);
}
