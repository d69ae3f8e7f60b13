/* SPDX-License-Identifier: BSD-3-Clause */
#include "web/record.h"
#include "base/time.h"

enum {
    BEGIN_KNOWN = 1 << 0,
    END_KNOWN = 1 << 1,
    INHERITED = 1 << 2
};

const char *const gt_record_time_names[GT_RECORD_TIMES] = {
    [GT_RECORD_EXECUTION] = "execution", [GT_RECORD_SCHED_WAIT] = "sched_wait",
    [GT_RECORD_SYSCALL] = "syscall",     [GT_RECORD_SYSCALL_BLOCK] = "syscall_block",
    [GT_RECORD_BLOCK] = "block",         [GT_RECORD_UNKNOWN] = "unknown",
    [GT_RECORD_TOTAL] = "total",
};

/*
 * The order in which times are stored. The expected value of a time is computed from the times
 * before it, and from the list of blocks, which comes first.
 */
static const enum gt_record_time record_order[GT_RECORD_TIMES] = {
    GT_RECORD_EXECUTION, GT_RECORD_SCHED_WAIT, GT_RECORD_SYSCALL, GT_RECORD_SYSCALL_BLOCK,
    GT_RECORD_BLOCK,     GT_RECORD_TOTAL,      GT_RECORD_UNKNOWN,
};

/* Set in the byte before the times if any of the two lists has elements. */
#define HAS_LISTS (1u << GT_RECORD_TIMES)

static int64_t record_known_time(const int64_t *values)
{
    int64_t known = 0;
    for (size_t i = 0; record_order[i] != GT_RECORD_TOTAL; i++)
        gt_time_add_to(&known, values[record_order[i]]);
    return known;
}

/*
 * Returns the value that gt_summary gives to a time that depends on others, and 0 for all others.
 * Only what differs is stored.
 */
static uint64_t record_expect_time(const struct gt_record_times *times, enum gt_record_time time)
{
    int64_t expected = 0, known;
    switch (time) {
    case GT_RECORD_BLOCK:
        for (size_t i = 0; i < times->blocks.count; i++)
            gt_time_add_to(&expected, times->blocks.list[i].time);
        break;
    case GT_RECORD_TOTAL:
        expected = record_known_time(times->values);
        break;
    case GT_RECORD_UNKNOWN:
        known = record_known_time(times->values);
        if (known < times->values[GT_RECORD_TOTAL])
            expected = gt_time_minus(times->values[GT_RECORD_TOTAL], known);
        break;
    default:
        break;
    }
    return (uint64_t) expected;
}

static bool record_take_named(struct gt_record_list *to, struct gt_dictionary *names,
                              const gt_summary_time *list, size_t count)
{
    to->count = count;
    for (size_t i = 0; i < count; i++) {
        to->list[i].time = list[i].time;
        if (!gt_dictionary_put(names, list[i].name, &to->list[i].name))
            return false;
    }
    return true;
}

static bool record_take_times(struct gt_record_times *to, struct gt_dictionary *names,
                              const gt_summary_times *times)
{
    to->values[GT_RECORD_EXECUTION] = times->execution;
    to->values[GT_RECORD_SCHED_WAIT] = times->sched_wait;
    to->values[GT_RECORD_SYSCALL] = times->syscall;
    to->values[GT_RECORD_SYSCALL_BLOCK] = times->syscall_block;
    to->values[GT_RECORD_BLOCK] = times->block;
    to->values[GT_RECORD_UNKNOWN] = times->unknown;
    to->values[GT_RECORD_TOTAL] = times->total;
    return record_take_named(&to->blocks, names, times->blocks, times->block_count) &&
           record_take_named(&to->ranges, names, times->ranges, times->range_count);
}

static void record_put_named(struct gt_pack *pack, const struct gt_record_list *list)
{
    gt_pack_unsigned(pack, list->count);
    for (size_t i = 0; i < list->count; i++) {
        gt_pack_unsigned(pack, list->list[i].name);
        gt_pack_signed(pack, list->list[i].time);
    }
}

/* Stores a byte that says which times and lists follow, then the lists, then the times. */
static bool record_put_times(struct gt_pack *pack, struct gt_dictionary *names,
                             const gt_summary_times *from)
{
    struct gt_record_times times;
    uint64_t differences[GT_RECORD_TIMES];
    if (!record_take_times(&times, names, from))
        return false;
    bool has_lists = times.blocks.count > 0 || times.ranges.count > 0;
    unsigned char present = (unsigned char) (has_lists ? HAS_LISTS : 0);
    for (size_t i = 0; i < GT_RECORD_TIMES; i++) {
        enum gt_record_time time = record_order[i];
        differences[i] = (uint64_t) times.values[time] ^ record_expect_time(&times, time);
        present |= (unsigned char) ((differences[i] != 0) << i);
    }
    gt_pack_raw(pack, &present, 1);
    if (has_lists) {
        record_put_named(pack, &times.blocks);
        record_put_named(pack, &times.ranges);
    }
    for (size_t i = 0; i < GT_RECORD_TIMES; i++) {
        if (differences[i] != 0)
            gt_pack_unsigned(pack, differences[i]);
    }
    return !pack->failed;
}

static void record_get_named(struct gt_unpack *unpack, struct gt_record_list *list)
{
    list->count = (size_t) gt_unpack_unsigned(unpack);
    for (size_t i = 0; i < list->count; i++) {
        list->list[i].name = (uint32_t) gt_unpack_unsigned(unpack);
        list->list[i].time = gt_unpack_signed(unpack);
    }
}

static void record_get_times(struct gt_unpack *unpack, struct gt_record_times *times)
{
    unsigned int present = unpack->pack->data[unpack->at++];
    times->blocks.count = times->ranges.count = 0;
    if (present & HAS_LISTS) {
        record_get_named(unpack, &times->blocks);
        record_get_named(unpack, &times->ranges);
    }
    for (size_t i = 0; i < GT_RECORD_TIMES; i++) {
        enum gt_record_time time = record_order[i];
        uint64_t difference = present >> i & 1 ? gt_unpack_unsigned(unpack) : 0;
        times->values[time] = (int64_t) (difference ^ record_expect_time(times, time));
    }
}

/* Writes a time relative to `start`. A summary has 0 for an unknown time. */
static void record_put_time(struct gt_pack *pack, int64_t time, int64_t start)
{
    gt_pack_signed(pack, time != 0 ? gt_time_minus(time, start) : GT_RECORD_NONE);
}

bool gt_record_put_goroutine(struct gt_pack *pack, struct gt_dictionary *names,
                             const gt_goroutine_summary *goroutine, int64_t start)
{
    gt_pack_signed(pack, goroutine->id);
    /* A creation time of 0 is valid in a trace that begins at 0, so it does not stand for an
     * unknown time here. */
    gt_pack_signed(pack, gt_time_minus(goroutine->created, start));
    record_put_time(pack, goroutine->started, goroutine->created);
    record_put_time(pack, goroutine->ended, goroutine->created);
    return record_put_times(pack, names, goroutine->times);
}

void gt_record_get_goroutine(struct gt_unpack *unpack, struct gt_record_goroutine *record)
{
    record->id = gt_unpack_signed(unpack);
    record->created = gt_unpack_signed(unpack);
    record->started = gt_unpack_signed(unpack);
    record->ended = gt_unpack_signed(unpack);
    if (record->started != GT_RECORD_NONE)
        gt_time_add_to(&record->started, record->created);
    if (record->ended != GT_RECORD_NONE)
        gt_time_add_to(&record->ended, record->created);
    record_get_times(unpack, &record->times);
}

bool gt_record_put_region(struct gt_pack *pack, struct gt_dictionary *names,
                          const gt_region_summary *region, struct gt_record_place previous,
                          int64_t start)
{
    unsigned int flags = (region->has_begin ? BEGIN_KNOWN : 0) | (region->has_end ? END_KNOWN : 0) |
                         (region->inherited ? INHERITED : 0);
    int64_t begin = region->has_begin ? region->begin : start;
    gt_pack_unsigned(pack, flags);
    gt_pack_signed(pack, region->goroutine);
    gt_pack_unsigned(pack, region->task);
    gt_pack_signed(pack, gt_time_minus(begin, start));
    gt_pack_signed(pack, region->has_end ? gt_time_minus(region->end, begin) : 0);
    gt_pack_unsigned(pack, previous.type);
    if (previous.type != 0)
        gt_pack_unsigned(pack, previous.at);
    return record_put_times(pack, names, region->times);
}

void gt_record_get_region(struct gt_unpack *unpack, struct gt_record_region *record)
{
    uint64_t flags = gt_unpack_unsigned(unpack);
    record->goroutine = gt_unpack_signed(unpack);
    record->task = gt_unpack_unsigned(unpack);
    record->begin = gt_unpack_signed(unpack);
    record->end = gt_time_plus(record->begin, gt_unpack_signed(unpack));
    record->inherited = (flags & INHERITED) != 0;
    if (!(flags & BEGIN_KNOWN))
        record->begin = GT_RECORD_NONE;
    if (!(flags & END_KNOWN))
        record->end = GT_RECORD_NONE;
    record->previous.type = gt_unpack_unsigned(unpack);
    record->previous.at = record->previous.type != 0 ? gt_unpack_unsigned(unpack) : 0;
    record_get_times(unpack, &record->times);
}

int64_t gt_record_named_time(const struct gt_record_list *list, uint32_t name)
{
    for (size_t i = 0; i < list->count; i++) {
        if (list->list[i].name == name)
            return list->list[i].time;
    }
    return 0;
}

void gt_record_write_times(struct gt_json *json, const int64_t *values)
{
    gt_json_key_object(json, "time");
    for (size_t i = 0; i < GT_RECORD_TIMES; i++)
        gt_json_key_int(json, gt_record_time_names[i], values[i]);
    gt_json_end(json);
}

static void record_write_named(struct gt_json *json, const char *key,
                               const struct gt_dictionary *names, const struct gt_record_list *list)
{
    gt_json_key_object(json, key);
    for (size_t i = 0; i < list->count; i++) {
        gt_json_key(json, gt_dictionary_get(names, list->list[i].name));
        gt_json_int(json, list->list[i].time);
    }
    gt_json_end(json);
}

void gt_record_write_all_times(struct gt_json *json, const struct gt_dictionary *names,
                               const struct gt_record_times *times)
{
    gt_record_write_times(json, times->values);
    record_write_named(json, "blocks", names, &times->blocks);
    record_write_named(json, "ranges", names, &times->ranges);
}

void gt_record_write_time(struct gt_json *json, const char *key, int64_t time)
{
    gt_json_key_int_if(json, key, time != GT_RECORD_NONE, time);
}
