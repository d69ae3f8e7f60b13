/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/measure.h"

#include <stdlib.h>

#include "support/test.h"

/* The most memory that the library may take: a multiple of the input, plus a base. */
#define MEMORY_FACTOR 32
#define MEMORY_BASE   (1 << 20)

double measure_allowed(double seconds)
{
    const char *scale = getenv("GT_TIME_SCALE");

#if !defined(__OPTIMIZE__)
    seconds *= 10;
#elif TEST_SANITIZED
    seconds *= 10;
#endif
    return scale ? seconds * atof(scale) : seconds;
}

/* Reads all events, and the stacks of metrics. Returns the CPU time. */
static double read_once(const struct wire *wire, uint64_t flags, struct arena *arena,
                        gt_status expected)
{
    gt_reader_options options = GT_READER_OPTIONS_INIT;
    gt_reader_info info = GT_READER_INFO_INIT;
    double start = test_cpu_seconds();
    const gt_event *event;
    gt_reader *reader;
    gt_status status;
    size_t count;

    arena->used = 0;
    options.flags = flags;
    options.allocator = &arena->allocator;
    assert_status(gt_reader_open_memory(&reader, wire->data, wire->size, &options, NULL), GT_OK);
    while ((status = gt_reader_next_event(reader, &event)) == GT_OK) {
        if (event->kind == GT_EVENT_METRIC)
            assert_status(gt_stack_frames(reader, gt_event_stack(event), NULL, 0, &count), GT_OK);
    }
    assert_status(status, expected);
    assert_status(gt_reader_get_info(reader, &info), GT_OK);
    if (info.memory_peak > MEMORY_FACTOR * (uint64_t) wire->size + MEMORY_BASE)
        fail_msg("%lu bytes of memory for %lu of input", (unsigned long) info.memory_peak,
                 (unsigned long) wire->size);
    gt_reader_close(&reader);
    return test_cpu_seconds() - start;
}

double measure_time(const struct hostile *hostile, uint64_t n, uint64_t flags, struct arena *arena)
{
    gt_status expected = flags & GT_READER_LENIENT ? GT_END : hostile->status;
    struct wire wire = {0};
    double least = 0, seconds;

    hostile->write(&wire, n);
    wire_generation_end(&wire);
    for (int i = 0; i < 5; i++) {
        seconds = read_once(&wire, flags, arena, expected);
        if (i == 0 || seconds < least)
            least = seconds;
    }
    wire_free(&wire);
    return least;
}

void measure_growth(const struct hostile *hostile, uint64_t flags, struct arena *arena)
{
    double once = measure_time(hostile, hostile->n, flags, arena);
    double four = measure_time(hostile, 4 * hostile->n, flags, arena);

    /*
     * A very short time does not show growth. If the larger input does not fit into the caches, it
     * takes up to 11 times as long on a busy machine; quadratic time is 16 times as long.
     */
    if (four > 0.02 && four > 12 * once)
        fail_msg("%.4f s for %lu, %.4f s for 4 times as many", once, (unsigned long) hostile->n,
                 four);
    if (four > measure_allowed(0.25))
        fail_msg("%.4f s", four);
}
