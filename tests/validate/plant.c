/* SPDX-License-Identifier: BSD-3-Clause */
#include "plant.h"

#include "support/test.h"

#define SECOND_TIME 100000

void plant_begin(struct plant *plant)
{
    reading_begin(&plant->first);
    wire_begin(&plant->second.wire, 23);
    wire_sync(&plant->second.wire, 1, SECOND_TIME, WIRE_NANOSECONDS);
    wire_batch(&plant->second.wire, 1, 5, SECOND_TIME + 10);
}

void plant_begin_running(struct plant *plant)
{
    plant_begin(plant);
    wire_running(&plant->first.wire, 5, 0, 1);
    wire_running(&plant->second.wire, 5, 0, 1);
}

void plant_generation(struct wire *wire, uint64_t gen)
{
    wire_sync(wire, gen, gen * 1000, WIRE_NANOSECONDS);
    wire_batch(wire, gen, 5, gen * 1000 + 1);
    WIRE_EVENT(wire, EV_PROC_STATUS, 1, 0, PROC_IDLE);
}

void plant_strings(struct wire *wire)
{
    wire_strings(wire, 1);
    wire_string(wire, 1, "main.f");
    wire_string(wire, 2, "main.go");
}

void plant_open(struct plant *plant, const gt_validator_options *options)
{
    gt_validator_options own = GT_VALIDATOR_OPTIONS_INIT;
    own.version = plant->first.wire.version;
    reading_open(&plant->first, NULL);
    if (plant->second.wire.data)
        reading_open(&plant->second, NULL);
    assert_status(gt_validator_open(&plant->validator, options ? options : &own, NULL), GT_OK);
}

static gt_status feed_one(struct plant *plant, struct reading *reading)
{
    gt_status status = gt_reader_next_event(reading->reader, &reading->event);
    if (status != GT_OK)
        return status;
    plant->fed++;
    assert_status(gt_validator_event(plant->validator, reading->reader, reading->event), GT_OK);
    return GT_OK;
}

void plant_feed(struct plant *plant, struct reading *reading, unsigned count)
{
    while (count-- > 0)
        assert_status(feed_one(plant, reading), GT_OK);
}

void plant_feed_rest(struct plant *plant, struct reading *reading)
{
    gt_status status;
    while ((status = feed_one(plant, reading)) == GT_OK)
        ;
    assert_status(status, GT_END);
}

static void show_findings(const struct plant *plant, uint64_t from)
{
    gt_finding finding = GT_FINDING_INIT;
    for (; gt_validator_finding(plant->validator, from, &finding) == GT_OK; from++)
        print_error("event %u: %s: %s\n", (unsigned) finding.number, gt_rule_text(finding.rule),
                    finding.message);
}

const char *plant_expect(struct plant *plant, gt_rule rule)
{
    static gt_finding finding;
    finding.size = sizeof(finding);
    if (gt_validator_count(plant->validator) != plant->expected + 1)
        show_findings(plant, 0);
    assert_int_equal(gt_validator_count(plant->validator), plant->expected + 1);
    assert_status(gt_validator_finding(plant->validator, plant->expected, &finding), GT_OK);
    assert_string_equal(gt_rule_text(finding.rule), gt_rule_text(rule));
    assert_int_equal(finding.number, plant->fed);
    plant->expected++;
    return finding.message;
}

void plant_close(struct plant *plant)
{
    show_findings(plant, plant->expected);
    assert_int_equal(gt_validator_count(plant->validator), plant->expected);
    gt_validator_close(&plant->validator);
    assert_null(plant->validator);
    reading_close(&plant->first);
    reading_close(&plant->second);
}
