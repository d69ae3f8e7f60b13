/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_ANALYSIS_PROFILE_H
#define GT_ANALYSIS_PROFILE_H

#include <stdbool.h>

#include <gotrace/profile.h>

#include "analysis/profile/tally.h"
#include "analysis/stackset.h"
#include "base/array.h"
#include "base/idmap.h"
#include "base/mem.h"
#include "base/pool.h"
#include "base/texts.h"

/*
 * What a sample counts, as the low bits of a tally's key; the number of the stack is above them.
 * The slots up to GT_PROFILE_OFFCPU are kinds. From GT_SLOT_WALL on, they are the kind wall by
 * gt_go_state.
 */
enum {
    GT_SLOT_NONE,
    GT_SLOT_WALL = GT_PROFILE_WALL,
    GT_SLOTS = 16,
    GT_SLOT_BITS = 4,
    GT_PROFILE_KINDS = GT_PROFILE_WALL + 1,
    /* Not a slot: the reason of the wait decides. */
    GT_SLOT_BY_REASON = GT_SLOTS,
    GT_PROFILE_STATES = GT_GO_SYSCALL + 1,
    /* Instead of the type of a region. */
    GT_PROFILE_INHERITED = INT32_MAX,
    /* The size of the cache of goroutines, which is indexed by the low bits of their ids. */
    GT_PROFILE_RECENT = 64,
    /* The first version of Go whose traces have generations. */
    GT_PROFILE_GENERATIONS = 22
};

/* Whether the options select a goroutine. */
enum gt_wanted {
    GT_WANTED_UNKNOWN, /* its name is not known yet */
    GT_WANTED_NO,
    GT_WANTED_YES
};

/* A region that is open on a goroutine. */
struct gt_profile_region {
    struct gt_profile_region *outer;
    int64_t begin;
    uint64_t task;
    uint32_t type;          /* the text; GT_PROFILE_INHERITED: stands for those of the creator */
    bool matches;           /* the options select its type */
    bool certain;           /* it counts, however long it lasts */
    struct gt_tally inside; /* what was counted in it, but not in a region within it */
};

/* A stretch of time that is being measured. */
struct gt_profile_span {
    int64_t since;
    uint32_t stack;
    uint32_t slot; /* GT_SLOT_NONE: it is not counted */
};

/* The members that most events need come first, so that they share a cache line. */
struct gt_profile_goroutine {
    int64_t id;
    uint32_t state;
    uint32_t stack;              /* its own stack, when it was last known */
    struct gt_profile_span wait; /* for the kinds of go tool trace */
    uint8_t wanted;              /* an enum gt_wanted */
    bool has_name;
    bool is_system;
    bool has_run;
    bool blocks_forever;  /* which Go takes for the goroutine's end */
    bool pending_counted; /* `pending` was counted for a region that began before the trace */
    bool may_be_c;        /* a C thread may have made it, whose ids come again */
    bool is_plain;        /* gt_profile_goroutine_meet has nothing to do for it */
    uint32_t certain;     /* how many of its open regions are certain */
    struct gt_profile_region *regions; /* the innermost first */
    struct gt_tally own; /* counts unless another goroutine gets the id: see profiled_recur */
    struct gt_profile_span off;
    struct gt_profile_span wall;
    struct gt_tally before_run; /* counts if it never runs */
    /* Counts if the goroutine is selected; in a profile by region, what was in no region. */
    struct gt_tally pending;
    struct gt_profile_goroutine *next; /* in the list of live goroutines */
    struct gt_profile_goroutine **link;
};

/*
 * What was counted for a goroutine that ended in the first generation, where the status of another
 * one with the same id may follow.
 */
struct gt_profile_past {
    struct gt_profile_past *next;
    struct gt_profile_past **link;
    int64_t id;
    uint32_t count;
    uint32_t certain; /* so many of the entries count unless another goroutine gets the id */
    bool was_selected;
    struct gt_tally_entry entries[];
};

/* A finished sample. */
struct gt_profile_row {
    uint32_t stack;
    uint32_t slot;
    struct gt_amount amount;
};

struct gt_profile {
    struct gt_mem mem;
    gt_profile_options options; /* with copies of the texts */
    char *texts;                /* where these are */
    gt_status failure;          /* the first failure, which every later call returns as well */
    bool busy;                  /* a call is in progress */
    bool is_counting;           /* the last call took an event, and did not fail */
    bool has_begun;             /* the first event came */
    bool has_results;           /* there are rows, and no event came since */
    bool finished;
    bool is_first; /* no generation with a goroutine has ended yet; never before Go 1.22 */
    /* What follows from the options, for every event. */
    uint32_t matters; /* a bit for each kind of event that is not ignored */
    bool by_region;
    bool counts_all; /* the kinds of Go count all waits, as the other kinds do */
    bool own_spans;  /* whether goroutines have the spans `wall` or `off` */
    bool own_stacks; /* whether the stacks of goroutines matter */
    uint8_t wait_slots[GT_PROFILE_STATES]; /* by state that is entered; or GT_SLOT_BY_REASON */
    /* The event that is being counted. */
    struct gt_reader *reader;
    const gt_event *event;
    gt_transition change;

    struct gt_stackset stacks;
    uint32_t blank_stacks[GT_SLOTS]; /* by slot: which of the stacks without pcs was the last one */
    struct gt_idmap goroutines;
    struct gt_profile_goroutine *recent[GT_PROFILE_RECENT];
    struct gt_profile_goroutine *alive;
    struct gt_idmap past_map;
    struct gt_profile_past *past;
    struct gt_pool regions;
    struct gt_texts region_types;
    struct gt_tally total;
    uint64_t selected;
    uint64_t selected_results; /* what `selected` was in the results */

    int64_t first_time;
    int64_t last_time;
    int64_t sync_time; /* of the last Sync event, or of the first event */
    uint32_t sync;     /* how many Sync events there were */
    bool has_wall_clock;
    int64_t wall_seconds;
    uint32_t wall_nanoseconds;

    GT_ARRAY(struct gt_profile_row) rows;
    size_t kind_first[GT_PROFILE_KINDS + 1]; /* the first row of each kind */
    gt_frame *frames;                        /* room for a sample's GT_STACK_MAX_FRAMES frames */
};

static inline bool gt_profile_has(const struct gt_profile *profile, uint32_t kind)
{
    return (profile->options.kinds >> kind & 1) != 0;
}

/*
 * Whether another goroutine may get the id of this one: see profiled_recur. In the first generation
 * of a trace, Go takes any status of a goroutine that ended for one from before the trace.
 */
static inline bool gt_profile_may_recur(const struct gt_profile *profile,
                                        const struct gt_profile_goroutine *goroutine)
{
    return profile->is_first || goroutine->may_be_c;
}

/* Whether a slot is one of the kinds that go tool trace has, and counts what that counts. */
static inline bool gt_profile_counts_as_go(const struct gt_profile *profile, uint32_t slot)
{
    return slot <= GT_PROFILE_SCHED && !profile->counts_all;
}

/* The kind to which a slot belongs. */
static inline uint32_t gt_slot_kind(uint32_t slot)
{
    return slot < GT_SLOT_WALL ? slot : GT_PROFILE_WALL;
}

/* Counts an amount for a goroutine, in the region in which it is. */
gt_status gt_profile_add(struct gt_profile *profile, struct gt_profile_goroutine *goroutine,
                         uint32_t slot, uint32_t stack, struct gt_amount amount);

/* gt_profile_end_span for a span that is counted. */
gt_status gt_profile_count_span(struct gt_profile *profile, struct gt_profile_goroutine *goroutine,
                                struct gt_profile_span *span, int64_t now);

/* Ends a span at `now` and counts it. */
static inline gt_status gt_profile_end_span(struct gt_profile *profile,
                                            struct gt_profile_goroutine *goroutine,
                                            struct gt_profile_span *span, int64_t now)
{
    if (span->slot == GT_SLOT_NONE)
        return GT_OK;
    return gt_profile_count_span(profile, goroutine, span, now);
}

/* Whether a goroutine is created by the transition, or is known from it on. */
static inline bool gt_transition_begins(const gt_transition *change)
{
    return change->from == GT_GO_NOT_EXIST || change->from == GT_GO_UNDETERMINED;
}

/*
 * To be called for a transition of the goroutine `*goroutine` that is new, in which case the
 * pointer is NULL and is set, or begins, or is not plain.
 */
gt_status gt_profile_goroutine_meet(struct gt_profile *profile,
                                    struct gt_profile_goroutine **goroutine,
                                    const gt_transition *change);

/* The goroutine no longer exists or, if not `is_gone`, blocks forever. */
gt_status gt_profile_goroutine_end(struct gt_profile *profile,
                                   struct gt_profile_goroutine *goroutine, bool is_gone);

/* Names a goroutine by the root of a stack, and decides what depended on the name. */
gt_status gt_profile_goroutine_name(struct gt_profile *profile,
                                    struct gt_profile_goroutine *goroutine, gt_stack stack);

/* No other goroutine will get its id. */
gt_status gt_profile_goroutine_stay(struct gt_profile *profile,
                                    struct gt_profile_goroutine *goroutine);

/* Removes a goroutine that was settled. */
void gt_profile_goroutine_remove(struct gt_profile *profile,
                                 struct gt_profile_goroutine *goroutine);

/*
 * Removes a goroutine that ended in the first generation, and keeps what was counted for it, unless
 * that is much: then the goroutine itself stays.
 */
gt_status gt_profile_past_keep(struct gt_profile *profile, struct gt_profile_goroutine *goroutine);

/* Gives a new goroutine what was counted for an earlier one with its id. */
gt_status gt_profile_past_revive(struct gt_profile *profile,
                                 struct gt_profile_goroutine *goroutine);

/* The first generation is over: what was counted for goroutines that ended counts. */
gt_status gt_profile_past_settle(struct gt_profile *profile);

/* Frees what is kept. */
void gt_profile_past_free(struct gt_profile *profile);

/* The tally for what counts unless another goroutine gets the id. */
struct gt_tally *gt_profile_certain(struct gt_profile *profile,
                                    struct gt_profile_goroutine *goroutine);

/* Counts what depended on what comes: no more events of the goroutine will come. */
gt_status gt_profile_goroutine_settle(struct gt_profile *profile,
                                      struct gt_profile_goroutine *goroutine);

/* Ends a call that counted an event, with its `status`. */
static inline gt_status gt_profile_done(struct gt_profile *profile, gt_status status)
{
    profile->busy = false;
    if (status != GT_OK) {
        profile->failure = status;
        profile->is_counting = false;
    }
    return status;
}

/*
 * Prepares for `event`, which is the first one or follows a snapshot. Fails after a failure or the
 * end.
 */
gt_status gt_profile_start(struct gt_profile *profile, const struct gt_reader *reader,
                           const gt_event *event);

/* Counts the current event, which is not a transition. */
gt_status gt_profile_other(struct gt_profile *profile);

/* Each of these counts a current event of its kind. */
gt_status gt_profile_cpu_sample(struct gt_profile *profile);
gt_status gt_profile_region_begin(struct gt_profile *profile);
gt_status gt_profile_region_end(struct gt_profile *profile);

/* A goroutine starts in a region if its creator is in one. */
gt_status gt_profile_region_inherit(struct gt_profile *profile,
                                    struct gt_profile_goroutine *goroutine);

/* Ends the open regions of a goroutine that ends at `end`. */
gt_status gt_profile_regions_close(struct gt_profile *profile,
                                   struct gt_profile_goroutine *goroutine, int64_t end);

/* Frees what was counted for a goroutine, also in its open regions. */
void gt_profile_goroutine_empty(struct gt_profile *profile, struct gt_profile_goroutine *goroutine);
void gt_profile_goroutines_free(struct gt_profile *profile);

/* Counts what is open and what was pending: nothing more comes for the goroutine. */
gt_status gt_profile_goroutine_finish(struct gt_profile *profile,
                                      struct gt_profile_goroutine *goroutine);

/* What was counted for a goroutine that ended in the first generation counts. */
gt_status gt_profile_past_count(struct gt_profile *profile, struct gt_profile_past *past);

/* Makes the sorted list of samples from what was counted. */
gt_status gt_profile_rows_make(struct gt_profile *profile);

#endif
