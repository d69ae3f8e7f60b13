/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_MODEL_EVENT_H
#define GT_MODEL_EVENT_H

#include <stdint.h>

#include <gotrace/event.h>

#include "model/names.h"
#include "model/table.h"

enum {
    GT_EVENT_ARGUMENTS = 4
};

/* ... which, where its slot is this, the arguments 2 and 3 say: its address and size. */
#define GT_TEXT_INLINE UINT32_MAX

enum {
    /* An event takes two lines of the cache, of which its members need so many bytes. */
    GT_EVENT_BYTES = 128,
    GT_EVENT_MEMBERS = 56 + 8 * GT_EVENT_ARGUMENTS + 2 * sizeof(void *) + 4
};

/*
 * The event behind a gt_event: each is decoded right into what the caller sees. What most events
 * have is in the first line, so that no more goes from one processor to another where a second
 * thread decodes: their first argument too, and the others are not written.
 */
struct gt_event_data {
    gt_event event;
    uint8_t type; /* see model/wire.h: how the rest is to be read */
    uint8_t from; /* states of a transition whose type does not say them */
    uint8_t to;
    uint8_t unused;
    uint32_t stack;      /* the slot of the context's */
    uint32_t strings[2]; /* slots: a reason, name, label; or category and message, ... */
    uint64_t arguments[GT_EVENT_ARGUMENTS]; /* as on the wire, after the time: what getters say */
    const struct gt_name *name;             /* where the text is not of this generation */
    const struct gt_table *table;           /* NULL in a Sync that opens no generation */
    uint32_t own_stack;                     /* the slot of a created goroutine's */
    char rest[GT_EVENT_BYTES - GT_EVENT_MEMBERS];
};

/*
 * How many events are decoded in one go. A loop over many is twice as fast as a
 * call for each; more than this gains nothing and leaves the fastest cache.
 */
enum {
    GT_EVENTS_AHEAD = 32
};

/* Events that are decoded, and not yet delivered. */
struct gt_events {
    struct gt_event_data list[GT_EVENTS_AHEAD];
    uint64_t repairs; /* of the trace, up to these */
    unsigned count;
    char rest[GT_EVENT_BYTES - 12];
};

/* Which table the events refer to, for all that are decoded to there until it is another. */
static inline void gt_events_set_table(struct gt_events *events, const struct gt_table *table)
{
    for (unsigned i = 0; i < GT_EVENTS_AHEAD; i++)
        events->list[i].table = table;
}

static inline const struct gt_event_data *gt_event_data_of(const gt_event *event)
{
    return (const struct gt_event_data *) event;
}

#endif
