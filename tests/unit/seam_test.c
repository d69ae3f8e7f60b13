/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Every type of event of the specification has an entry in one of the tables by which a reader with
 * workers compares events with the state before their generation.
 */

#include "support/test.h"
#include "v2/record.h"
#include "v2/seam.h"
#include "v2/spec.h"

static void test_every_type_of_event_is_compared(void **state)
{
    unsigned events = 0;
    int bad = 0;
    (void) state;
    for (unsigned type = 0; type < 256; type++) {
        bool has_entry = gt_v2_forms[type] != GT_V2_FORM_WHOLE || gt_v2_seam_rules[type];
        bool is_event = gt_v2_is_event((uint8_t) type);
        events += is_event;
        if (has_entry != (is_event || type == GT_V2_OUTER_REGION_END)) {
            print_error("type %u, %s\n", type, is_event ? gt_v2_specs[type].name : "no event");
            bad++;
        }
    }
    assert_int_equal(bad, 0);
    assert_in_range(events, 40, 255);
}

/* A type without an entry does not fit, so that its generation is read with the state before. */
static void test_type_without_an_entry_never_fits(void **state)
{
    struct gt_event_data data = {.type = GT_WIRE_NONE};
    (void) state;
    assert_null(gt_v2_seam_rules[data.type]);
    assert_false(gt_v2_seam_check(NULL, NULL, &data, &data));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_type_of_event_is_compared),
        cmocka_unit_test(test_type_without_an_entry_never_fits),
    };
    return cmocka_run_group_tests_name("seam", tests, NULL, NULL);
}
