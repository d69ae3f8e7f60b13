/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GENERATIONS_H
#define GENERATIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <gotrace/status.h>

#include "intake.h"

/*
 * The generations of a trace of Go 1.22 or later, as bytes: each is a run of batches in the file
 * and can be copied without being decoded. Only the headers of batches are read.
 */

enum {
    /* The maximum size of the header of a batch, and that of a batch without its header. */
    BATCH_HEAD_MAX = 2 + 4 * 10,
    BATCH_MAX = 64 << 10,
    /* The size of the header of a trace. */
    TRACE_HEAD = 16
};

/* The header of a batch, and where the batch is in the file. */
struct batch {
    uint64_t offset;
    uint8_t type;       /* a gt_wire_type: GT_WIRE_EVENT_BATCH, GT_WIRE_EXPERIMENTAL_BATCH */
    uint8_t experiment; /* of an experimental batch */
    uint64_t generation;
    uint64_t thread;
    uint64_t time;
    uint64_t size;    /* of the data, which follow the header */
    size_t head_size; /* of the header */
};

struct generation {
    uint64_t number;
    uint64_t offset; /* where its first batch begins */
    uint64_t size;
    struct batch first;
    /* The batch that says how to read those of the experiment AllocFree; its type is 0 if there is
     * none. */
    struct batch info;
    uint64_t second_offset; /* where the batch after `first` begins */
};

struct generations {
    const char *name; /* as the user gave it; borrowed */
    struct intake intake;
    FILE *copy;       /* of what was a pipe, or compressed; or NULL */
    int fd;           /* of the file or its copy */
    uint32_t version; /* the N of the header "go 1.N trace" */
    struct generation *list;
    size_t count;
    size_t capacity;
    /*
     * The clock of another generation, of which there is nothing else, because the program ended
     * while it was recorded: see GT_ENDING_RUNNING. Its type is 0 if there is none.
     */
    struct batch tail;
    /* What ends the list before the end of the file: a fault, or an interrupt. */
    gt_error error;
};

/*
 * Opens the trace `name`, or standard input for "-", and finds its generations. Stops at the first
 * fault, which is stored; a generation that has it, or is not complete, is not in the list. Returns
 * whether the trace could be opened, so that there are generations before any fault.
 */
bool generations_open(struct generations *found, const char *name);

void generations_close(struct generations *found);

/*
 * Parses the header of a batch, of which `size` bytes are there; BATCH_HEAD_MAX always suffice.
 * Returns 1, or -1 if it is none, or has more bytes.
 */
int batch_parse(const uint8_t *head, size_t size, struct batch *batch);

/*
 * Reads the header of the batch at `offset`. Returns 1; 0 if there are no more bytes; -1 for a
 * fault.
 */
int batch_read(int fd, uint64_t offset, struct batch *batch);

/* Returns the offset of what follows the batch. */
uint64_t batch_end(const struct batch *batch);

/* Writes the header of a batch to `head`, where BATCH_HEAD_MAX bytes must fit. Returns its size. */
size_t batch_head_write(const struct batch *batch, uint8_t *head);

#endif
