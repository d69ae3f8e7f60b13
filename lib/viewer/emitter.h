/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_VIEWER_EMITTER_H
#define GT_VIEWER_EMITTER_H

#include <gotrace/emitter.h>

#include "base/mem.h"
#include "viewer/counters.h"
#include "viewer/frames.h"
#include "viewer/rows.h"

struct gt_emitter {
    struct gt_mem mem;
    gt_consumer consumer;
    gt_emitter_options options;
    gt_status status; /* GT_OK until emitting failed; then for ever the same */
    int flushed;
    int busy; /* in a call that may call the caller back */
    uint64_t events;
    uint64_t arrows; /* how many were given, which is the last one's id */
    uint64_t async_slices;
    struct gt_counters counters;
    struct gt_frames frames;
    struct gt_rows resources;
    struct gt_rows tasks;
    char *resource_type;
    size_t resource_type_size;
    uint64_t focus; /* 0: none */
};

/* Each function begins with this, and ends with gt_emitter_leave if that is GT_OK. */
static inline gt_status gt_emitter_enter(struct gt_emitter *emitter)
{
    if (!emitter || emitter->busy)
        return GT_ERR_INVALID_ARGUMENT;
    if (emitter->status != GT_OK)
        return emitter->status;
    if (emitter->flushed)
        return GT_ERR_INVALID_ARGUMENT;
    emitter->busy = 1;
    return GT_OK;
}

/* A wrong call does not end the emitting; all else does. */
static inline gt_status gt_emitter_leave(struct gt_emitter *emitter, gt_status status)
{
    emitter->busy = 0;
    if (status != GT_OK && status != GT_ERR_INVALID_ARGUMENT)
        emitter->status = status;
    return status;
}

static inline int gt_emitter_in_range(const struct gt_emitter *emitter, int64_t time)
{
    return emitter->options.range_start <= time && time <= emitter->options.range_end;
}

static inline int gt_emitter_shows(const struct gt_emitter *emitter, uint64_t resource)
{
    return !emitter->options.filter ||
           emitter->options.filter(emitter->options.filter_data, resource) != 0;
}

/*
 * An event without anything more. Member by member: compilers clear a structure of this
 * size by an instruction that takes longer than all else that is done to emit one.
 */
static inline gt_viewer_event gt_viewer_event_make(char phase, gt_section section,
                                                   uint64_t resource, int64_t time)
{
    static const gt_string none = {"", 0};
    gt_viewer_event event;
    event.size = sizeof(event);
    event.phase = (uint32_t) (unsigned char) phase;
    event.section = section;
    event.resource = resource;
    event.time = time;
    event.duration = 0;
    event.name = none;
    event.category = none;
    event.scope = none;
    event.color = none;
    event.id = 0;
    event.stack = 0;
    event.end_stack = 0;
    event.arguments = NULL;
    event.argument_count = 0;
    return event;
}

/* Hands an event to the consumer. */
static inline gt_status gt_emitter_give(struct gt_emitter *emitter, const gt_viewer_event *event,
                                        int required)
{
    const gt_consumer *consumer = &emitter->consumer;
    emitter->events++;
    if (consumer->event && consumer->event(consumer->user_data, event, required) != 0)
        return GT_ERR_CALLBACK;
    return GT_OK;
}

/* Hands on the names and places of all rows. */
gt_status gt_emitter_give_rows(struct gt_emitter *emitter);

#endif
