/* SPDX-License-Identifier: BSD-3-Clause */
#include "limits/ways.h"

#include <stdbool.h>
#include <string.h>

const struct way ways[] = {
    {"events", way_events, 1},
    {"stream", way_stream, 1},
    {"records", way_records, 0},
    {"to text", way_to_text, 0},
    {"to bytes", way_to_bytes, 0},
    {"from text", way_from_text, 0},
    {"validate", way_validate, 1},
    {"summary", way_summary, 1},
    {"summary, dropped", way_summary_drop, 1},
    {"profile", way_profile, 1},
    {"profile of regions", way_profile_regions, 1},
    {"mmu", way_mmu, 1},
    {"mmu of procs", way_mmu_procs, 1},
    {"latency", way_latency, 1},
    {"select goroutine", way_select_goroutine, 1},
    {"select task", way_select_task, 1},
    {"timeline", way_timeline, 1},
    {"timeline of threads", way_timeline_threads, 1},
    {"timeline of states", way_timeline_states, 1},
    {"emitter", way_emitter, 1},
    {"json", way_json, 1},
    {"perfetto", way_perfetto, 1},
    {"split", way_split, 1},
    {"columns", way_columns, 1},
    {"parquet", way_parquet, 1},
};

const size_t way_count = sizeof(ways) / sizeof(*ways);

struct way_run way_begin(const uint8_t *data, size_t size, uint64_t flags)
{
    struct way_run run = {0};

    run.data = data;
    run.size = size;
    run.flags = flags;
    return run;
}

void way_give(struct way_run *run, const void *bytes, size_t size)
{
    if (run->take)
        run->take(run->user_data, bytes, size);
}

void way_give_number(struct way_run *run, uint64_t number)
{
    way_give(run, &number, sizeof(number));
}

int way_write(void *user_data, const void *bytes, size_t size)
{
    way_give(user_data, bytes, size);
    return 0;
}

void way_note_text(struct way_run *run, const char *text, size_t size)
{
    const char *end = memchr(text, 0, size);
    size_t length = end ? (size_t) (end - text) + 1 : size + 1;

    if (length > run->text)
        run->text = length;
}

static void note_repair(void *user_data, const gt_error *repair)
{
    way_note_text(user_data, repair->message, sizeof(repair->message));
}

static gt_reader_options options_of(struct way_run *run, bool is_subject)
{
    gt_reader_options options = GT_READER_OPTIONS_INIT;

    options.flags = run->flags;
    options.on_repair = note_repair;
    options.repair_data = run;
    if (is_subject) {
        options.allocator = run->allocator;
        options.memory_limit = run->limit;
    }
    return options;
}

gt_status way_open_reader(struct way_run *run, gt_reader **reader, bool is_subject)
{
    gt_reader_options options = options_of(run, is_subject);
    gt_error error = GT_ERROR_INIT;
    gt_status status = gt_reader_open_memory(reader, run->data, run->size, &options, &error);

    way_note_text(run, error.message, sizeof(error.message));
    return status;
}

void way_close_reader(struct way_run *run, gt_reader **reader)
{
    gt_reader_info info = GT_READER_INFO_INIT;
    gt_error error = GT_ERROR_INIT;

    if (*reader && gt_reader_get_info(*reader, &info) == GT_OK)
        run->bytes = info.bytes;
    if (*reader && gt_reader_error(*reader, &error) == GT_OK)
        way_note_text(run, error.message, sizeof(error.message));
    gt_reader_close(reader);
}
