/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_VALIDATE_SUBJECT_H
#define GT_VALIDATE_SUBJECT_H

#include <stdint.h>

#include <gotrace/types.h>

#include "base/idmap.h"
#include "base/pool.h"

/* What changes its state: goroutines and procs, of which a thread has one each. */
enum {
    GT_SUBJECT_GOROUTINE,
    GT_SUBJECT_PROC,
    GT_SUBJECT_KINDS
};

/* What is known of the state of something. */
enum gt_knowledge {
    /* Nothing: at most that ranges were open on it. */
    GT_UNSEEN,
    /* It is there, but an event about its state is missing. */
    GT_STATELESS,
    GT_SEEN
};

/* A goroutine, a proc or a thread; or the whole program, which ranges can be on. */
struct gt_subject {
    int64_t id;
    struct gt_open_range *ranges;
    struct gt_thread *thread; /* of a goroutine or proc: that it runs on, or NULL */
    uint32_t state;
    uint16_t knowledge; /* enum gt_knowledge */
    uint16_t older;     /* than the trace */
};

struct gt_thread {
    struct gt_subject subject;
    struct gt_subject *has[GT_SUBJECT_KINDS]; /* each NULL, or one whose `thread` this is */
};

/* Everything that has an id. */
struct gt_subjects {
    struct gt_mem *mem;
    struct gt_idmap by_id[GT_SUBJECT_KINDS];
    struct gt_pool pool;
    struct gt_idmap threads;
    struct gt_pool thread_pool;
    struct gt_subject program;
};

void gt_subjects_init(struct gt_subjects *subjects, struct gt_mem *mem);
void gt_subjects_destroy(struct gt_subjects *subjects);

/* The goroutine or proc of this id, unseen where it is new. NULL: no memory, see mem->failure. */
struct gt_subject *gt_subjects_get(struct gt_subjects *subjects, unsigned kind, int64_t id);

/* Forgets one that runs on no thread and has no ranges. */
void gt_subjects_forget(struct gt_subjects *subjects, unsigned kind, struct gt_subject *subject);

/* The thread of this id, unseen where it is new. NULL: no memory. */
struct gt_thread *gt_subjects_thread(struct gt_subjects *subjects, int64_t id);

/* Any of these; the program for a kind of resource that is not known. NULL: no memory. */
struct gt_subject *gt_subjects_of(struct gt_subjects *subjects, const gt_resource *resource);

/* Takes what runs on a thread away from it, or does nothing. */
void gt_subject_release(struct gt_subject *subject, unsigned kind);

/* Puts it on a thread, from where nothing else runs on the thread. */
void gt_subject_put(struct gt_subject *subject, unsigned kind, struct gt_thread *thread);

#endif
