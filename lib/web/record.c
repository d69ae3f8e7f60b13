/* SPDX-License-Identifier: BSD-3-Clause */
#include "web/record.h"

#include <string.h>

enum {
    BEGIN_KNOWN = 1 << 0,
    END_KNOWN = 1 << 1,
    INHERITED = 1 << 2
};

const char *const record_time_names[RECORD_TIMES] = {
    [RECORD_EXECUTION] = "execution", [RECORD_SCHED_WAIT] = "sched_wait",
    [RECORD_SYSCALL] = "syscall",     [RECORD_SYSCALL_BLOCK] = "syscall_block",
    [RECORD_BLOCK] = "block",         [RECORD_UNKNOWN] = "unknown",
    [RECORD_TOTAL] = "total",
};

static bool put_named(struct pack *pack, struct dictionary *names, const gt_summary_time *list,
                      size_t count)
{
    pack_unsigned(pack, count);
    for (size_t i = 0; i < count; i++) {
        uint32_t name;
        if (!dictionary_put(names, list[i].name, &name))
            return false;
        pack_unsigned(pack, name);
        pack_signed(pack, list[i].time);
    }
    return true;
}

static bool put_times(struct pack *pack, struct dictionary *names, const gt_summary_times *times)
{
    const int64_t values[RECORD_TIMES] = {
        [RECORD_EXECUTION] = times->execution, [RECORD_SCHED_WAIT] = times->sched_wait,
        [RECORD_SYSCALL] = times->syscall,     [RECORD_SYSCALL_BLOCK] = times->syscall_block,
        [RECORD_BLOCK] = times->block,         [RECORD_UNKNOWN] = times->unknown,
        [RECORD_TOTAL] = times->total,
    };
    for (size_t i = 0; i < RECORD_TIMES; i++)
        pack_signed(pack, values[i]);
    return put_named(pack, names, times->blocks, times->block_count) &&
           put_named(pack, names, times->ranges, times->range_count) && !pack->failed;
}

static void get_named(struct unpack *unpack, struct record_list *list)
{
    list->count = (size_t) unpack_unsigned(unpack);
    for (size_t i = 0; i < list->count; i++) {
        list->list[i].name = (uint32_t) unpack_unsigned(unpack);
        list->list[i].time = unpack_signed(unpack);
    }
}

static void get_times(struct unpack *unpack, struct record_times *times)
{
    for (size_t i = 0; i < RECORD_TIMES; i++)
        times->values[i] = unpack_signed(unpack);
    get_named(unpack, &times->blocks);
    get_named(unpack, &times->ranges);
}

/* A summary has 0 for what is not known. */
static void put_time(struct pack *pack, int64_t time, int64_t start)
{
    pack_signed(pack, time != 0 ? time - start : RECORD_NONE);
}

bool record_put_goroutine(struct pack *pack, struct dictionary *names,
                          const gt_goroutine_summary *goroutine, int64_t start)
{
    pack_signed(pack, goroutine->id);
    /* A goroutine of a trace that begins at 0 was created then. */
    pack_signed(pack, goroutine->created - start);
    put_time(pack, goroutine->started, goroutine->created);
    put_time(pack, goroutine->ended, goroutine->created);
    return put_times(pack, names, &goroutine->times);
}

void record_get_goroutine(struct unpack *unpack, struct record_goroutine *record)
{
    record->id = unpack_signed(unpack);
    record->created = unpack_signed(unpack);
    record->started = unpack_signed(unpack);
    record->ended = unpack_signed(unpack);
    record->started += record->started != RECORD_NONE ? record->created : 0;
    record->ended += record->ended != RECORD_NONE ? record->created : 0;
    get_times(unpack, &record->times);
}

bool record_put_region(struct pack *pack, struct dictionary *names, const gt_region_summary *region,
                       struct record_place previous, int64_t start)
{
    unsigned int flags = (region->has_begin ? BEGIN_KNOWN : 0) | (region->has_end ? END_KNOWN : 0) |
                         (region->inherited ? INHERITED : 0);
    int64_t begin = region->has_begin ? region->begin : start;
    pack_unsigned(pack, flags);
    pack_signed(pack, region->goroutine);
    pack_unsigned(pack, region->task);
    pack_signed(pack, begin - start);
    pack_signed(pack, region->has_end ? region->end - begin : 0);
    pack_unsigned(pack, previous.type);
    pack_unsigned(pack, previous.at);
    return put_times(pack, names, &region->times);
}

void record_get_region(struct unpack *unpack, struct record_region *record)
{
    uint64_t flags = unpack_unsigned(unpack);
    record->goroutine = unpack_signed(unpack);
    record->task = unpack_unsigned(unpack);
    record->begin = unpack_signed(unpack);
    record->end = record->begin + unpack_signed(unpack);
    record->inherited = (flags & INHERITED) != 0;
    if (!(flags & BEGIN_KNOWN))
        record->begin = RECORD_NONE;
    if (!(flags & END_KNOWN))
        record->end = RECORD_NONE;
    record->previous.type = unpack_unsigned(unpack);
    record->previous.at = unpack_unsigned(unpack);
    get_times(unpack, &record->times);
}

int64_t record_named_time(const struct record_list *list, uint32_t name)
{
    for (size_t i = 0; i < list->count; i++) {
        if (list->list[i].name == name)
            return list->list[i].time;
    }
    return 0;
}

void record_write_times(struct json *json, const int64_t *values)
{
    json_key(json, "time");
    json_object(json);
    for (size_t i = 0; i < RECORD_TIMES; i++)
        json_key_int(json, record_time_names[i], values[i]);
    json_end_object(json);
}

/* A key that is the trace's, and so not fit for json_key. */
static void write_member(struct json *json, gt_string name, int64_t value)
{
    json_string(json, name);
    gt_response_text(json->out, ":");
    json->comma = false;
    json_int(json, value);
}

void record_write_named(struct json *json, const char *key, const struct dictionary *names,
                        const struct record_list *list)
{
    json_key(json, key);
    json_object(json);
    for (size_t i = 0; i < list->count; i++)
        write_member(json, dictionary_get(names, list->list[i].name), list->list[i].time);
    json_end_object(json);
}

void record_write_time(struct json *json, const char *key, int64_t time)
{
    if (time == RECORD_NONE)
        json_key_null(json, key);
    else
        json_key_int(json, key, time);
}
