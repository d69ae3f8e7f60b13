/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * bench_perfetto FILE...: what it costs to write the rows of goroutines for Perfetto, and beside it
 * the same events as JSON, and what `gotrace json` writes, which has no states. Bytes are not
 * stored. Memory is what the reader, the timeline, the emitter and the writer hold at most; `bar`
 * is what they may hold: as much as for JSON, 9 bytes for each frame and 40 for each row.
 */

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <gotrace/gotrace.h>
#include <gotrace/timeline.h>
#include <gotrace/viewer_json.h>
#include <gotrace/viewer_perfetto.h>

enum {
    FRAME_BYTES = 9,
    ROW_BYTES = 40,
    SMALL_IDS = 1 << 24
};

#define STATES (GT_TIMELINE_EXACT | GT_TIMELINE_STATES)

/* What a pass over a trace has found. */
struct pass {
    double seconds; /* CPU time */
    uint64_t bytes;
    size_t memory;
    size_t memory_peak;
    uint64_t frames;
    uint64_t rows;
};

static double cpu_seconds(void)
{
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double) time.tv_sec + (double) time.tv_nsec / 1e9;
}

static void must(gt_status status, const char *what)
{
    if (status < 0) {
        fprintf(stderr, "bench_perfetto: %s: %s\n", what, gt_status_text(status));
        exit(1);
    }
}

static int count_bytes(void *user_data, const void *data, size_t size)
{
    struct pass *pass = user_data;
    (void) data;
    pass->bytes += size;
    return 0;
}

/* An allocator that counts. */

static void count_memory(struct pass *pass, size_t less, size_t more)
{
    pass->memory += more - less;
    if (pass->memory > pass->memory_peak)
        pass->memory_peak = pass->memory;
}

static void *count_allocate(void *context, size_t bytes)
{
    count_memory(context, 0, bytes);
    return malloc(bytes);
}

static void *count_reallocate(void *context, void *block, size_t old_bytes, size_t bytes)
{
    count_memory(context, old_bytes, bytes);
    return realloc(block, bytes);
}

static void count_release(void *context, void *block, size_t bytes)
{
    count_memory(context, bytes, 0);
    free(block);
}

static gt_allocator counting(struct pass *pass)
{
    return (gt_allocator){sizeof(gt_allocator), pass, count_allocate, count_reallocate,
                          count_release};
}

/* A consumer that counts frames and rows. */

static int count_frame(void *user_data, const gt_viewer_frame *frame)
{
    struct pass *pass = user_data;
    (void) frame;
    pass->frames++;
    return 0;
}

/* Counts a row when its first event comes, if its id is small, as nearly all are. */
static int count_event(void *user_data, const gt_viewer_event *event, int required)
{
    static uint8_t seen[GT_SECTION_TASKS + 1][SMALL_IDS / 8];
    struct pass *pass = user_data;
    (void) required;
    if (event->phase == 'M' || event->phase == 'C' || event->section > GT_SECTION_TASKS ||
        event->resource >= SMALL_IDS)
        return 0;
    uint8_t *bits = &seen[event->section][event->resource / 8];
    uint8_t bit = (uint8_t) (1u << event->resource % 8);
    if (pass->rows == 0)
        memset(seen, 0, sizeof(seen));
    pass->rows += (*bits & bit) == 0;
    *bits |= bit;
    return 0;
}

static int count_nothing(void *user_data, const gt_viewer_event *event, int required)
{
    (void) user_data;
    (void) event;
    (void) required;
    return 0;
}

/* Draws with the flags of a timeline. */
static void draw(struct pass *pass, const char *path, uint64_t flags, const gt_consumer *consumer)
{
    const gt_allocator allocator = counting(pass);
    gt_reader_options reading = GT_READER_OPTIONS_INIT;
    gt_reader *reader = NULL;
    gt_timeline *timeline = NULL;
    gt_emitter *emitter = NULL;
    const gt_event *event;
    gt_status status;
    gt_emitter_options drawing = GT_EMITTER_OPTIONS_INIT;
    gt_timeline_options options = GT_TIMELINE_OPTIONS_INIT;
    drawing.flags = GT_EMITTER_ENCLOSING;
    options.view = GT_VIEW_GOROUTINE;
    options.flags = flags;
    reading.allocator = drawing.allocator = options.allocator = &allocator;
    double before = cpu_seconds();
    must(gt_reader_open_file(&reader, path, &reading, NULL), path);
    must(gt_emitter_open(&emitter, consumer, &drawing, NULL), "emitter");
    must(gt_timeline_open(&timeline, reader, emitter, &options, NULL), "timeline");
    while ((status = gt_reader_next_event(reader, &event)) == GT_OK)
        must(gt_timeline_event(timeline, event), path);
    must(status, path);
    must(gt_timeline_finish(timeline), path);
    must(gt_emitter_flush(emitter), path);
    gt_timeline_close(&timeline);
    gt_emitter_close(&emitter);
    gt_reader_close(&reader);
    pass->seconds = cpu_seconds() - before;
}

/* Draws for a consumer that only counts, or that only counts frames. */
static struct pass run_counts(const char *path, bool counts_rows)
{
    struct pass pass = {0};
    gt_consumer consumer = GT_CONSUMER_INIT;
    consumer.user_data = &pass;
    consumer.frame = count_frame;
    consumer.event = counts_rows ? count_event : count_nothing;
    draw(&pass, path, STATES, &consumer);
    return pass;
}

static struct pass run_json(const char *path, uint64_t flags)
{
    struct pass pass = {0};
    gt_json_writer *writer = NULL;
    gt_consumer consumer = GT_CONSUMER_INIT;
    gt_json_options options = GT_JSON_OPTIONS_INIT;
    const gt_allocator allocator = counting(&pass);
    options.allocator = &allocator;
    must(gt_json_writer_open(&writer, count_bytes, &pass, &options, NULL), "JSON");
    must(gt_json_writer_consumer(writer, &consumer), "JSON");
    draw(&pass, path, flags, &consumer);
    gt_json_writer_close(&writer);
    return pass;
}

static struct pass run_perfetto(const char *path, gt_perfetto_info *info)
{
    struct pass pass = {0};
    gt_perfetto_writer *writer = NULL;
    gt_consumer consumer = GT_CONSUMER_INIT;
    gt_perfetto_options options = GT_PERFETTO_OPTIONS_INIT;
    const gt_allocator allocator = counting(&pass);
    options.allocator = &allocator;
    must(gt_perfetto_writer_open(&writer, count_bytes, &pass, &options, NULL), "Perfetto");
    must(gt_perfetto_writer_consumer(writer, GT_PERFETTO_GOROUTINES, &consumer), "Perfetto");
    draw(&pass, path, STATES, &consumer);
    must(gt_perfetto_writer_finish(writer), "Perfetto");
    must(gt_perfetto_writer_get_info(writer, info), "Perfetto");
    gt_perfetto_writer_close(&writer);
    return pass;
}

static void compare(const char *path)
{
    gt_perfetto_info info = GT_PERFETTO_INFO_INIT;
    struct pass counts = run_counts(path, false);
    struct pass rows = run_counts(path, true);
    struct pass plain = run_json(path, 0);
    struct pass json = run_json(path, STATES);
    struct pass perfetto = run_perfetto(path, &info);
    double packets = (double) info.packets;
    uint64_t bar = json.memory_peak + FRAME_BYTES * counts.frames + ROW_BYTES * rows.rows;
    printf("%s: %" PRIu64 " packets, %" PRIu64 " frames, %" PRIu64 " rows\n", path, info.packets,
           counts.frames, rows.rows);
    printf("    bytes   %" PRIu64 ", %.1f a packet; the same as JSON %" PRIu64
           ", gotrace json %" PRIu64 "\n",
           perfetto.bytes, (double) perfetto.bytes / packets, json.bytes, plain.bytes);
    printf("    time    %.1f ns a packet, of which %.1f in the writer; the same as JSON %.1f\n",
           perfetto.seconds / packets * 1e9, (perfetto.seconds - counts.seconds) / packets * 1e9,
           json.seconds / packets * 1e9);
    printf("    memory  %zu; the same as JSON %zu, gotrace json %zu, bar %" PRIu64 "\n",
           perfetto.memory_peak, json.memory_peak, plain.memory_peak, bar);
}

int main(int argc, char **argv)
{
    if (argc < 2) {
        fprintf(stderr, "usage: bench_perfetto FILE...\n");
        return 2;
    }
    for (int i = 1; i < argc; i++)
        compare(argv[i]);
    return 0;
}
