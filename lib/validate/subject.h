/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_VALIDATE_SUBJECT_H
#define GT_VALIDATE_SUBJECT_H

#include <stdbool.h>
#include <stdint.h>

#include <gotrace/types.h>

#include "base/idmap.h"
#include "base/pool.h"

/* The kinds of subjects that have states. At most one subject of each kind runs on a thread. */
enum {
    GT_SUBJECT_GOROUTINE,
    GT_SUBJECT_PROC,
    GT_SUBJECT_KINDS
};

/* The knowledge about the state of a subject. */
enum gt_knowledge {
    /* No state is known; only ranges may have been open on it. */
    GT_UNSEEN,
    /* It exists, but its state is unknown because an event about it is missing. */
    GT_STATELESS,
    /* Its state is known. */
    GT_SEEN
};

/* An object that can have ranges: a goroutine, a proc, a thread, or the whole program. */
struct gt_subject {
    int64_t id;
    struct gt_open_range *ranges;
    struct gt_thread *thread; /* the thread on which the goroutine or proc runs, or NULL */
    uint32_t state;
    uint16_t knowledge; /* an enum gt_knowledge */
    bool is_older;      /* it existed before the trace began */
};

struct gt_thread {
    struct gt_subject subject;
    struct gt_subject *runs[GT_SUBJECT_KINDS]; /* the running subjects by kind, or NULL */
};

/* All subjects, by their ids. */
struct gt_subjects {
    struct gt_mem *mem;
    struct gt_idmap by_id[GT_SUBJECT_KINDS];
    struct gt_idmap threads;
    struct gt_subject program;
};

void gt_subjects_init(struct gt_subjects *subjects, struct gt_mem *mem);
void gt_subjects_destroy(struct gt_subjects *subjects);

/*
 * Returns the goroutine or proc with this id, which is added as GT_UNSEEN if it is new. Returns
 * NULL if there is no memory; see gt_mem_failure.
 */
struct gt_subject *gt_subjects_get(struct gt_subjects *subjects, unsigned kind, int64_t id);

/* Removes a goroutine or proc, which must not run on a thread or have open ranges. */
void gt_subjects_forget(struct gt_subjects *subjects, unsigned kind, struct gt_subject *subject);

/*
 * Returns the thread with this id, which is added if it is new. Returns NULL if there is no memory.
 */
struct gt_thread *gt_subjects_thread(struct gt_subjects *subjects, int64_t id);

/*
 * Returns the subject for any resource, which is added if it is new. A resource of an unknown kind
 * counts as the whole program. Returns NULL if there is no memory.
 */
struct gt_subject *gt_subjects_of(struct gt_subjects *subjects, const gt_resource *resource);

/* Records that the subject runs on no thread. */
void gt_subject_release(struct gt_subject *subject, unsigned kind);

/* Records that the subject runs on the thread, and that no other subject of its kind does. */
void gt_subject_put(struct gt_subject *subject, unsigned kind, struct gt_thread *thread);

#endif
