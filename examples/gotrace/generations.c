/* SPDX-License-Identifier: BSD-3-Clause */
#include "generations.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <gotrace/reader.h>
#include <gotrace/wire.h>

#include "interrupt.h"
#include "problem.h"

enum {
    /* The first version with generations, and the first one in which they end with a marker. */
    GENERATIONS_OLDEST = 22,
    GENERATIONS_MARKED = 26,
    /* The first byte of the batch of AllocFree that says how to read the others. */
    BATCH_INFO = 1
};

/* Reads a varint. Returns its end, or NULL if there is none before `end`. */
static const uint8_t *batch_varint_read(const uint8_t *from, const uint8_t *end, uint64_t *value)
{
    *value = 0;
    for (unsigned shift = 0; from && from < end && shift < 64; shift += 7) {
        *value |= (uint64_t) (*from & 0x7f) << shift;
        if (*from++ < 0x80)
            return from;
    }
    return NULL;
}

static uint8_t *batch_varint_write(uint8_t *to, uint64_t value)
{
    for (; value >= 0x80; value >>= 7)
        *to++ = (uint8_t) (value | 0x80);
    *to++ = (uint8_t) value;
    return to;
}

int batch_parse(const uint8_t *head, size_t size, struct batch *batch)
{
    const uint8_t *at = head + 1, *end = head + size;
    *batch = (struct batch){.type = head[0]};
    if (batch->type == GT_WIRE_END_OF_GENERATION) {
        batch->head_size = 1;
        return 1;
    }
    if (batch->type == GT_WIRE_EXPERIMENTAL_BATCH && at < end)
        batch->experiment = *at++;
    else if (batch->type != GT_WIRE_EVENT_BATCH)
        return -1;
    at = batch_varint_read(at, end, &batch->generation);
    at = batch_varint_read(at, end, &batch->thread);
    at = batch_varint_read(at, end, &batch->time);
    at = batch_varint_read(at, end, &batch->size);
    batch->head_size = at ? (size_t) (at - head) : 0;
    return at && batch->size <= BATCH_MAX ? 1 : -1;
}

int batch_read(int fd, uint64_t offset, struct batch *batch)
{
    uint8_t head[BATCH_HEAD_MAX];
    ssize_t got = pread(fd, head, sizeof(head), (off_t) offset);
    if (got <= 0)
        return got < 0 ? -1 : 0;
    int result = batch_parse(head, (size_t) got, batch);
    batch->offset = offset;
    return result;
}

size_t batch_head_write(const struct batch *batch, uint8_t *head)
{
    uint8_t *to = head;
    *to++ = batch->type;
    if (batch->type == GT_WIRE_EXPERIMENTAL_BATCH)
        *to++ = batch->experiment;
    to = batch_varint_write(to, batch->generation);
    to = batch_varint_write(to, batch->thread);
    to = batch_varint_write(to, batch->time);
    to = batch_varint_write(to, batch->size);
    return (size_t) (to - head);
}

uint64_t batch_end(const struct batch *batch)
{
    return batch->offset + batch->head_size + batch->size;
}

/* Returns whether the data of a batch begin with a byte. */
static bool batch_begins_with(int fd, const struct batch *batch, uint8_t byte)
{
    uint8_t first;
    return batch->size > 0 &&
           pread(fd, &first, 1, (off_t) (batch->offset + batch->head_size)) == 1 && first == byte;
}

static bool batch_is_info(int fd, const struct batch *batch)
{
    return batch->type == GT_WIRE_EXPERIMENTAL_BATCH && batch_begins_with(fd, batch, BATCH_INFO);
}

static bool batch_is_clock(int fd, const struct batch *batch)
{
    return batch->type == GT_WIRE_EVENT_BATCH && batch_begins_with(fd, batch, GT_WIRE_SYNC);
}

static void generations_fail(struct generations *found, gt_status status, uint64_t offset,
                             const char *text)
{
    found->error.status = status;
    found->error.offset = offset;
    snprintf(found->error.message, sizeof(found->error.message), "%s", text);
}

/* Adds a complete generation. Returns false if there is no memory. */
static bool generations_add(struct generations *found, const struct generation *generation)
{
    if (found->count == found->capacity) {
        size_t capacity = 2 * found->capacity + 16;
        void *list = realloc(found->list, capacity * sizeof(*found->list));
        if (!list)
            return false;
        found->list = list;
        found->capacity = capacity;
    }
    found->list[found->count++] = *generation;
    return true;
}

/* Adds a batch to the generation, which begins with it if `generation->size` is 0. */
static void generation_take(struct generation *generation, int fd, const struct batch *batch)
{
    if (generation->size == 0)
        *generation = (struct generation){.number = batch->generation,
                                          .offset = batch->offset,
                                          .first = *batch,
                                          .second_offset = batch_end(batch)};
    if (generation->info.type == 0 && batch_is_info(fd, batch))
        generation->info = *batch;
    generation->size = batch_end(batch) - generation->offset;
}

/* The state of finding generations. */
struct scan {
    struct generations *found;
    struct generation open; /* its size is 0 if none is open */
    bool has_memory;
};

/* Takes the open generation for the tail if it is that. Returns whether it is. */
static bool scan_take_tail(struct scan *scan)
{
    struct generations *found = scan->found;
    const struct batch *first = &scan->open.first;
    if (scan->open.second_offset != scan->open.offset + scan->open.size ||
        !batch_is_clock(found->fd, first))
        return false;
    found->tail = *first;
    scan->open.size = 0;
    return true;
}

static void scan_close(struct scan *scan)
{
    if (scan->open.size != 0)
        scan->has_memory = scan->has_memory && generations_add(scan->found, &scan->open);
    scan->open.size = 0;
}

/* Takes a batch, or the marker of the end of a generation. */
static void scan_take(struct scan *scan, const struct batch *batch)
{
    bool is_marked = scan->found->version >= GENERATIONS_MARKED;
    if (batch->type == GT_WIRE_END_OF_GENERATION) {
        if (!is_marked || scan->open.size == 0) {
            generations_fail(scan->found, GT_ERR_GENERATION, batch->offset,
                             "the end of a generation where none is open");
            return;
        }
        scan->open.size++;
        scan_close(scan);
        return;
    }
    if (scan->open.size != 0 && scan->open.number != batch->generation) {
        if (is_marked)
            generations_fail(scan->found, GT_ERR_GENERATION, batch->offset,
                             "a batch of another generation before the end of one");
        else
            scan_close(scan);
    }
    generation_take(&scan->open, scan->found->fd, batch);
}

/* Takes all batches up to the end or a fault. Returns where they end. */
static uint64_t scan_batches(struct scan *scan, uint64_t size)
{
    struct generations *found = scan->found;
    uint64_t at = TRACE_HEAD;
    struct batch batch;
    int got = 0;
    while (scan->has_memory && found->error.status == GT_OK &&
           (got = batch_read(found->fd, at, &batch)) > 0 && batch_end(&batch) <= size) {
        scan_take(scan, &batch);
        at = batch_end(&batch);
        if (interrupt_has_come())
            generations_fail(found, GT_CANCELLED, GT_NO_OFFSET, "interrupted");
    }
    if (got < 0 && found->error.status == GT_OK)
        generations_fail(found, GT_ERR_BATCH, at, "not a batch");
    return at;
}

static void generations_scan(struct generations *found)
{
    struct scan scan = {.found = found, .has_memory = true};
    off_t size = lseek(found->fd, 0, SEEK_END);
    uint64_t at = scan_batches(&scan, size < 0 ? 0 : (uint64_t) size);
    bool needs_end = scan.open.size != 0 && found->version >= GENERATIONS_MARKED;
    if (found->error.status == GT_OK && size >= 0 && at < (uint64_t) size)
        generations_fail(found, GT_ERR_TRUNCATED, at, "the trace ends within a batch");
    else if (found->error.status == GT_OK && needs_end && !scan_take_tail(&scan))
        generations_fail(found, GT_ERR_TRUNCATED, at, "the trace ends within a generation");
    if (found->error.status == GT_OK)
        scan_close(&scan);
    if (!scan.has_memory)
        problem_set_status(&found->error, GT_ERR_NO_MEMORY);
}

/* Checks the header of the trace, and stores its version. */
static bool generations_check_header(struct generations *found)
{
    gt_reader_info info = GT_READER_INFO_INIT;
    gt_reader *reader;
    if (lseek(found->fd, 0, SEEK_SET) < 0 ||
        gt_reader_open_fd(&reader, found->fd, NULL, &found->error) != GT_OK)
        return false;
    if (gt_reader_get_info(reader, &info) == GT_OK)
        found->version = info.version;
    gt_reader_close(&reader);
    if (found->version >= GENERATIONS_OLDEST)
        return true;
    generations_fail(found, GT_ERR_VERSION, GT_NO_OFFSET,
                     "traces of Go 1.21 and earlier have no generations");
    return false;
}

bool generations_open(struct generations *found, const char *name)
{
    *found = (struct generations){.name = name, .error = GT_ERROR_INIT};
    if (!intake_open(&found->intake, name, NULL, &found->error))
        return false;
    found->fd = found->intake.from;
    if (!found->intake.is_plain_file) {
        found->copy = intake_save(&found->intake, UINT64_MAX, &found->error);
        if (!found->copy)
            return false;
        found->fd = fileno(found->copy);
    }
    if (!generations_check_header(found))
        return false;
    generations_scan(found);
    intake_note_cut(&found->intake, &found->error);
    return true;
}

void generations_close(struct generations *found)
{
    free(found->list);
    found->list = NULL;
    found->count = 0;
    if (found->copy)
        fclose(found->copy);
    found->copy = NULL;
    intake_close(&found->intake);
}
