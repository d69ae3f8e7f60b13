/* SPDX-License-Identifier: BSD-3-Clause */
#include "v2/seam.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>

#include "base/error.h"
#include "v2/fit.h"
#include "v2/generation.h"
#include "v2/order.h"
#include "v2/table.h"

void gt_v2_seam_init(struct gt_v2_seam *seam, struct gt_v2 *v2)
{
    memset(seam, 0, sizeof(*seam));
    seam->v2 = v2;
    gt_idmap_init_objects(&seam->contexts, v2->mem, sizeof(struct gt_v2_context));
    gt_idmap_init_objects(&seam->goroutines, v2->mem, sizeof(struct gt_v2_earlier_goroutine));
    gt_idmap_init_objects(&seam->procs, v2->mem, sizeof(struct gt_v2_earlier_proc));
    gt_idmap_init(&seam->tasks, v2->mem);
}

/* Forgets the generation. */
static void seam_clear(struct gt_v2_seam *seam)
{
    gt_idmap_destroy(&seam->contexts);
    gt_idmap_destroy(&seam->goroutines);
    gt_idmap_destroy(&seam->procs);
    gt_idmap_destroy(&seam->tasks);
    seam->lanes.count = 0;
    seam->apart = NULL;
    seam->gc_known = seam->failed = false;
    seam->assists = seam->sweeps = 0;
    seam->created = seam->delivered = 0;
}

void gt_v2_seam_destroy(struct gt_v2_seam *seam)
{
    seam_clear(seam);
    gt_array_free(seam->v2->mem, &seam->lanes);
}

struct gt_v2_context *gt_v2_seam_context(struct gt_v2_seam *seam, int64_t thread)
{
    struct gt_v2_context *context = gt_idmap_get(&seam->contexts, (uint64_t) thread);
    if (context)
        return context;
    const struct gt_v2_thread *known = gt_idmap_get(&seam->v2->state.threads, (uint64_t) thread);
    context = gt_idmap_add(&seam->contexts, (uint64_t) thread);
    if (!context)
        return NULL;
    context->thread = thread;
    context->proc = known ? known->proc_id : GT_NO_PROC;
    context->goroutine = known ? known->goroutine_id : GT_NO_GOROUTINE;
    context->tried = known && known->lane.tried;
    context->is_earlier = context->goroutine != GT_NO_GOROUTINE;
    return context;
}

static gt_status seam_add_lanes(struct gt_v2_seam *seam)
{
    const struct gt_v2_generation *generation = &seam->apart->v2.generation;
    struct gt_mem *mem = seam->v2->mem;
    for (size_t i = 0; i < generation->threads.count; i++) {
        struct gt_v2_context *context = gt_v2_seam_context(seam, generation->threads.items[i]->id);
        if (!context || gt_array_add(mem, &seam->lanes, context) != GT_OK)
            return gt_mem_failure(mem);
    }
    return GT_OK;
}

gt_status gt_v2_seam_begin(struct gt_v2_seam *seam, struct gt_v2_apart *apart, const uint8_t *end,
                           struct gt_events *events)
{
    struct gt_v2 *v2 = seam->v2;
    const struct gt_v2_generation *generation = &apart->v2.generation;
    seam->apart = apart;
    seam->before.table = v2->table;
    gt_status status = seam_add_lanes(seam);
    if (status == GT_OK)
        status = gt_v2_table_take(v2, apart->v2.table);
    if (status != GT_OK) {
        seam_clear(seam);
        return gt_error_plain(v2->error, status);
    }
    if (v2->state.first_generation == 0 && generation->threads.count > 0)
        v2->state.first_generation = generation->number;
    seam->is_first = v2->state.first_generation == generation->number;
    seam->before.cur = v2->source->cur;
    seam->before.least_time = v2->output.least_time;
    seam->before.syncs = v2->output.syncs;
    v2->source->cur = end;
    v2->generations++;
    events->count = 0;
    gt_v2_sync_add(v2, events, gt_v2_to_ns(generation, generation->min_time), v2->table);
    gt_events_set_table(events, v2->table);
    v2->has_expired = !v2->keep;
    seam->delivered = 1;
    return GT_OK;
}

void gt_v2_seam_abandon(struct gt_v2_seam *seam)
{
    struct gt_v2 *v2 = seam->v2;
    gt_v2_table_return(v2, seam->before.table);
    v2->source->cur = seam->before.cur;
    v2->output.least_time = seam->before.least_time;
    v2->output.syncs = seam->before.syncs;
    v2->generations--;
    gt_v2_seam_leave(seam);
    seam_clear(seam);
}

gt_status gt_v2_seam_end(struct gt_v2_seam *seam)
{
    struct gt_v2 *v2 = seam->v2;
    struct gt_v2_apart *apart = seam->apart;
    gt_status status = gt_v2_adopt(seam);
    apart->v2.table = NULL;
    gt_names_join(&v2->names, &apart->v2.names);
    gt_v2_fit_join(&v2->fit, &apart->v2.fit);
    v2->generation.number = apart->v2.generation.number;
    v2->generation.undecoded = 0;
    v2->is_torn = false;
    if (seam->created > seam->largest)
        seam->largest = seam->created;
    seam_clear(seam);
    return status == GT_OK ? GT_OK : gt_error_plain(v2->error, status);
}

/* Takes a record that is followed by the whole event. Returns false if it does not fit. */
static GT_NOINLINE bool seam_take_whole(struct gt_v2_seam *seam, const struct gt_v2_record *record,
                                        struct gt_event_data *data)
{
    const struct gt_event_data *packed = (const struct gt_event_data *) (const void *) (record + 1);
    *data = *packed;
    data->table = seam->v2->table;
    gt_event_mark(data);
    if (data->type == GT_WIRE_CPU_SAMPLE)
        return true;
    struct gt_v2_context *context = seam->lanes.items[record->head >> 8];
    data->event.thread = context->thread;
    data->event.proc = context->proc;
    data->event.goroutine = context->goroutine;
    return gt_v2_seam_check(seam, context, packed, data);
}

/* Whether a range that begins is open already, since before the generation. */
static GT_NOINLINE bool seam_range_is_open(const struct gt_v2_seam *seam,
                                           const struct gt_v2_context *context, uint8_t type)
{
    if (type == GT_WIRE_GC_SWEEP_BEGIN) {
        const struct gt_v2_earlier_proc *proc =
            gt_idmap_get(&seam->procs, (uint64_t) context->proc);
        return proc && proc->sweeping;
    }
    const struct gt_v2_earlier_goroutine *goroutine =
        gt_idmap_get(&seam->goroutines, (uint64_t) context->goroutine);
    return goroutine && goroutine->assisting;
}

static GT_ALWAYS_INLINE void seam_set_goroutine(struct gt_v2_context *context, int64_t goroutine)
{
    context->goroutine = goroutine;
    context->is_earlier = false;
}

/*
 * Applies a frequent event to the context, and completes it. Returns false if it does not fit the
 * state before.
 */
static GT_ALWAYS_INLINE bool seam_apply(struct gt_v2_seam *seam, struct gt_v2_context *context,
                                        const struct gt_v2_record *record, enum gt_v2_form form,
                                        struct gt_event_data *data)
{
    switch (form) {
    case GT_V2_FORM_START:
        if (GT_UNLIKELY(context->goroutine != GT_NO_GOROUTINE))
            return false;
        seam_set_goroutine(context, (int64_t) record->argument);
        return true;
    case GT_V2_FORM_STOP:
        seam_set_goroutine(context, GT_NO_GOROUTINE);
        return true;
    case GT_V2_FORM_CREATE:
        data->own_stack = record->extra;
        return !context->is_earlier && gt_v2_seam_is_free(seam, record->argument);
    case GT_V2_FORM_RANGE:
        return (seam->assists == 0 && seam->sweeps == 0) ||
               !seam_range_is_open(seam, context, data->type);
    case GT_V2_FORM_SWEPT:
        memcpy(&data->arguments[1], &record->stack, sizeof(data->arguments[1]));
        data->stack = 0;
        return true;
    default:
        return true;
    }
}

static_assert(offsetof(gt_event, proc) == offsetof(gt_event, thread) + sizeof(int64_t) &&
                  offsetof(struct gt_v2_context, proc) ==
                      offsetof(struct gt_v2_context, thread) + sizeof(int64_t) &&
                  offsetof(struct gt_v2_record, extra) ==
                      offsetof(struct gt_v2_record, string) + sizeof(uint32_t),
              "two ids, and two strings, are copied as one");

static GT_ALWAYS_INLINE void seam_set_event(struct gt_event_data *data,
                                            const struct gt_v2_record *record,
                                            const struct gt_v2_context *context, uint8_t type)
{
    data->event.kind = gt_v2_actions[type].kind;
    memcpy(&data->event.thread, &context->thread, 2 * sizeof(int64_t));
    data->event.goroutine = context->goroutine;
    data->type = type;
    data->stack = record->stack;
    memcpy(data->strings, &record->string, sizeof(data->strings));
    data->arguments[0] = record->argument;
}

/* The end of the events for which there is room, and before which no test wants a failure. */
static const struct gt_event_data *seam_room(const struct gt_v2_seam *seam,
                                             const struct gt_events *events)
{
    uint64_t room = (uint64_t) GT_EVENTS_AHEAD - events->count;
    if (seam->fail_at > seam->delivered && seam->fail_at - seam->delivered - 1 < room)
        room = seam->fail_at - seam->delivered - 1;
    return &events->list[events->count + room];
}

const struct gt_v2_record *gt_v2_seam_take(struct gt_v2_seam *seam,
                                           const struct gt_v2_record *record,
                                           const struct gt_v2_record *end, struct gt_events *events)
{
    struct gt_event_data *data = &events->list[events->count];
    const struct gt_event_data *first = data, *last = seam_room(seam, events);
    struct gt_v2_context *const *lanes = seam->lanes.items;
    int64_t least_time = seam->v2->output.least_time;
    seam->failed = data == last;
    while (record < end && data < last) {
        uint8_t type = (uint8_t) record->head;
        enum gt_v2_form form = (enum gt_v2_form) gt_v2_forms[type];
        bool is_whole = form == GT_V2_FORM_WHOLE;
        bool fits;
        if (GT_UNLIKELY(is_whole)) {
            fits = seam_take_whole(seam, record, data);
        } else {
            struct gt_v2_context *context = lanes[record->head >> 8];
            seam_set_event(data, record, context, type);
            fits = seam_apply(seam, context, record, form, data);
        }
        if (GT_UNLIKELY(!fits)) {
            seam->failed = true;
            break;
        }
        data->event.time = gt_v2_time_after(&least_time, record->time);
        data++;
        record += is_whole ? (size_t) GT_V2_RECORDS_WHOLE : 1;
    }
    seam->v2->output.least_time = least_time;
    seam->delivered += (uint64_t) (data - first);
    events->count = (unsigned) (data - events->list);
    return record;
}
