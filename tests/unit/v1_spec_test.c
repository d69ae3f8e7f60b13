/* SPDX-License-Identifier: BSD-3-Clause */

/* The arguments of events in the versions of the format before Go 1.22. */

#include "v1/spec.h"

#include <string.h>

#include "support/test.h"
#include "support/v1wire.h"

/*
 * The numbers of a record, by name, in the versions `from` to `to`. What starts
 * with "dt" is an event, and what ends with "stack" has one. Go 1.5 puts the
 * sequence number of an event first, which is left out here.
 */
struct layout {
    unsigned type;
    const char *name;
    unsigned from;
    unsigned to;
    const char *numbers;
};

static const struct layout layouts[] = {
    {1, "Batch", 5, 5, "proc sequence ticks"},
    {1, "Batch", 7, 21, "proc ticks"},
    {2, "Frequency", 5, 5, "frequency unused"},
    {2, "Frequency", 7, 21, "frequency"},
    {3, "Stack", 5, 21, "id frames"},
    {4, "Gomaxprocs", 5, 21, "dt procs stack"},
    {5, "ProcStart", 5, 21, "dt thread"},
    {6, "ProcStop", 5, 21, "dt"},
    {7, "GCStart", 5, 5, "dt stack"},
    {7, "GCStart", 7, 21, "dt seq stack"},
    {8, "GCDone", 5, 21, "dt"},
    {9, "STWStart", 5, 9, "dt"},
    {9, "STWStart", 10, 21, "dt kind"},
    {10, "STWDone", 5, 21, "dt"},
    {11, "GCSweepStart", 5, 21, "dt stack"},
    {12, "GCSweepDone", 5, 8, "dt"},
    {12, "GCSweepDone", 9, 21, "dt swept reclaimed"},
    {13, "GoCreate", 5, 5, "dt g pc stack"},
    {13, "GoCreate", 7, 21, "dt g start stack"},
    {14, "GoStart", 5, 5, "dt g"},
    {14, "GoStart", 7, 21, "dt g seq"},
    {15, "GoEnd", 5, 21, "dt"},
    {16, "GoStop", 5, 21, "dt stack"},
    {17, "GoSched", 5, 21, "dt stack"},
    {18, "GoPreempt", 5, 21, "dt stack"},
    {19, "GoSleep", 5, 21, "dt stack"},
    {20, "GoBlock", 5, 21, "dt stack"},
    {21, "GoUnblock", 5, 5, "dt g stack"},
    {21, "GoUnblock", 7, 21, "dt g seq stack"},
    {22, "GoBlockSend", 5, 21, "dt stack"},
    {23, "GoBlockRecv", 5, 21, "dt stack"},
    {24, "GoBlockSelect", 5, 21, "dt stack"},
    {25, "GoBlockSync", 5, 21, "dt stack"},
    {26, "GoBlockCond", 5, 21, "dt stack"},
    {27, "GoBlockNet", 5, 21, "dt stack"},
    {28, "GoSysCall", 5, 21, "dt stack"},
    {29, "GoSysExit", 5, 21, "dt g seq time"},
    {30, "GoSysBlock", 5, 21, "dt"},
    {31, "GoWaiting", 5, 21, "dt g"},
    {32, "GoInSyscall", 5, 21, "dt g"},
    {33, "HeapAlloc", 5, 21, "dt bytes"},
    {34, "HeapGoal", 5, 21, "dt bytes"},
    {35, "TimerGoroutine", 5, 5, "g unused"},
    {35, "TimerGoroutine", 7, 21, "g"},
    {36, "FutileWakeup", 5, 21, "dt"},
    {37, "String", 7, 21, "id length"},
    {38, "GoStartLocal", 7, 21, "dt g"},
    {39, "GoUnblockLocal", 7, 21, "dt g stack"},
    {40, "GoSysExitLocal", 7, 21, "dt g time"},
    {41, "GoStartLabel", 8, 21, "dt g seq label"},
    {42, "GoBlockGC", 8, 21, "dt stack"},
    {43, "GCMarkAssistStart", 9, 21, "dt stack"},
    {44, "GCMarkAssistDone", 9, 21, "dt"},
    {45, "UserTaskCreate", 11, 21, "dt task parent name stack"},
    {46, "UserTaskEnd", 11, 21, "dt task stack"},
    {47, "UserRegion", 11, 21, "dt task mode name stack"},
    {48, "UserLog", 11, 21, "dt task key stack"},
    {49, "CPUSample", 19, 21, "dt time proc g stack"},
};

#define LAYOUTS (sizeof(layouts) / sizeof(layouts[0]))

static bool is_event(const struct layout *layout)
{
    return strncmp(layout->numbers, "dt", 2) == 0;
}

static bool has_stack(const struct layout *layout)
{
    const char *last = strrchr(layout->numbers, ' ');
    return last && strcmp(last, " stack") == 0;
}

static const struct layout *find_layout(unsigned version, unsigned type)
{
    for (size_t i = 0; i < LAYOUTS; i++) {
        if (layouts[i].type == type && layouts[i].from <= version && version <= layouts[i].to)
            return &layouts[i];
    }
    return NULL;
}

static unsigned expected_numbers(unsigned version, unsigned type)
{
    const struct layout *layout = find_layout(version, type);
    unsigned count = 1;
    const char *p;
    if (!layout)
        return 0;
    for (p = layout->numbers; *p; p++)
        count += *p == ' ';
    return count + (version == 5 && is_event(layout));
}

/* All types that a first byte can have, in all versions. */
static void test_numbers_match_the_layouts(void **state)
{
    (void) state;
    for (size_t i = 0; i < V1_VERSIONS; i++) {
        for (unsigned type = 0; type < 64; type++) {
            unsigned expected = expected_numbers(v1_versions[i], type);
            unsigned numbers = gt_v1_numbers(v1_versions[i], type);
            if (numbers != expected)
                fail_msg("go 1.%u, type %u: %u numbers, expected %u", v1_versions[i], type, numbers,
                         expected);
        }
    }
}

static void test_unknown_types_have_no_numbers(void **state)
{
    (void) state;
    for (size_t i = 0; i < V1_VERSIONS; i++) {
        assert_int_equal(gt_v1_numbers(v1_versions[i], 0), 0);
        assert_int_equal(gt_v1_numbers(v1_versions[i], GT_V1_TYPES), 0);
        assert_int_equal(gt_v1_numbers(v1_versions[i], 64 + GT_V1_GO_END), 0);
        assert_int_equal(gt_v1_numbers(v1_versions[i], 256 + GT_V1_GO_END), 0);
        assert_int_equal(gt_v1_numbers(v1_versions[i], UINT32_MAX), 0);
    }
}

static bool ends_with_stack(const gt_wire_spec *spec)
{
    return spec->arguments[spec->argument_count - 1].kind == GT_WIRE_STACK_ID;
}

static void test_specs_match_the_layouts(void **state)
{
    (void) state;
    for (size_t i = 0; i < LAYOUTS; i++) {
        const struct layout *layout = &layouts[i];
        const struct gt_v1_spec *spec = &gt_v1_specs[layout->type];
        assert_string_equal(spec->records[0].name, layout->name);
        assert_int_equal(gt_v1_has_time(layout->type), is_event(layout));
        assert_int_equal(ends_with_stack(gt_v1_spec_get(layout->to, layout->type)),
                         has_stack(layout));
        if (i == 0 || layouts[i - 1].type != layout->type)
            assert_int_equal(spec->since, layout->from);
    }
    assert_int_equal(layouts[LAYOUTS - 1].type, GT_V1_TYPES - 1);
    assert_int_equal(gt_v1_specs[GT_V1_NONE].since, 0);
    assert_non_null(gt_v1_name(GT_V1_NONE));
}

/* GT_V1_NUMBERS is the most numbers of any event, not counting frames. */
static void test_most_numbers_are_gt_v1_numbers(void **state)
{
    unsigned most = 0;
    (void) state;
    for (size_t i = 0; i < V1_VERSIONS; i++) {
        for (unsigned type = 0; type < GT_V1_TYPES; type++) {
            unsigned numbers = gt_v1_numbers(v1_versions[i], type);
            if (numbers > most)
                most = numbers;
        }
    }
    assert_int_equal(most, GT_V1_NUMBERS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_numbers_match_the_layouts),
        cmocka_unit_test(test_unknown_types_have_no_numbers),
        cmocka_unit_test(test_specs_match_the_layouts),
        cmocka_unit_test(test_most_numbers_are_gt_v1_numbers),
    };
    return cmocka_run_group_tests_name("v1 spec", tests, NULL, NULL);
}
