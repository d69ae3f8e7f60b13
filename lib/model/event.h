/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_MODEL_EVENT_H
#define GT_MODEL_EVENT_H

#include <stdbool.h>
#include <stdint.h>

#include <gotrace/event.h>

#include "model/names.h"
#include "model/table.h"

enum {
    GT_EVENT_ARGUMENTS = 4
};

/* A slot of a text that is not in the table: arguments 2 and 3 are its address and its size. */
#define GT_TEXT_INLINE UINT32_MAX

enum {
    /* An event takes two cache lines, of which its members need GT_EVENT_MEMBERS bytes. */
    GT_EVENT_BYTES = 128,
    GT_EVENT_MEMBERS = 56 + 8 * GT_EVENT_ARGUMENTS + 2 * sizeof(void *) + 4
};

/*
 * An event, which begins with the gt_event that the caller sees. The members that most events have
 * are in the first cache line, with the first argument. So usually only that line moves to
 * another processor if a second thread decodes: members that an event lacks are not written.
 */
struct gt_event_data {
    gt_event event;
    uint8_t type; /* a gt_wire_type, or see model/wire.h; tells the meaning of what follows */
    uint8_t from; /* the states of a transition, if its type does not tell them */
    uint8_t to;
    bool is_copy;        /* the event is a struct gt_event_copied */
    uint32_t stack;      /* the slot of the stack at which the event happened */
    uint32_t strings[2]; /* slots: reason, name or label; or category and message of a log */
    uint64_t arguments[GT_EVENT_ARGUMENTS]; /* as on the wire, after the time; see the getters */
    const struct gt_name *name;             /* a text that may be of an earlier generation */
    const struct gt_table *table;           /* NULL in a Sync that opens no generation */
    uint32_t own_stack;                     /* the slot of a created goroutine's stack */
    char rest[GT_EVENT_BYTES - GT_EVENT_MEMBERS];
};

/*
 * How many events are decoded at once. A loop over many events is twice as fast as a call for
 * each. More than this many gain nothing, and do not fit into the first-level cache.
 */
enum {
    GT_EVENTS_AHEAD = 32
};

/* A block of decoded events. */
struct gt_events {
    struct gt_event_data list[GT_EVENTS_AHEAD];
    uint64_t repairs;     /* the number of repairs of the trace so far */
    uint64_t undecoded;   /* how many bytes that were read hold events after these */
    uint64_t first_procs; /* what gt_reader_get_first_procs returns */
    unsigned count;
    char rest[GT_EVENT_BYTES - 28];
};

/*
 * The mark of an event, gt_event.reserved, which depends on its address. A program that assigns a
 * gt_event gets a part of it, behind which getters would read: they look at the mark first.
 */
static inline uint32_t gt_event_mark_of(const gt_event *event)
{
    return ~(uint32_t) ((uintptr_t) event / sizeof(uint64_t));
}

static inline void gt_event_mark(struct gt_event_data *data)
{
    data->event.reserved = gt_event_mark_of(&data->event);
}

/* Gives an event the kind, time and context of another one. */
static inline void gt_event_take_context(struct gt_event_data *to, const struct gt_event_data *from)
{
    to->event = from->event;
    gt_event_mark(to);
}

/* Whether all of the event is there. `event` may be NULL. */
static inline bool gt_event_is_whole(const gt_event *event)
{
    return event && event->reserved == gt_event_mark_of(event);
}

/* Sets the table of all events that are decoded to this block, until it is set again. */
static inline void gt_events_set_table(struct gt_events *events, const struct gt_table *table)
{
    for (unsigned i = 0; i < GT_EVENTS_AHEAD; i++) {
        events->list[i].table = table;
        gt_event_mark(&events->list[i]);
    }
}

static inline const struct gt_event_data *gt_event_data_of(const gt_event *event)
{
    return (const struct gt_event_data *) event;
}

/* Whether the event was made by gt_event_copy or gt_event_copy_into. */
static inline bool gt_event_is_copy(const gt_event *event)
{
    return gt_event_is_whole(event) && gt_event_data_of(event)->is_copy;
}

#endif
