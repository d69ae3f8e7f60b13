/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/fault.h"

#include "support/digest.h"
#include "support/feed.h"
#include "support/test.h"

const unsigned fault_versions[FAULT_VERSIONS] = {22, 23, 25, 26};

void fault_generation(struct wire *wire, uint64_t gen)
{
    wire_sync(wire, gen, 1000 * gen, WIRE_NANOSECONDS);
    wire_batch(wire, gen, 5, 1000 * gen);
    wire_running(wire, 5, 0, 1);
}

void fault_begin(struct wire *wire, unsigned version)
{
    wire_begin(wire, version);
    fault_generation(wire, 1);
    wire_generation_end(wire);
}

static int check(const char *name, const char *source, const struct digest *digest,
                 const struct fault *expected)
{
    const gt_error *error = &digest->error;

    if (digest->status == expected->status && error->offset == expected->offset &&
        error->generation == expected->generation && digest->count == expected->events &&
        error->message[0] != '\0')
        return 0;
    print_error("%s (%s): %s at offset %lld, generation %llu after %lu events (%s)\n", name, source,
                gt_status_text(digest->status), (long long) error->offset,
                (unsigned long long) error->generation, (unsigned long) digest->count,
                error->message);
    print_error("    expected: %s at offset %lld, generation %llu after %lu events\n",
                gt_status_text(expected->status), (long long) expected->offset,
                (unsigned long long) expected->generation, (unsigned long) expected->events);
    return 1;
}

static void digest_bytewise(struct digest *digest, const struct wire *wire)
{
    const size_t one = 1;
    struct feed feed;
    gt_reader *reader;

    feed_init(&feed, wire->data, wire->size);
    feed.steps = &one;
    feed.step_count = 1;
    assert_status(gt_reader_open_callback(&reader, feed_read, &feed, NULL, NULL), GT_OK);
    digest_read(digest, &reader);
}

int fault_check(const char *name, struct wire *wire, const struct fault *expected)
{
    struct digest whole, bytewise;
    int bad;

    wire_batch_end(wire);
    digest_memory(&whole, wire->data, wire->size, NULL);
    bad = check(name, "memory", &whole, expected);
    if (!bad) {
        digest_bytewise(&bytewise, wire);
        bad = check(name, "callback", &bytewise, expected);
        digest_free(&bytewise);
    }
    digest_free(&whole);
    wire_free(wire);
    return bad;
}
