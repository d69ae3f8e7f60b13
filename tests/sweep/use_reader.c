/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/digest.h"
#include "sweep/use.h"

/* Passes every event with its stacks through every getter. */
static void run_reader(struct run *run, const struct use *use)
{
    struct digest digest = {0};
    gt_reader *reader;

    run->spares = (use->flags & GT_READER_AHEAD) != 0;
    run->status = run_open(run, use->flags, &reader);
    if (run->status != GT_OK)
        return;
    digest_read(&digest, &reader);
    run->status = digest.status;
    run->chain = digest.chain;
    run->count = digest.count;
    run->capacity = digest.capacity;
    run->bare_sync = digest.bare_sync;
}

const struct use use_readers[] = {
    {"strict", run_reader, 0, 0, 0, GT_OK},
    {"keep", run_reader, GT_READER_KEEP, 0, 0, GT_OK},
    {"lenient", run_reader, GT_READER_LENIENT, 0, 0, GT_OK},
    {"lenient, keep, as recorded", run_reader,
     GT_READER_LENIENT | GT_READER_KEEP | GT_READER_AS_RECORDED, 0, 0, GT_OK},
    {"lenient, ahead", run_reader, GT_READER_LENIENT | GT_READER_AHEAD, 0, 0, GT_OK},
};

const size_t use_reader_count = sizeof(use_readers) / sizeof(use_readers[0]);
