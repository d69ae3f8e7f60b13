/* SPDX-License-Identifier: BSD-3-Clause */
#include "join.h"

#include <unistd.h>

#include "interrupt.h"
#include "problem.h"

/* A gt_write_fn. */
static int join_write(void *user_data, const void *data, size_t size)
{
    struct join *join = user_data;
    if (!proof_take(&join->proof, data, size)) {
        join->is_refuted = true;
        return -1;
    }
    return tracefile_write(join->file, data, size);
}

/* Opens the input of the number `at`, and lets the writer take its events. */
static gt_status join_open(struct join *join)
{
    const struct generations *input = &join->inputs[join->at];
    gt_reader *before = join->reader;
    gt_status status = GT_ERR_IO;
    join->reader = NULL;
    if (lseek(input->fd, 0, SEEK_SET) >= 0)
        status = gt_reader_open_fd(&join->reader, input->fd, NULL, &join->error);
    join->is_of_input = status != GT_OK;
    if (status == GT_OK && !join->writer)
        status = gt_writer_open(&join->writer, join->reader, join_write, join, NULL, &join->error);
    else if (status == GT_OK)
        status = gt_writer_join(join->writer, join->reader);
    gt_reader_close(&before);
    return status;
}

/* Counts the events of an input that have been read and have another time than there. */
static void join_count(struct join *join)
{
    gt_writer_info info = GT_WRITER_INFO_INIT;
    gt_writer_get_info(join->writer, &info);
    join->delayed[join->at] = info.delayed - join->all_delayed;
    join->all_delayed = info.delayed;
}

/* Reads an input to its end. */
static gt_status join_read(struct join *join)
{
    const gt_event *const *events;
    size_t count;
    gt_status reading = GT_OK;
    gt_status status = join_open(join);
    if (status != GT_OK)
        return status;
    interrupt_arm(join->reader, NULL);
    while (status == GT_OK &&
           (reading = gt_reader_next_events(join->reader, &events, &count)) == GT_OK) {
        for (size_t i = 0; i < count && status == GT_OK; i++)
            status = gt_writer_event(join->writer, events[i]);
    }
    interrupt_disarm();
    join_count(join);
    if (status != GT_OK || reading == GT_END)
        return status;
    gt_reader_error(join->reader, &join->error);
    join->is_of_input = true;
    return reading;
}

/* Stores why the writing failed. */
static void join_explain(struct join *join, gt_status status)
{
    if (join->error.status != GT_OK)
        return;
    if (join->is_refuted)
        gt_reader_error(join->proof.reader, &join->error);
    else if (join->writer)
        gt_writer_error(join->writer, &join->error);
    if (join->error.status == GT_OK)
        problem_set_status(&join->error, status);
}

bool join_run(struct join *join)
{
    gt_status status = GT_ERR_NO_MEMORY;
    join->error = (gt_error) GT_ERROR_INIT;
    bool is_open = proof_open(&join->proof, &join->error);
    if (is_open)
        status = GT_OK;
    for (join->at = 0; status == GT_OK && join->at < join->count; join->at++)
        status = join_read(join);
    if (status != GT_OK && join->at > 0)
        join->at--;
    if (status == GT_OK)
        status = gt_writer_finish(join->writer);
    if (status == GT_OK && !proof_end(&join->proof))
        join->is_refuted = true;
    bool is_good = status == GT_OK && !join->is_refuted;
    if (!is_good)
        join_explain(join, status);
    gt_writer_close(&join->writer);
    gt_reader_close(&join->reader);
    if (is_open)
        proof_close(&join->proof);
    return is_good;
}
