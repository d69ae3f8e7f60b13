/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "base/decimal.h"
#include "base/text.h"
#include "viewer/check.h"
#include "writer/perfetto.h"
#include "writer/perfetto_fields.h"

/* The descriptors of tracks: their names, groups and order. */

enum {
    /* From this number of goroutines of one function on, they share lanes. */
    MERGED_GOROUTINES = 512,
    NUMBERED_NAME_MAX = 1 + GT_DECIMAL_MAX,
    DESCRIPTOR_MAX = 8 * GT_PROTO_FIELD_MAX
};

/* What a descriptor contains. Members that are 0 are left out. */
struct track {
    uint64_t uuid;
    uint64_t parent; /* without the base */
    gt_string name;
    uint32_t ordering;
    int32_t rank;
    uint32_t merge;
    uint64_t merge_key;
    uint32_t tid;
};

/* Appends a number to a descriptor, which has room for it, unless it is 0. */
static void track_add(struct gt_perfetto_writer *writer, uint32_t field, uint64_t value)
{
    if (value != 0)
        gt_pf_number(&writer->event, field, value);
}

static gt_status track_add_process(struct gt_perfetto_writer *writer)
{
    gt_status status = gt_pf_reserve(writer, &writer->inner, GT_PROTO_FIELD_MAX);
    if (status != GT_OK)
        return status;
    writer->inner.count = 0;
    gt_pf_number(&writer->inner, GT_PF_PROCESS_PID, writer->options.pid);
    status = gt_pf_text_field(writer, &writer->inner, GT_PF_PROCESS_NAME,
                              writer->texts.list.items[writer->process_name]);
    return status == GT_OK
               ? gt_pf_nested(writer, &writer->event, GT_PF_TRACK_PROCESS, &writer->inner)
               : status;
}

static gt_status track_add_thread(struct gt_perfetto_writer *writer, const struct track *track)
{
    gt_status status = gt_pf_reserve(writer, &writer->inner, 2 * GT_PROTO_FIELD_MAX);
    if (status != GT_OK)
        return status;
    writer->inner.count = 0;
    gt_pf_number(&writer->inner, GT_PF_THREAD_PID, writer->options.pid);
    gt_pf_number(&writer->inner, GT_PF_THREAD_TID, track->tid);
    status = gt_pf_text_field(writer, &writer->inner, GT_PF_THREAD_NAME, track->name);
    return status == GT_OK
               ? gt_pf_nested(writer, &writer->event, GT_PF_TRACK_THREAD, &writer->inner)
               : status;
}

static gt_status track_add_name(struct gt_perfetto_writer *writer, const struct track *track)
{
    if (track->uuid == gt_pf_uuid_at(writer, GT_PF_UUID_PROCESS))
        return track_add_process(writer);
    if (track->tid != 0)
        return track_add_thread(writer, track);
    return gt_pf_text_field(writer, &writer->event, GT_PF_TRACK_NAME, track->name);
}

static gt_status track_put(struct gt_perfetto_writer *writer, const struct track *track)
{
    gt_status status = gt_pf_reserve(writer, &writer->event, DESCRIPTOR_MAX);
    if (status != GT_OK)
        return status;
    writer->event.count = 0;
    gt_pf_number(&writer->event, GT_PF_TRACK_UUID, track->uuid);
    if (track->parent != 0)
        track_add(writer, GT_PF_TRACK_PARENT, track->parent);
    track_add(writer, GT_PF_TRACK_CHILD_ORDERING, track->ordering);
    track_add(writer, GT_PF_TRACK_RANK, (uint64_t) (int64_t) track->rank);
    track_add(writer, GT_PF_TRACK_MERGE, track->merge);
    status = track_add_name(writer, track);
    if (status == GT_OK && track->merge == GT_PF_MERGE_BY_KEY) {
        char key[GT_DECIMAL_MAX];
        const gt_string text = {key, (size_t) (gt_decimal_put(key, track->merge_key) - key)};
        status = gt_pf_text_field(writer, &writer->event, GT_PF_TRACK_MERGE_KEY, text);
    }
    if (status == GT_OK)
        gt_pf_put_other(writer, GT_PF_PACKET_TRACK_DESCRIPTOR);
    return status;
}

/* Returns the group in which a row is; 0 if it is a track of its own. */
static uint64_t row_group(const struct gt_pf_row *row)
{
    bool is_go = row->source != GT_PERFETTO_PLAIN;
    if (row->section == GT_SECTION_TASKS)
        return GT_PF_UUID_TASKS;
    if (row->section == GT_SECTION_STATS && is_go)
        return GT_PF_UUID_RUNTIME;
    if (row->section != GT_SECTION_RESOURCES)
        return GT_PF_UUID_OTHER;
    if (!is_go)
        return GT_PF_UUID_PLAIN;
    if (row->id >= GT_ROW_TIMERS && row->id <= GT_ROW_GC)
        return GT_PF_UUID_RUNTIME;
    return row->source == GT_PERFETTO_PROCS     ? GT_PF_UUID_PROCS
           : row->source == GT_PERFETTO_THREADS ? 0
                                                : GT_PF_UUID_GOROUTINES;
}

/* Returns the name of a group. */
static gt_string group_name(const struct gt_perfetto_writer *writer, uint64_t group)
{
    static const gt_string names[] = {
        [GT_PF_UUID_COUNTERS] = GT_LITERAL("Counters"),
        [GT_PF_UUID_RUNTIME] = GT_LITERAL("Runtime"),
        [GT_PF_UUID_PROCS] = GT_LITERAL("Procs"),
        [GT_PF_UUID_GOROUTINES] = GT_LITERAL("Goroutines"),
        [GT_PF_UUID_TASKS] = GT_LITERAL("Tasks"),
        [GT_PF_UUID_PLAIN] = GT_LITERAL("Rows"),
        [GT_PF_UUID_OTHER] = GT_LITERAL("Other rows"),
    };

    static const uint8_t sections[] = {
        [GT_PF_UUID_COUNTERS] = GT_SECTION_STATS + 1,
        [GT_PF_UUID_PLAIN] = GT_SECTION_RESOURCES + 1,
        [GT_PF_UUID_TASKS] = GT_SECTION_TASKS + 1,
        [GT_PF_UUID_OTHER] = 0,
    };

    uint32_t given = sections[group] != 0 ? writer->section_names[sections[group] - 1] : 0;
    bool is_plain = writer->sources[GT_PERFETTO_PLAIN].is_first;
    return is_plain && given != 0 ? writer->texts.list.items[given] : names[group];
}

/* Writes the descriptors of groups that have rows, bit by number. */
static gt_status groups_put(struct gt_perfetto_writer *writer, unsigned used)
{
    const struct track process = {
        .uuid = gt_pf_uuid_at(writer, GT_PF_UUID_PROCESS),
        .ordering = GT_PF_ORDER_BY_RANK,
    };
    gt_status status = track_put(writer, &process);
    for (uint64_t group = GT_PF_UUID_COUNTERS; group <= GT_PF_UUID_OTHER; group++) {
        const struct track track = {
            .uuid = gt_pf_uuid_at(writer, group),
            .parent = gt_pf_uuid_at(writer, GT_PF_UUID_PROCESS),
            .name = group_name(writer, group),
            .ordering = group == GT_PF_UUID_GOROUTINES || group == GT_PF_UUID_TASKS
                            ? GT_PF_ORDER_BY_NAME
                            : GT_PF_ORDER_BY_RANK,
            .rank = (int32_t) group,
        };
        if (status == GT_OK && (used >> group & 1) != 0)
            status = track_put(writer, &track);
    }
    return status;
}

/* Writes the descriptor of the track below a row, in which what is not a state is drawn. */
static gt_status row_put_child(struct gt_perfetto_writer *writer, uint32_t row)
{
    const struct track track = {
        .uuid = gt_pf_uuid(writer, GT_PF_TRACK_CHILD, row),
        .parent = gt_pf_uuid(writer, GT_PF_TRACK_ROW, row),
        .name = GT_LITERAL("regions"),
    };
    return gt_pf_row(writer, row)->has_child ? track_put(writer, &track) : GT_OK;
}

gt_status gt_pf_put_lone_track(struct gt_perfetto_writer *writer, uint32_t row, gt_string name,
                               uint64_t uuid)
{
    const struct track track = {
        .uuid = uuid,
        .parent = gt_pf_uuid(writer, GT_PF_TRACK_ROW, row),
        .name = name,
    };
    return track_put(writer, &track);
}

/* Composes "G18". */
static gt_string row_name(char *to, char letter, uint64_t id)
{
    char *end = to;
    *end++ = letter;
    end = gt_decimal_put_signed(end, (int64_t) id);
    return (gt_string){to, (size_t) (end - to)};
}

/* The numbers of goroutines, by the number of the text that is their function. */
struct function_counts {
    uint32_t *items;
    size_t count;
    size_t capacity;
};

static bool row_is_of_goroutine(const struct gt_pf_row *row)
{
    return row->source == GT_PERFETTO_GOROUTINES && row_group(row) == GT_PF_UUID_GOROUTINES;
}

/* Completes the descriptor of a goroutine. */
static void track_of_goroutine(struct track *track, const struct gt_perfetto_writer *writer,
                               const struct gt_pf_row *row, const struct function_counts *counts)
{
    track->parent = gt_pf_uuid(writer, GT_PF_TRACK_FUNCTION, row->text);
    track->rank = (int32_t) (row->id < INT32_MAX ? row->id : INT32_MAX);
    track->merge = GT_PF_MERGE_NEVER;
    if (counts->items[row->text] < MERGED_GOROUTINES)
        return;
    track->merge = GT_PF_MERGE_BY_KEY;
    track->merge_key = row->text;
}

static gt_status row_put(struct gt_perfetto_writer *writer, uint32_t number,
                         const struct function_counts *counts)
{
    const struct gt_pf_row *row = gt_pf_row(writer, number);
    char name[NUMBERED_NAME_MAX];
    uint64_t group = row_group(row);
    struct track track = {
        .uuid = gt_pf_uuid(writer, GT_PF_TRACK_ROW, number),
        .parent = group != 0 ? gt_pf_uuid_at(writer, group) : 0,
        .rank = row->has_rank ? row->rank : (int32_t) (row->id & INT32_MAX),
        .merge = GT_PF_MERGE_NEVER,
    };
    if (row->text != 0)
        track.name = writer->texts.list.items[row->text];
    if (row_is_of_goroutine(row)) {
        track_of_goroutine(&track, writer, row, counts);
        track.name = row_name(name, 'G', row->id);
    } else if (group == GT_PF_UUID_TASKS && row->source != GT_PERFETTO_PLAIN) {
        /* Tasks of one type share lanes. */
        track.rank = 0;
        track.merge = 0;
    } else if (group == 0 && row->id <= INT32_MAX) {
        track.tid = (uint32_t) row->id;
    } else if (group == 0) {
        /* Perfetto would take it for the thread whose id is the rest of a division by 2^32. */
        track.parent = gt_pf_uuid_at(writer, GT_PF_UUID_PROCESS);
    }
    gt_status status = track_put(writer, &track);
    return status == GT_OK ? row_put_child(writer, number) : status;
}

/* Counts the goroutines by function, and returns the groups that are used, bit by number. */
static unsigned rows_count(const struct gt_perfetto_writer *writer,
                           const struct function_counts *counts)
{
    unsigned used = writer->series.count > 0 ? 1u << GT_PF_UUID_COUNTERS : 0;
    for (uint32_t i = 0; i < writer->rows.count; i++) {
        const struct gt_pf_row *row = gt_pf_row(writer, i);
        used |= 1u << row_group(row);
        if (row_is_of_goroutine(row))
            counts->items[row->text]++;
    }
    return used;
}

/* Writes the descriptors of the groups of goroutines. */
static gt_status functions_put(struct gt_perfetto_writer *writer,
                               const struct function_counts *counts)
{
    gt_status status = GT_OK;
    for (size_t i = 0; i < counts->count && status == GT_OK; i++) {
        const gt_string unknown = GT_LITERAL("(unknown)");
        const struct track track = {
            .uuid = gt_pf_uuid(writer, GT_PF_TRACK_FUNCTION, i),
            .parent = gt_pf_uuid_at(writer, GT_PF_UUID_GOROUTINES),
            .name = i != 0 ? writer->texts.list.items[i] : unknown,
            .ordering = GT_PF_ORDER_BY_RANK,
        };
        if (counts->items[i] != 0)
            status = track_put(writer, &track);
    }
    return status;
}

gt_status gt_pf_put_tracks(struct gt_perfetto_writer *writer)
{
    struct function_counts counts = {NULL, 0, 0};
    gt_status status = gt_array_extend(&writer->mem, &counts, writer->texts.list.count);
    if (status != GT_OK)
        return status;
    status = groups_put(writer, rows_count(writer, &counts));
    if (status == GT_OK)
        status = functions_put(writer, &counts);
    for (uint32_t i = 0; i < writer->rows.count && status == GT_OK; i++)
        status = row_put(writer, i, &counts);
    gt_array_free(&writer->mem, &counts);
    return status;
}
