/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_V2_SEAM_H
#define GT_V2_SEAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/array.h"
#include "base/idmap.h"
#include "v2/apart.h"
#include "v2/record.h"
#include "v2/v2.h"

/*
 * The seam between a reader, whose state is that at the end of a generation, and the next
 * generation, which was read apart. Records become events here, completed by what follows from the
 * state before. Each event that is possible only for some states is compared with the true one. If
 * it does not fit, the records that are left are of no use: the reader reads the generation itself,
 * from its state, which has not changed, and arrives at the same events as far as they were
 * delivered.
 */

/* The proc and the goroutine of a thread at the present event. */
struct gt_v2_context {
    int64_t thread;
    int64_t proc;
    int64_t goroutine;
    bool tried;      /* see struct gt_lane */
    bool is_earlier; /* its goroutine is from before the generation, and had no status in it yet */
};

/* A goroutine of the state before whose status the generation has confirmed. */
struct gt_v2_earlier_goroutine {
    struct gt_v2_goroutine *goroutine;
    struct gt_v2_open *regions; /* its regions that have not ended yet */
    bool assisting;             /* it has an assist of which the generation has not told yet */
};

/* A proc of the state before whose status the generation has told. */
struct gt_v2_earlier_proc {
    struct gt_v2_proc *proc;
    bool in_syscall; /* it is in a system call, but the reading apart takes it for abandoned */
    bool sweeping;   /* it sweeps, of which the generation has not told yet */
};

/* The members of struct gt_v2 that change while the records are delivered. */
struct gt_v2_seam_before {
    const uint8_t *cur;
    struct gt_table *table;
    int64_t least_time;
    uint64_t syncs;
};

struct gt_v2_seam {
    struct gt_v2 *v2;
    struct gt_v2_apart *apart; /* NULL: no generation is being delivered */
    struct gt_v2_seam_before before;
    bool is_first; /* the generation is the first one with events */
    bool gc_known; /* an event of the collector was compared */
    bool failed;
    size_t assists; /* how many `assisting` and `sweeping` are set */
    size_t sweeps;
    uint64_t largest; /* no goroutine of the state before has a larger id */
    uint64_t created; /* the largest id of a goroutine that was created */
    uint64_t delivered;
    uint64_t fail_at;           /* for tests: fail before this event of the generation; 0: do not */
    struct gt_idmap contexts;   /* by id of thread */
    struct gt_idmap goroutines; /* of struct gt_v2_earlier_goroutine */
    struct gt_idmap procs;      /* of struct gt_v2_earlier_proc */
    struct gt_idmap tasks;      /* pointers to tasks of the state before that have ended */

    GT_ARRAY(struct gt_v2_context *) lanes; /* by rank */
};

void gt_v2_seam_init(struct gt_v2_seam *seam, struct gt_v2 *v2);
void gt_v2_seam_destroy(struct gt_v2_seam *seam);

/*
 * Begins to deliver a generation, of which the first block was filled, and adds its Sync to
 * `*events`. The generation is the next one of the source, and ends at `end` there.
 */
gt_status gt_v2_seam_begin(struct gt_v2_seam *seam, struct gt_v2_apart *apart, const uint8_t *end,
                           struct gt_events *events);

/*
 * Adds the events of records from `record` on, up to `end`, as far as there is room. Returns the
 * first record that is left. If that does not fit the state before, sets seam->failed.
 */
const struct gt_v2_record *gt_v2_seam_take(struct gt_v2_seam *seam,
                                           const struct gt_v2_record *record,
                                           const struct gt_v2_record *end,
                                           struct gt_events *events);

/*
 * Completes and compares an event that was packed as a whole; `packed` is what the reading apart
 * knows of it. Returns false if it does not fit.
 */
typedef bool gt_v2_seam_rule(struct gt_v2_seam *seam, struct gt_v2_context *context,
                             const struct gt_event_data *packed, struct gt_event_data *data);

/*
 * By type of event. What has no rule here never fits, so that a type which is forgotten costs time
 * and not a wrong event.
 */
extern gt_v2_seam_rule *const gt_v2_seam_rules[256];

/* Applies the rule of the event's type. */
bool gt_v2_seam_check(struct gt_v2_seam *seam, struct gt_v2_context *context,
                      const struct gt_event_data *packed, struct gt_event_data *data);

/* Returns the context of a thread, or NULL if there is no memory. */
struct gt_v2_context *gt_v2_seam_context(struct gt_v2_seam *seam, int64_t thread);

/* Ends the generation, all of whose records were taken: the reader's state becomes that after it.
 */
gt_status gt_v2_seam_end(struct gt_v2_seam *seam);

/*
 * Gives up the generation, which the reader must read itself. Its table, to which delivered events
 * refer, stays with the reading apart.
 */
void gt_v2_seam_abandon(struct gt_v2_seam *seam);

/* Must be called when the reader itself reads a generation. */
static inline void gt_v2_seam_leave(struct gt_v2_seam *seam)
{
    seam->largest = UINT64_MAX;
}

/* Adds the state at the end of the generation to that before it; for gt_v2_seam_end. */
gt_status gt_v2_adopt(struct gt_v2_seam *seam);

/* Whether a goroutine with this id may be created: there is none in the state before. */
static inline bool gt_v2_seam_is_free(struct gt_v2_seam *seam, uint64_t id)
{
    if (id > seam->created)
        seam->created = id;
    return id > seam->largest || !gt_idmap_get(&seam->v2->state.goroutines, id);
}

#endif
