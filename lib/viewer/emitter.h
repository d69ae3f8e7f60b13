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

/* An event without anything more. */
static inline gt_viewer_event gt_viewer_event_make(char phase, gt_section section,
                                                   uint64_t resource, int64_t time)
{
    static const gt_string none = {"", 0};
    return (gt_viewer_event){
        .size = sizeof(gt_viewer_event),
        .phase = (uint32_t) (unsigned char) phase,
        .section = section,
        .resource = resource,
        .time = time,
        .name = none,
        .category = none,
        .scope = none,
        .color = none,
    };
}

/* Hands an event to the consumer. */
gt_status gt_emitter_give(struct gt_emitter *emitter, const gt_viewer_event *event, int required);

/* Hands on the names and places of all rows. */
gt_status gt_emitter_give_rows(struct gt_emitter *emitter);

#endif
