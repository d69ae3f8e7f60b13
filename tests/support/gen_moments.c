/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/gen_moments.h"

#include <stdbool.h>

#include "support/fault.h"
#include "support/test.h"

static bool is_moment(const struct reading *reading, const struct gen_moment *moment)
{
    const gt_event *event = reading->event;
    gt_transition transition = GT_TRANSITION_INIT;
    gt_sync sync = GT_SYNC_INIT;

    if (event->kind != moment->kind || event->thread != moment->thread ||
        event->proc != moment->proc || event->goroutine != moment->goroutine)
        return 0;
    if (event->kind == GT_EVENT_SYNC)
        return gt_event_sync(event, &sync) == GT_OK && sync.generation == (uint64_t) moment->id;
    if (event->kind != GT_EVENT_STATE_TRANSITION)
        return 1;
    return gt_event_transition(event, &transition) == GT_OK &&
           transition.resource.kind == moment->resource && transition.resource.id == moment->id &&
           transition.from == moment->from && transition.to == moment->to;
}

static void print_event(const gt_event *event)
{
    gt_transition transition = GT_TRANSITION_INIT;

    print_error("%s on thread %lld, proc %lld, goroutine %lld\n", gt_event_kind_name(event->kind),
                (long long) event->thread, (long long) event->proc, (long long) event->goroutine);
    if (gt_event_transition(event, &transition) == GT_OK)
        print_error("    of %s %lld from %u to %u\n",
                    transition.resource.kind == GT_RESOURCE_PROC ? "proc" : "goroutine",
                    (long long) transition.resource.id, transition.from, transition.to);
}

void gen_expect(struct reading *reading, const struct gen_moment *moments, size_t count)
{
    gt_error error = GT_ERROR_INIT;

    for (size_t i = 0; i < count; i++) {
        gt_status status = gt_reader_next_event(reading->reader, &reading->event);

        if (status != GT_OK) {
            gt_reader_error(reading->reader, &error);
            fail_msg("version %u, event %zu: %s", reading->wire.version, i, error.message);
        }
        if (is_moment(reading, &moments[i]))
            continue;
        print_event(reading->event);
        fail_msg("version %u, event %zu is another", reading->wire.version, i);
    }
}

void gen_check(void (*describe)(struct gen *gen), unsigned least, unsigned most,
               const struct gen_moment *moments, size_t count)
{
    struct reading r = {0};
    struct gen g = {0};

    for (size_t k = 0; k < FAULT_VERSIONS; k++) {
        if (fault_versions[k] < least || fault_versions[k] > most)
            continue;
        gen_begin(&g, fault_versions[k]);
        describe(&g);
        gen_read(&g, &r);
        gen_expect(&r, moments, count);
        reading_end(&r);
    }
}

void gen_check_fault(void (*describe)(struct gen *gen), unsigned least, unsigned most,
                     gt_status status, const struct gen_moment *moments, size_t count)
{
    struct reading r = {0};
    struct gen g = {0};
    uint64_t generation;
    size_t offset;

    for (size_t k = 0; k < FAULT_VERSIONS; k++) {
        gt_error error = GT_ERROR_INIT;

        if (fault_versions[k] < least || fault_versions[k] > most)
            continue;
        gen_begin(&g, fault_versions[k]);
        describe(&g);
        offset = g.event_at;
        generation = g.generation;
        gen_read(&g, &r);
        gen_expect(&r, moments, count);
        assert_status(gt_reader_next_event(r.reader, &r.event), status);
        gt_reader_error(r.reader, &error);
        assert_int_equal(error.offset, offset);
        assert_int_equal(error.generation, generation);
        reading_close(&r);
    }
}
