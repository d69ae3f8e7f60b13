/* SPDX-License-Identifier: BSD-3-Clause */
#include "validate/subject.h"

#include <string.h>

void gt_subjects_init(struct gt_subjects *subjects, struct gt_mem *mem)
{
    memset(subjects, 0, sizeof(*subjects));
    subjects->mem = mem;
    for (unsigned kind = 0; kind < GT_SUBJECT_KINDS; kind++)
        gt_idmap_init_objects(&subjects->by_id[kind], mem, sizeof(struct gt_subject));
    gt_idmap_init_objects(&subjects->threads, mem, sizeof(struct gt_thread));
    subjects->program.is_older = true;
}

void gt_subjects_destroy(struct gt_subjects *subjects)
{
    for (unsigned kind = 0; kind < GT_SUBJECT_KINDS; kind++)
        gt_idmap_destroy(&subjects->by_id[kind]);
    gt_idmap_destroy(&subjects->threads);
}

/* Creates an object that begins with a struct gt_subject. Returns NULL on failure. */
static void *subject_add(struct gt_idmap *map, int64_t id)
{
    struct gt_subject *subject = gt_idmap_add(map, (uint64_t) id);
    if (subject)
        subject->id = id;
    return subject;
}

struct gt_subject *gt_subjects_get(struct gt_subjects *subjects, unsigned kind, int64_t id)
{
    struct gt_idmap *map = &subjects->by_id[kind];
    struct gt_subject *subject = gt_idmap_get(map, (uint64_t) id);
    return subject ? subject : subject_add(map, id);
}

void gt_subjects_forget(struct gt_subjects *subjects, unsigned kind, struct gt_subject *subject)
{
    gt_idmap_drop(&subjects->by_id[kind], (uint64_t) subject->id, subject);
}

struct gt_thread *gt_subjects_thread(struct gt_subjects *subjects, int64_t id)
{
    struct gt_thread *thread = gt_idmap_get(&subjects->threads, (uint64_t) id);
    if (thread)
        return thread;
    return subject_add(&subjects->threads, id);
}

struct gt_subject *gt_subjects_of(struct gt_subjects *subjects, const gt_resource *resource)
{
    switch (resource->kind) {
    case GT_RESOURCE_GOROUTINE:
        return gt_subjects_get(subjects, GT_SUBJECT_GOROUTINE, resource->id);
    case GT_RESOURCE_PROC:
        return gt_subjects_get(subjects, GT_SUBJECT_PROC, resource->id);
    case GT_RESOURCE_THREAD: {
        struct gt_thread *thread = gt_subjects_thread(subjects, resource->id);
        return thread ? &thread->subject : NULL;
    }
    default:
        return &subjects->program;
    }
}

void gt_subject_release(struct gt_subject *subject, unsigned kind)
{
    if (!subject->thread)
        return;
    subject->thread->runs[kind] = NULL;
    subject->thread = NULL;
}

void gt_subject_put(struct gt_subject *subject, unsigned kind, struct gt_thread *thread)
{
    gt_subject_release(subject, kind);
    if (thread->runs[kind])
        gt_subject_release(thread->runs[kind], kind);
    thread->runs[kind] = subject;
    subject->thread = thread;
}
