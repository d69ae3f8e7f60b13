/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * A mutator of records: it drops, repeats, moves and changes them, and keeps the sizes of batches
 * right, which changes of single bytes rarely do.
 */

#include <string.h>

#include "fuzz/input.h"
#include "support/test.h"

#ifdef FUZZ_V1
#include "support/v1wire.h"
#endif

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned int seed);

#define ROOM         (1 << 17)
#define MAX_NUMBERS  16
#define HEADER_BYTES 16

/* The trace with its header, before and after. */
struct image {
    uint8_t bytes[ROOM];
    size_t size;
};

static struct image before, after;

static int take(void *user_data, const void *data, size_t size)
{
    struct image *image = user_data;

    if (size > sizeof(image->bytes) - image->size)
        return 1;
    memcpy(image->bytes + image->size, data, size);
    image->size += size;
    return 0;
}

/* The header is added here if the target takes traces without one. */
static size_t put_header(const uint8_t *data, size_t size)
{
#ifdef FUZZ_V1
    struct wire wire = {0};

    wire_begin(&wire, v1_versions[data[size - 1] % V1_VERSIONS]);
    memcpy(before.bytes, wire.data, wire.size);
    before.size = wire.size;
    wire_free(&wire);
    return before.size;
#else
    (void) data;
    (void) size;
    before.size = 0;
    return 0;
#endif
}

/* Returns a reader of the trace that has read record number `n`, or NULL if there is none. */
static gt_raw_reader *open_at(uint64_t n, const gt_raw_event **event)
{
    gt_raw_reader *reader;

    if (gt_raw_reader_open_memory(&reader, before.bytes, before.size, NULL, NULL) != GT_OK)
        return NULL;
    do {
        if (gt_raw_reader_next_event(reader, event) != GT_OK)
            gt_raw_reader_close(&reader);
    } while (reader && n-- > 0);
    return reader;
}

static uint64_t count_records(void)
{
    const gt_raw_event *event;
    gt_raw_reader *reader = open_at(0, &event);
    uint64_t count = 0;

    while (reader && count < 100000) {
        count++;
        if (gt_raw_reader_next_event(reader, &event) != GT_OK)
            gt_raw_reader_close(&reader);
    }
    gt_raw_reader_close(&reader);
    return count;
}

static uint64_t change_number(uint64_t number, uint64_t other, uint64_t pick)
{
    switch (pick % 8) {
    case 0:
        return number + 1;
    case 1:
        return number - 1;
    case 2:
        return other;
    case 3:
        return UINT64_MAX >> (pick >> 8) % 64;
    case 4:
        return UINT64_C(1) << (pick >> 8) % 64;
    case 5:
        return number + other;
    default:
        return (pick >> 8) % 12;
    }
}

/* Writes `event` with a changed number or type; `other` is a source of numbers. */
static gt_status write_changed(gt_raw_writer *writer, const gt_raw_event *event,
                               const gt_raw_event *other, uint64_t *seed)
{
    uint64_t numbers[MAX_NUMBERS], pick = test_random(seed), number = 0;
    gt_raw_event changed = *event;

    changed.widths = NULL;
    changed.width_count = 0;
    if (event->argument_count == 0 || event->argument_count > MAX_NUMBERS || pick % 16 == 0) {
        changed.type = (uint32_t) (pick >> 8) % 53;
        return gt_raw_writer_write_event(writer, &changed);
    }
    memcpy(numbers, event->arguments, event->argument_count * sizeof(*numbers));
    if (other->argument_count)
        number = other->arguments[(pick >> 16) % other->argument_count];
    pick >>= 4;
    numbers[pick % event->argument_count] =
        change_number(numbers[pick % event->argument_count], number, pick >> 8);
    changed.arguments = numbers;
    return gt_raw_writer_write_event(writer, &changed);
}

enum change {
    CHANGE_NUMBER,
    CHANGE_NUMBERS,
    CHANGE_DROP,
    CHANGE_INSERT,
    CHANGE_REPLACE,
    CHANGE_MOVE,
    CHANGES
};

/* Copies all records, and changes number `at`; the change may use record number `from`. */
static void copy(gt_raw_reader *reader, const gt_raw_event *event, gt_raw_writer *writer,
                 const gt_raw_event *other, uint64_t at, uint64_t from, uint64_t *seed)
{
    enum change change = (enum change)(test_random(seed) % CHANGES);
    uint64_t i = 0;

    do {
        int here = i == at;

        if (here && change >= CHANGE_INSERT)
            gt_raw_writer_write_event(writer, other);
        if (change <= CHANGE_NUMBERS && (here || (change == CHANGE_NUMBERS && i % 8 == at % 8)))
            write_changed(writer, event, other, seed);
        else if (!(here && (change == CHANGE_DROP || change == CHANGE_REPLACE)) &&
                 !(i == from && change == CHANGE_MOVE))
            gt_raw_writer_write_event(writer, event);
        i++;
    } while (gt_raw_reader_next_event(reader, &event) == GT_OK);
    gt_raw_writer_flush(writer);
}

/* Makes `after` from `before`. Returns 0 if there is nothing to change. */
static int mutate_records(uint64_t *seed)
{
    uint64_t count = count_records(), from;
    gt_raw_options options = GT_RAW_OPTIONS_INIT;
    gt_raw_info info = GT_RAW_INFO_INIT;
    const gt_raw_event *event, *other;
    gt_raw_reader *reader, *source;
    gt_raw_writer *writer = NULL;

    if (count == 0)
        return 0;
    from = test_random(seed) % count;
    reader = open_at(0, &event);
    source = open_at(from, &other);
    after.size = 0;
    if (reader && source && gt_raw_reader_get_info(reader, &info) == GT_OK) {
        if (info.form == GT_RAW_BYTES && info.version >= 22 && test_random(seed) % 8)
            options.flags = GT_RAW_SET_SIZES;
        if (gt_raw_writer_open(&writer, info.version, info.form, take, &after, &options, NULL) ==
            GT_OK)
            copy(reader, event, writer, other, test_random(seed) % count, from, seed);
    }
    gt_raw_writer_close(&writer);
    gt_raw_reader_close(&source);
    gt_raw_reader_close(&reader);
    return after.size > HEADER_BYTES;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned int seed)
{
    uint64_t random = 1 + (uint64_t) seed;
    size_t head, body;

    if (test_random(&random) % 2 || size < INPUT_CHOICES || size > ROOM / 2)
        return LLVMFuzzerMutate(data, size, max_size);
    head = put_header(data, size);
    body = size - INPUT_CHOICES;
    memcpy(before.bytes + head, data, body);
    before.size = head + body;
    if (!mutate_records(&random) || after.size - head + INPUT_CHOICES > max_size)
        return LLVMFuzzerMutate(data, size, max_size);
    /* The choices at the end are kept. */
    memmove(data + after.size - head, data + body, INPUT_CHOICES);
    memcpy(data, after.bytes + head, after.size - head);
    size = after.size - head + INPUT_CHOICES;
    if (test_random(&random) % 4 == 0)
        data[size - 1 - random % INPUT_CHOICES] = (uint8_t) (random >> 32);
    return size;
}
