/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_ANALYSIS_PROFILE_H
#define GT_ANALYSIS_PROFILE_H

#include <gotrace/profile.h>

#include "analysis/profile/tally.h"
#include "analysis/stackset.h"
#include "base/idmap.h"
#include "base/mem.h"
#include "base/pool.h"

/* What a sample is of: the low bits of a tally's key, above which is the number of its stack. */
enum {
    GT_SLOT_NONE,
    /* Numbers of kinds up to GT_PROFILE_OFFCPU, and then all time by gt_go_state. */
    GT_SLOT_WALL = GT_PROFILE_WALL,
    GT_SLOTS = 16,
    GT_SLOT_BITS = 4,
    GT_PROFILE_KINDS = GT_PROFILE_WALL + 1,
    /* No slot, but that the reason of the wait says which. */
    GT_SLOT_BY_REASON = GT_SLOTS,
    GT_PROFILE_STATES = GT_GO_SYSCALL + 1,
    /* Goroutines that were looked up last, by the low bits of their ids. */
    GT_PROFILE_RECENT = 64
};

/* Whether a goroutine is one of those to count. */
enum gt_wanted {
    GT_WANTED_UNKNOWN, /* it has no name yet */
    GT_WANTED_NO,
    GT_WANTED_YES
};

/* A region that a goroutine is in. */
struct gt_profile_region {
    struct gt_profile_region *outer;
    int64_t begin;
    int fits;               /* its type is asked for */
    int sure;               /* it counts, whatever comes */
    struct gt_tally inside; /* what was counted in it, and not in those within */
};

/* Something that takes time, while it does. */
struct gt_span {
    int64_t since;
    uint32_t stack;
    uint32_t slot; /* GT_SLOT_NONE: it is not counted */
};

/* What most events need comes first, to lie in one line of the cache. */
struct gt_profile_go {
    int64_t id;
    uint32_t state;
    uint32_t stack;      /* its own, where it was last seen */
    struct gt_span wait; /* of Go's kinds */
    uint8_t wanted;      /* enum gt_wanted */
    uint8_t named;
    uint8_t is_system;
    uint8_t ran;
    uint8_t over;     /* it blocked for ever, which Go takes for its end */
    uint8_t claimed;  /* `late` has been counted with a region as old as the trace */
    uint8_t returns;  /* another may come with its id; see `again` in profile_go.c */
    uint8_t is_plain; /* it has a name or needs none, and is not over: see gt_profile_go_meet */
    uint32_t sure;    /* how many of its regions are */
    struct gt_profile_region *regions;
    struct gt_tally own; /* what counts unless another comes */
    struct gt_span off;
    struct gt_span wall;
    struct gt_tally early; /* from before it ran: counts if it never does */
    /* Until it is known who it is; with regions, what was in none. */
    struct gt_tally late;
    struct gt_profile_go *next; /* those that are alive */
    struct gt_profile_go **link;
};

/* A sample, in its place among all. */
struct gt_profile_row {
    uint32_t stack;
    uint32_t slot;
    struct gt_amount amount;
};

struct gt_profile {
    struct gt_mem mem;
    gt_profile_options options; /* texts are the profile's */
    char *texts;
    gt_status failure; /* what every later call returns, too */
    int busy;
    int counting; /* an event came, and more may */
    int finished;
    /* What the options come to: asked for each event. */
    uint32_t matters; /* a bit for each kind of event that does */
    uint8_t by_region;
    uint8_t own_spans;                     /* `wall` or `off` */
    uint8_t wait_slots[GT_PROFILE_STATES]; /* by state entered; GT_SLOT_BY_REASON */
    /* The event that is being counted, and what it changes. */
    struct gt_reader *reader;
    const gt_event *event;
    gt_transition change;

    struct gt_stackset stacks;
    struct gt_idmap by_id;
    struct gt_profile_go *recent[GT_PROFILE_RECENT];
    struct gt_pool pool;
    struct gt_profile_go *alive;
    struct gt_pool regions;
    struct gt_tally total;
    uint64_t selected;

    int64_t first_time;
    int64_t last_time;
    int64_t sync_time; /* of the last Sync, or of the first event */
    uint32_t sync;     /* how many Syncs there were */
    int has_wall_clock;
    int64_t wall_seconds;
    uint32_t wall_nanoseconds;

    struct gt_profile_row *rows;
    size_t row_count;
    size_t row_capacity;
    size_t kind_first[GT_PROFILE_KINDS + 1]; /* where each kind's rows begin */
    gt_frame *frames;                        /* for the caller: GT_STACK_MAX_FRAMES */
};

static inline int gt_profile_has(const struct gt_profile *p, uint32_t kind)
{
    return (p->options.kinds >> kind & 1) != 0;
}

static inline int gt_profile_by_region(const struct gt_profile *p)
{
    return p->by_region;
}

/* The kind that a slot is of. */
static inline uint32_t gt_slot_kind(uint32_t slot)
{
    return slot < GT_SLOT_WALL ? slot : GT_PROFILE_WALL;
}

/* Adds to what is counted of a goroutine, in the region that it is in. */
gt_status gt_profile_add(struct gt_profile *p, struct gt_profile_go *g, uint32_t slot,
                         uint32_t stack, struct gt_amount amount);

/* gt_profile_end_span of one that is counted. */
gt_status gt_profile_count_span(struct gt_profile *p, struct gt_profile_go *g, struct gt_span *span,
                                int64_t now);

/* Ends a span at `now`, and counts it. */
static inline gt_status gt_profile_end_span(struct gt_profile *p, struct gt_profile_go *g,
                                            struct gt_span *span, int64_t now)
{
    return span->slot == GT_SLOT_NONE ? GT_OK : gt_profile_count_span(p, g, span, now);
}

/* Whether with the transition a goroutine comes to be, or to be known. */
static inline int gt_profile_begins(const gt_transition *change)
{
    return change->from == GT_GO_NOT_EXIST || change->from == GT_GO_UNDETERMINED;
}

/*
 * Gets to know the goroutine `*g` of a transition, which is NULL where it is new, that begins
 * or was not plain before.
 */
gt_status gt_profile_go_meet(struct gt_profile *p, struct gt_profile_go **g,
                             const gt_transition *change);

/* It no longer exists, or blocks for ever, where Go's summary ends as well. */
gt_status gt_profile_go_end(struct gt_profile *p, struct gt_profile_go *g, int is_gone);

/* Names the goroutine by the root of its first stack, and sees what that makes of it. */
gt_status gt_profile_go_name(struct gt_profile *p, struct gt_profile_go *g, gt_stack stack);

/* Where what counts for certain goes. */
struct gt_tally *gt_profile_certain(struct gt_profile *p, struct gt_profile_go *g);

/* No more is to come of a goroutine: counts what depended on it. */
gt_status gt_profile_go_settle(struct gt_profile *p, struct gt_profile_go *g);

/* The counting of an event is over, and came to `status`. */
static inline gt_status gt_profile_done(struct gt_profile *p, gt_status status)
{
    p->busy = 0;
    if (status != GT_OK) {
        p->failure = status;
        p->counting = 0;
    }
    return status;
}

/* Begins to count with the event, if that is to be the first, and there was no failure or end. */
gt_status gt_profile_begin(struct gt_profile *p, const gt_event *event);

/* Counts the event, which is no transition. */
gt_status gt_profile_other(struct gt_profile *p);

/* The event, by kind. */
gt_status gt_profile_take_sample(struct gt_profile *p);
gt_status gt_profile_region_begin(struct gt_profile *p);
gt_status gt_profile_region_end(struct gt_profile *p);

/* The goroutine `g` was created by one that is in a region. */
gt_status gt_profile_region_inherit(struct gt_profile *p, struct gt_profile_go *g);

/* The regions of a goroutine that are open at its end. */
gt_status gt_profile_regions_close(struct gt_profile *p, struct gt_profile_go *g, int64_t end);

/* Puts the samples in order. */
gt_status gt_profile_sort(struct gt_profile *p);

#endif
