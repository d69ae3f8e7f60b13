/* SPDX-License-Identifier: BSD-3-Clause */
#include "sweep/damage.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "support/feed.h"
#include "support/test.h"

#define HEADER 16

/* How much memory a reader may hold for what it reads. */
#define BYTES_FACTOR 32
#define BYTES_MORE   (1 << 20)

/* How far around the beginning of a batch places count as its edge. */
#define EDGE 100

/* Special values: 0, 1, the largest number of one byte, a continuation, and all bits. */
static const uint8_t values[] = {0x00, 0x01, 0x7f, 0x80, 0xff};

static void expect(const struct damage *damage, bool is_so, const char *what)
{
    if (is_so)
        return;
    print_error("%s, place %zu, value %d: not so: %s\n", damage->trace->path, damage->place,
                damage->value, what);
    fail();
}

#define EXPECT(damage, condition) expect((damage), (condition), #condition)

/*
 * Asserts that the events are the beginning of another reading's, except for a last Sync before an
 * error.
 */
static bool is_prefix(const struct digest *part, const struct digest *whole)
{
    return digest_common(part, whole) + (size_t) part->bare_sync >= part->count;
}

/*
 * Reads the whole trace within the memory that a reader may hold. Neither memory nor the source may
 * fail.
 */
static void read_all(struct damage *damage, struct digest *digest, const uint8_t *data, size_t size,
                     uint64_t flags)
{
    gt_reader_options options = GT_READER_OPTIONS_INIT;
    struct probe probe;

    probe_init(&probe);
    options.flags = flags;
    options.allocator = &probe.allocator;
    digest_memory(digest, data, size, &options);
    probe_check(&probe);
    EXPECT(damage, probe.peak_bytes <= (uint64_t) BYTES_FACTOR * size + BYTES_MORE);
    EXPECT(damage, digest->status == GT_END || digest->status <= GT_ERR_NOT_A_TRACE);
    damage->readings++;
}

#define BATCH GT_WIRE_EVENT_BATCH
_Static_assert(BATCH == (int) GT_V1_BATCH, "batches");

static bool can_end_before(const gt_raw_event *event, unsigned version)
{
    return version < 22 || event->type == BATCH || event->type == GT_WIRE_EXPERIMENTAL_BATCH ||
           event->type == GT_WIRE_END_OF_GENERATION;
}

static void find_ends(struct damage *damage)
{
    const struct trace *trace = damage->trace;
    const gt_raw_event *event;
    gt_raw_reader *reader;

    damage->ends = calloc(trace->size + 1, 1);
    assert_non_null(damage->ends);
    damage->ends[trace->size] = 1;
    if (gt_raw_reader_open_memory(&reader, trace->data, trace->size, NULL, NULL) != GT_OK)
        return;
    while (gt_raw_reader_next_event(reader, &event) == GT_OK) {
        if (can_end_before(event, trace->version))
            damage->ends[event->offset] = event->type == BATCH ? 2 : 1;
    }
    gt_raw_reader_close(&reader);
}

void damage_begin(struct damage *damage, const struct trace *trace)
{
    memset(damage, 0, sizeof(*damage));
    damage->trace = trace;
    damage->bytes = malloc(trace->size);
    assert_non_null(damage->bytes);
    memcpy(damage->bytes, trace->data, trace->size);
    read_all(damage, &damage->good, trace->data, trace->size, 0);
    find_ends(damage);
}

void damage_end(struct damage *damage)
{
    digest_free(&damage->good);
    free(damage->bytes);
    free(damage->ends);
}

/*
 * Returns how many events of a strict reading no later byte can change. Up to Go 1.25 the last
 * generation ends with its last batch. A trace of Go 1.21 or before is one generation, with its
 * tables at the end.
 */
static size_t settled(const struct damage *damage, const struct digest *part)
{
    size_t count = damage->trace->version > LAST_OPEN ? part->count : part->last_generation;

    if (damage->trace->version < 22)
        return 0;
    return part->bare_sync && count == part->count && count > 0 ? count - 1 : count;
}

/* A lenient reader reads every trace to an end, and a good one like a strict reader. */
static void check_lenient(const struct damage *damage, const struct digest *strict,
                          const struct digest *lenient)
{
    if (strict->status == GT_ERR_NOT_A_TRACE || strict->status == GT_ERR_VERSION) {
        EXPECT(damage, lenient->status == strict->status);
        return;
    }
    EXPECT(damage, lenient->status == GT_END);
    if (damage->trace->version > LAST_OPEN)
        EXPECT(damage, is_prefix(strict, lenient));
    else if (damage->trace->version >= 22)
        EXPECT(damage, digest_common(strict, lenient) >= strict->last_generation);
}

/*
 * How a cut can show if generations have no end marker: tables are missing, or events of threads.
 */
static bool is_open_end(gt_status status, unsigned version)
{
    if (version < 22)
        return false;
    return status == GT_ERR_GENERATION || status == GT_ERR_STACKS || status == GT_ERR_STUCK ||
           status == GT_ERR_REFERENCE;
}

static void check_cut(const struct damage *damage, const struct digest *part, size_t size)
{
    const unsigned version = damage->trace->version;
    const gt_status status = part->status;

    if (size < HEADER) {
        EXPECT(damage, status == GT_ERR_NOT_A_TRACE);
        return;
    }
    EXPECT(damage, status == GT_END || status == GT_ERR_TRUNCATED ||
                       status == damage->good.status ||
                       (version <= LAST_OPEN && is_open_end(status, version)));
    EXPECT(damage, status != GT_END || damage->ends[size]);
    if (version > LAST_OPEN)
        EXPECT(damage, is_prefix(part, &damage->good));
    EXPECT(damage, digest_common(part, &damage->good) >= settled(damage, part));
}

void damage_cut(struct damage *damage, size_t size)
{
    /* The block has exactly this size, so that tools find accesses beyond it. */
    uint8_t *bytes = malloc(size ? size : 1);
    struct digest strict, lenient;

    assert_non_null(bytes);
    memcpy(bytes, damage->trace->data, size);
    damage->place = size;
    damage->value = -1;
    read_all(damage, &strict, bytes, size, 0);
    check_cut(damage, &strict, size);
    read_all(damage, &lenient, bytes, size, GT_READER_LENIENT);
    check_lenient(damage, &strict, &lenient);
    digest_free(&lenient);
    digest_free(&strict);
    free(bytes);
}

/* `floor` is how many events do not depend on the place. */
static void set_byte(struct damage *damage, size_t place, uint8_t value, size_t floor)
{
    const size_t size = damage->trace->size;
    const uint8_t before = damage->bytes[place];
    struct digest strict, lenient;

    if (value == before)
        return;
    damage->bytes[place] = value;
    damage->place = place;
    damage->value = value;
    read_all(damage, &strict, damage->bytes, size, 0);
    EXPECT(damage, digest_common(&strict, &damage->good) >= floor);
    read_all(damage, &lenient, damage->bytes, size, GT_READER_LENIENT);
    if (place >= HEADER)
        check_lenient(damage, &strict, &lenient);
    digest_free(&lenient);
    digest_free(&strict);
    damage->bytes[place] = before;
}

void damage_change(struct damage *damage, size_t place)
{
    const uint8_t before = damage->bytes[place];
    struct digest part;
    size_t floor;

    read_all(damage, &part, damage->bytes, place, 0);
    floor = settled(damage, &part);
    digest_free(&part);
    for (size_t i = 0; i < 8; i++)
        set_byte(damage, place, (uint8_t) (before ^ 1u << i), floor);
    for (size_t i = 0; i < sizeof(values); i++)
        set_byte(damage, place, values[i], floor);
}

int damage_is_edge(const struct damage *damage, size_t place)
{
    const size_t size = damage->trace->size;
    size_t i = place > EDGE ? place - EDGE : 0;

    for (; i <= size && i < place + EDGE; i++) {
        if (damage->ends[i] == 2)
            return 1;
    }
    return 0;
}

void damage_step(struct damage *damage, size_t step)
{
    gt_error error = GT_ERROR_INIT;
    struct digest digest;
    gt_reader *reader;
    struct feed feed;

    feed_init(&feed, damage->trace->data, damage->trace->size);
    feed.steps = &step;
    feed.step_count = 1;
    damage->place = step;
    damage->value = -1;
    assert_status(gt_reader_open_callback(&reader, feed_read, &feed, NULL, &error), GT_OK);
    digest_read(&digest, &reader);
    digest_assert_equal(&digest, &damage->good);
    digest_free(&digest);
    damage->readings++;
}
