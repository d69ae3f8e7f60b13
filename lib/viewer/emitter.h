/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_VIEWER_EMITTER_H
#define GT_VIEWER_EMITTER_H

#include <stdbool.h>

#include <gotrace/emitter.h>

#include "base/array.h"
#include "base/mem.h"
#include "viewer/counters.h"
#include "viewer/frames.h"
#include "viewer/rows.h"

enum {
    GT_SECTIONS = 3
};

/* The name that the caller gave to a section. */
struct gt_section_name {
    bool is_given;
    char *text; /* NULL if it is empty */
    size_t size;
};

struct gt_emitter {
    struct gt_mem mem;
    gt_consumer consumer;
    gt_emitter_options options;
    gt_status status; /* the failure that ended the emitting, or GT_OK */
    bool flushed;
    bool busy; /* in a call that may call the caller back */
    uint64_t events;
    uint64_t arrows; /* the number emitted, which is the id of the last one */
    uint64_t async_slices;
    struct gt_counters counters;
    struct gt_frames frames;
    struct gt_rows resources;
    struct gt_rows tasks;
    struct gt_section_name names[GT_SECTIONS];
    bool is_used[GT_SECTIONS]; /* an event of this section was emitted */
    bool follows_go;           /* gt_emitter_follow_go */
    uint64_t focus;            /* 0: none */
    GT_ARRAY(char) label;      /* scratch memory for the name of a counter */
    gt_status last_failure;    /* the status of the last call that failed */
    const char *fault;         /* what was wrong with its arguments; NULL: see its status */
};

/* Refuses a call. `fault` is a constant that says which argument or member is wrong. */
static inline gt_status gt_emitter_refuse(struct gt_emitter *emitter, const char *fault)
{
    emitter->fault = fault;
    return GT_ERR_INVALID_ARGUMENT;
}

/*
 * Must begin each function of the API, and gt_emitter_leave must end it. False: the function must
 * return gt_emitter_refusal.
 */
static inline bool gt_emitter_enter(struct gt_emitter *emitter)
{
    if (!emitter || emitter->busy || emitter->status != GT_OK || emitter->flushed)
        return false;
    emitter->busy = true;
    return true;
}

/* Returns the status with which a call is refused, if the emitter cannot be used. */
static inline gt_status gt_emitter_refusal(const struct gt_emitter *emitter)
{
    return !emitter || emitter->busy || emitter->status == GT_OK ? GT_ERR_INVALID_ARGUMENT
                                                                 : emitter->status;
}

/* Every failure ends the emitting, except a call with invalid arguments. */
static inline gt_status gt_emitter_leave(struct gt_emitter *emitter, gt_status status)
{
    emitter->busy = false;
    if (status != GT_OK)
        emitter->last_failure = status;
    if (status != GT_OK && status != GT_ERR_INVALID_ARGUMENT)
        emitter->status = status;
    return status;
}

static inline bool gt_emitter_in_range(const struct gt_emitter *emitter, int64_t time)
{
    return emitter->options.range_start <= time && time <= emitter->options.range_end;
}

static inline bool gt_emitter_shows(const struct gt_emitter *emitter, uint64_t resource)
{
    return !emitter->options.filter ||
           emitter->options.filter(emitter->options.filter_data, resource) != 0;
}

/* Whether an id of a stack is 0 or one that was handed out. */
static inline bool gt_emitter_has_stack(const struct gt_emitter *emitter, uint32_t stack)
{
    return stack <= emitter->frames.nodes.count;
}

/*
 * Makes an event whose other members are 0. Members are set one by one, because compilers clear a
 * structure of this size with an instruction that takes longer than the rest of emitting an event.
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

/* Passes an event to the consumer. */
static inline gt_status gt_emitter_give(struct gt_emitter *emitter, const gt_viewer_event *event,
                                        bool required)
{
    const gt_consumer *consumer = &emitter->consumer;
    emitter->events++;
    if (event->section < GT_SECTIONS && event->phase != 'M')
        emitter->is_used[event->section] = true;
    if (consumer->event && consumer->event(consumer->user_data, event, required) != 0)
        return GT_ERR_CALLBACK;
    return GT_OK;
}

/* Passes the names and positions of all rows to the consumer. */
gt_status gt_emitter_give_rows(struct gt_emitter *emitter);

#endif
