/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Draws its own activity, for ui.perfetto.dev or chrome://tracing.
 *
 *     emitter >own.json
 *
 * Links libgotrace-viewer only: an emitter needs no Go trace.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <gotrace/viewer_json.h>

static int64_t now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t) time.tv_sec * 1000000000 + time.tv_nsec;
}

static int compare(const void *a, const void *b)
{
    int x = *(const int *) a, y = *(const int *) b;
    return (x > y) - (x < y);
}

static int write_out(void *user_data, const void *data, size_t size)
{
    (void) user_data;
    return fwrite(data, 1, size, stdout) != size;
}

/* Errors persist in the emitter, so it is sufficient to check gt_emitter_flush. */
static void add_slice(gt_emitter *emitter, const char *name, int64_t start, int64_t end,
                      size_t count)
{
    gt_viewer_argument numbers = {{"numbers", 7}, GT_VIEWER_UNSIGNED, 0, count, {"", 0}, 0};
    gt_slice slice = GT_SLICE_INIT;
    slice.name = (gt_string){name, strlen(name)};
    slice.time = start;
    slice.duration = end - start;
    slice.arguments = &numbers;
    slice.argument_count = 1;
    gt_emitter_slice(emitter, &slice);
}

static void work(gt_emitter *emitter)
{
    static int numbers[1 << 16];
    const int64_t first = now();
    gt_emitter_name_section(emitter, GT_SECTION_RESOURCES, (gt_string){"THREADS", 7});
    for (size_t count = 1; count <= sizeof(numbers) / sizeof(*numbers); count *= 2) {
        int64_t start = now() - first;
        gt_emitter_heap(emitter, start, count * sizeof(*numbers));
        for (size_t i = 0; i < count; i++)
            numbers[i] = rand();
        int64_t filled = now() - first;
        qsort(numbers, count, sizeof(*numbers), compare);
        int64_t end = now() - first;
        add_slice(emitter, "round", start, end, count);
        add_slice(emitter, "sort", filled, end, count);
    }
}

int main(void)
{
    gt_json_writer *writer = NULL;
    gt_emitter *emitter = NULL;
    gt_consumer consumer = GT_CONSUMER_INIT;
    gt_error error = GT_ERROR_INIT;
    int good = gt_json_writer_open(&writer, write_out, NULL, NULL, &error) == GT_OK &&
               gt_json_writer_consumer(writer, &consumer) == GT_OK &&
               gt_emitter_open(&emitter, &consumer, NULL, &error) == GT_OK;
    if (good)
        work(emitter);
    good = good && gt_emitter_flush(emitter) == GT_OK && fflush(stdout) == 0;
    gt_emitter_error(emitter, &error); /* does nothing if opening failed */
    if (!good)
        fprintf(stderr, "emitter: %s\n", error.status ? error.message : "writing failed");
    gt_emitter_close(&emitter);
    gt_json_writer_close(&writer);
    return !good;
}
