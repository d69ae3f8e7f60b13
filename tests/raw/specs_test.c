/* SPDX-License-Identifier: BSD-3-Clause */

/* The descriptions that the library has of every type of record in every version. */

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "support/test.h"
#include "support/v1wire.h"
#include "support/wire.h"

enum {
    TIMED = GT_WIRE_TIMED,
    DATA = GT_WIRE_HAS_DATA,
    FRAMES = GT_WIRE_HAS_FRAMES,
    BARE = GT_WIRE_BARE_FRAMES,
    /* Later than any version. */
    LAST = 99
};

/* A type as it is in the versions from `since` to `until`. */
struct expected {
    uint32_t since;
    uint32_t until;
    uint32_t type;
    uint32_t flags;
    uint32_t experiment;
    uint32_t begin_type;
    /* Its name and those of its arguments. */
    const char *text;
};

/* The types of sections 1.5 and 8.5 of docs/formats.md. */
static const struct expected v1_expected[] = {
    {5, 5, 1, 0, 0, 0, "Batch p seq ticks"},
    {7, 21, 1, 0, 0, 0, "Batch p ticks"},
    {5, 5, 2, 0, 0, 0, "Frequency freq unused"},
    {7, 21, 2, 0, 0, 0, "Frequency freq"},
    {5, 5, 3, FRAMES | BARE, 0, 0, "Stack id nframes"},
    {7, 21, 3, FRAMES, 0, 0, "Stack id nframes"},
    {5, 5, 4, TIMED, 0, 0, "Gomaxprocs seq dt procs_value stack"},
    {7, 21, 4, TIMED, 0, 0, "Gomaxprocs dt procs_value stack"},
    {5, 5, 5, TIMED, 0, 0, "ProcStart seq dt m"},
    {7, 21, 5, TIMED, 0, 0, "ProcStart dt m"},
    {5, 5, 6, TIMED, 0, 0, "ProcStop seq dt"},
    {7, 21, 6, TIMED, 0, 0, "ProcStop dt"},
    {5, 5, 7, TIMED, 0, 0, "GCStart seq dt stack"},
    {7, 21, 7, TIMED, 0, 0, "GCStart dt gc_seq stack"},
    {5, 5, 8, TIMED, 0, 0, "GCDone seq dt"},
    {7, 21, 8, TIMED, 0, 0, "GCDone dt"},
    {5, 5, 9, TIMED, 0, 0, "STWStart seq dt"},
    {7, 9, 9, TIMED, 0, 0, "STWStart dt"},
    {10, 21, 9, TIMED, 0, 0, "STWStart dt kind"},
    {5, 5, 10, TIMED, 0, 0, "STWDone seq dt"},
    {7, 21, 10, TIMED, 0, 0, "STWDone dt"},
    {5, 5, 11, TIMED, 0, 0, "GCSweepStart seq dt stack"},
    {7, 21, 11, TIMED, 0, 0, "GCSweepStart dt stack"},
    {5, 5, 12, TIMED, 0, 0, "GCSweepDone seq dt"},
    {7, 8, 12, TIMED, 0, 0, "GCSweepDone dt"},
    {9, 21, 12, TIMED, 0, 0, "GCSweepDone dt swept_value reclaimed_value"},
    {5, 5, 13, TIMED, 0, 0, "GoCreate seq dt new_g new_pc stack"},
    {7, 21, 13, TIMED, 0, 0, "GoCreate dt new_g new_stack stack"},
    {5, 5, 14, TIMED, 0, 0, "GoStart seq dt g"},
    {7, 21, 14, TIMED, 0, 0, "GoStart dt g g_seq"},
    {5, 5, 15, TIMED, 0, 0, "GoEnd seq dt"},
    {7, 21, 15, TIMED, 0, 0, "GoEnd dt"},
    {5, 5, 16, TIMED, 0, 0, "GoStop seq dt stack"},
    {7, 21, 16, TIMED, 0, 0, "GoStop dt stack"},
    {5, 5, 17, TIMED, 0, 0, "GoSched seq dt stack"},
    {7, 21, 17, TIMED, 0, 0, "GoSched dt stack"},
    {5, 5, 18, TIMED, 0, 0, "GoPreempt seq dt stack"},
    {7, 21, 18, TIMED, 0, 0, "GoPreempt dt stack"},
    {5, 5, 19, TIMED, 0, 0, "GoSleep seq dt stack"},
    {7, 21, 19, TIMED, 0, 0, "GoSleep dt stack"},
    {5, 5, 20, TIMED, 0, 0, "GoBlock seq dt stack"},
    {7, 21, 20, TIMED, 0, 0, "GoBlock dt stack"},
    {5, 5, 21, TIMED, 0, 0, "GoUnblock seq dt g stack"},
    {7, 21, 21, TIMED, 0, 0, "GoUnblock dt g g_seq stack"},
    {5, 5, 22, TIMED, 0, 0, "GoBlockSend seq dt stack"},
    {7, 21, 22, TIMED, 0, 0, "GoBlockSend dt stack"},
    {5, 5, 23, TIMED, 0, 0, "GoBlockRecv seq dt stack"},
    {7, 21, 23, TIMED, 0, 0, "GoBlockRecv dt stack"},
    {5, 5, 24, TIMED, 0, 0, "GoBlockSelect seq dt stack"},
    {7, 21, 24, TIMED, 0, 0, "GoBlockSelect dt stack"},
    {5, 5, 25, TIMED, 0, 0, "GoBlockSync seq dt stack"},
    {7, 21, 25, TIMED, 0, 0, "GoBlockSync dt stack"},
    {5, 5, 26, TIMED, 0, 0, "GoBlockCond seq dt stack"},
    {7, 21, 26, TIMED, 0, 0, "GoBlockCond dt stack"},
    {5, 5, 27, TIMED, 0, 0, "GoBlockNet seq dt stack"},
    {7, 21, 27, TIMED, 0, 0, "GoBlockNet dt stack"},
    {5, 5, 28, TIMED, 0, 0, "GoSysCall seq dt stack"},
    {7, 21, 28, TIMED, 0, 0, "GoSysCall dt stack"},
    {5, 5, 29, TIMED, 0, 0, "GoSysExit seq dt g g_seq ticks"},
    {7, 21, 29, TIMED, 0, 0, "GoSysExit dt g g_seq ticks"},
    {5, 5, 30, TIMED, 0, 0, "GoSysBlock seq dt"},
    {7, 21, 30, TIMED, 0, 0, "GoSysBlock dt"},
    {5, 5, 31, TIMED, 0, 0, "GoWaiting seq dt g"},
    {7, 21, 31, TIMED, 0, 0, "GoWaiting dt g"},
    {5, 5, 32, TIMED, 0, 0, "GoInSyscall seq dt g"},
    {7, 21, 32, TIMED, 0, 0, "GoInSyscall dt g"},
    {5, 5, 33, TIMED, 0, 0, "HeapAlloc seq dt heapalloc_value"},
    {7, 21, 33, TIMED, 0, 0, "HeapAlloc dt heapalloc_value"},
    {5, 5, 34, TIMED, 0, 0, "HeapGoal seq dt heapgoal_value"},
    {7, 21, 34, TIMED, 0, 0, "HeapGoal dt heapgoal_value"},
    {5, 5, 35, 0, 0, 0, "TimerGoroutine g unused"},
    {7, 21, 35, 0, 0, 0, "TimerGoroutine g"},
    {5, 5, 36, TIMED, 0, 0, "FutileWakeup seq dt"},
    {7, 21, 36, TIMED, 0, 0, "FutileWakeup dt"},
    {7, 21, 37, DATA, 0, 0, "String id"},
    {7, 21, 38, TIMED, 0, 0, "GoStartLocal dt g"},
    {7, 21, 39, TIMED, 0, 0, "GoUnblockLocal dt g stack"},
    {7, 21, 40, TIMED, 0, 0, "GoSysExitLocal dt g ticks"},
    {8, 21, 41, TIMED, 0, 0, "GoStartLabel dt g g_seq label_string"},
    {8, 21, 42, TIMED, 0, 0, "GoBlockGC dt stack"},
    {9, 21, 43, TIMED, 0, 0, "GCMarkAssistStart dt stack"},
    {9, 21, 44, TIMED, 0, 0, "GCMarkAssistDone dt"},
    {11, 21, 45, TIMED, 0, 0, "UserTaskCreate dt task parent_task name_string stack"},
    {11, 21, 46, TIMED, 0, 0, "UserTaskEnd dt task stack"},
    {11, 21, 47, TIMED, 0, 0, "UserRegion dt task mode name_string stack"},
    {11, 21, 48, TIMED | DATA, 0, 0, "UserLog dt task key_string stack"},
    {19, 21, 49, TIMED, 0, 0, "CPUSample dt ticks p g stack"},
};

static const struct expected v2_expected[] = {
    {22, LAST, 1, 0, 0, 0, "EventBatch gen m time size"},
    {22, LAST, 2, 0, 0, 0, "Stacks"},
    {22, LAST, 3, FRAMES, 0, 0, "Stack id nframes"},
    {22, LAST, 4, 0, 0, 0, "Strings"},
    {22, LAST, 5, DATA, 0, 0, "String id"},
    {22, LAST, 6, 0, 0, 0, "CPUSamples"},
    {22, LAST, 7, 0, 0, 0, "CPUSample time m p g stack"},
    {22, LAST, 8, 0, 0, 0, "Frequency freq"},
    {22, LAST, 9, TIMED, 0, 0, "ProcsChange dt procs_value stack"},
    {22, LAST, 10, TIMED, 0, 0, "ProcStart dt p p_seq"},
    {22, LAST, 11, TIMED, 0, 0, "ProcStop dt"},
    {22, LAST, 12, TIMED, 0, 0, "ProcSteal dt p p_seq m"},
    {22, LAST, 13, TIMED, 0, 0, "ProcStatus dt p pstatus"},
    {22, LAST, 14, TIMED, 0, 0, "GoCreate dt new_g new_stack stack"},
    {22, LAST, 15, TIMED, 0, 0, "GoCreateSyscall dt new_g"},
    {22, LAST, 16, TIMED, 0, 0, "GoStart dt g g_seq"},
    {22, LAST, 17, TIMED, 0, 0, "GoDestroy dt"},
    {22, LAST, 18, TIMED, 0, 0, "GoDestroySyscall dt"},
    {22, LAST, 19, TIMED, 0, 0, "GoStop dt reason_string stack"},
    {22, LAST, 20, TIMED, 0, 0, "GoBlock dt reason_string stack"},
    {22, LAST, 21, TIMED, 0, 0, "GoUnblock dt g g_seq stack"},
    {22, LAST, 22, TIMED, 0, 0, "GoSyscallBegin dt p_seq stack"},
    {22, LAST, 23, TIMED, 0, 22, "GoSyscallEnd dt"},
    {22, LAST, 24, TIMED, 0, 22, "GoSyscallEndBlocked dt"},
    {22, LAST, 25, TIMED, 0, 0, "GoStatus dt g m gstatus"},
    {22, LAST, 26, TIMED, 0, 0, "STWBegin dt kind_string stack"},
    {22, LAST, 27, TIMED, 0, 26, "STWEnd dt"},
    {22, LAST, 28, TIMED, 0, 29, "GCActive dt gc_seq"},
    {22, LAST, 29, TIMED, 0, 0, "GCBegin dt gc_seq stack"},
    {22, LAST, 30, TIMED, 0, 29, "GCEnd dt gc_seq"},
    {22, LAST, 31, TIMED, 0, 32, "GCSweepActive dt p"},
    {22, LAST, 32, TIMED, 0, 0, "GCSweepBegin dt stack"},
    {22, LAST, 33, TIMED, 0, 32, "GCSweepEnd dt swept_value reclaimed_value"},
    {22, LAST, 34, TIMED, 0, 35, "GCMarkAssistActive dt g"},
    {22, LAST, 35, TIMED, 0, 0, "GCMarkAssistBegin dt stack"},
    {22, LAST, 36, TIMED, 0, 35, "GCMarkAssistEnd dt"},
    {22, LAST, 37, TIMED, 0, 0, "HeapAlloc dt heapalloc_value"},
    {22, LAST, 38, TIMED, 0, 0, "HeapGoal dt heapgoal_value"},
    {22, LAST, 39, TIMED, 0, 0, "GoLabel dt label_string"},
    {22, LAST, 40, TIMED, 0, 0, "UserTaskBegin dt task parent_task name_string stack"},
    {22, LAST, 41, TIMED, 0, 0, "UserTaskEnd dt task stack"},
    {22, LAST, 42, TIMED, 0, 0, "UserRegionBegin dt task name_string stack"},
    {22, LAST, 43, TIMED, 0, 42, "UserRegionEnd dt task name_string stack"},
    {22, LAST, 44, TIMED, 0, 0, "UserLog dt task key_string value_string stack"},
    {23, LAST, 45, TIMED, 0, 0, "GoSwitch dt g g_seq"},
    {23, LAST, 46, TIMED, 0, 0, "GoSwitchDestroy dt g g_seq"},
    {23, LAST, 47, TIMED, 0, 0, "GoCreateBlocked dt new_g new_stack stack"},
    {23, LAST, 48, TIMED, 0, 0, "GoStatusStack dt g m gstatus stack"},
    {23, LAST, 49, DATA, 0, 0, "ExperimentalBatch exp gen m time"},
    {25, LAST, 50, 0, 0, 0, "Sync"},
    {25, LAST, 51, TIMED, 0, 0, "ClockSnapshot dt mono sec nsec"},
    {26, LAST, 52, 0, 0, 0, "EndOfGeneration"},
    {23, LAST, 128, TIMED, 1, 0, "Span dt id npages_value kindclass"},
    {23, LAST, 129, TIMED, 1, 0, "SpanAlloc dt id npages_value kindclass"},
    {23, LAST, 130, TIMED, 1, 0, "SpanFree dt id"},
    {23, LAST, 131, TIMED, 1, 0, "HeapObject dt id type"},
    {23, LAST, 132, TIMED, 1, 0, "HeapObjectAlloc dt id type"},
    {23, LAST, 133, TIMED, 1, 0, "HeapObjectFree dt id"},
    {23, LAST, 134, TIMED, 1, 0, "GoroutineStack dt id order"},
    {23, LAST, 135, TIMED, 1, 0, "GoroutineStackAlloc dt id order"},
    {23, LAST, 136, TIMED, 1, 0, "GoroutineStackFree dt id"},
};

/* The kind of each argument, by its name. */
static const struct {
    const char *name;
    uint32_t kind;
} kinds[] = {
    {"dt", GT_WIRE_TIME_DELTA},
    {"exp", GT_WIRE_NUMBER},
    {"freq", GT_WIRE_NUMBER},
    {"g", GT_WIRE_GOROUTINE},
    {"g_seq", GT_WIRE_SEQUENCE},
    {"gc_seq", GT_WIRE_SEQUENCE},
    {"gen", GT_WIRE_NUMBER},
    {"gstatus", GT_WIRE_GO_STATUS_CODE},
    {"heapalloc_value", GT_WIRE_NUMBER},
    {"heapgoal_value", GT_WIRE_NUMBER},
    {"id", GT_WIRE_NUMBER},
    {"key_string", GT_WIRE_STRING_ID},
    {"kind", GT_WIRE_NUMBER},
    {"kind_string", GT_WIRE_STRING_ID},
    {"kindclass", GT_WIRE_NUMBER},
    {"label_string", GT_WIRE_STRING_ID},
    {"m", GT_WIRE_THREAD},
    {"mode", GT_WIRE_NUMBER},
    {"mono", GT_WIRE_NUMBER},
    {"name_string", GT_WIRE_STRING_ID},
    {"new_g", GT_WIRE_GOROUTINE},
    {"new_pc", GT_WIRE_NUMBER},
    {"new_stack", GT_WIRE_NEW_STACK_ID},
    {"nframes", GT_WIRE_COUNT},
    {"npages_value", GT_WIRE_NUMBER},
    {"nsec", GT_WIRE_NUMBER},
    {"order", GT_WIRE_NUMBER},
    {"p", GT_WIRE_PROC},
    {"p_seq", GT_WIRE_SEQUENCE},
    {"parent_task", GT_WIRE_TASK},
    {"procs_value", GT_WIRE_NUMBER},
    {"pstatus", GT_WIRE_PROC_STATUS_CODE},
    {"reason_string", GT_WIRE_STRING_ID},
    {"reclaimed_value", GT_WIRE_NUMBER},
    {"sec", GT_WIRE_NUMBER},
    {"seq", GT_WIRE_SEQUENCE},
    {"size", GT_WIRE_COUNT},
    {"stack", GT_WIRE_STACK_ID},
    {"swept_value", GT_WIRE_NUMBER},
    {"task", GT_WIRE_TASK},
    {"ticks", GT_WIRE_TIME},
    {"time", GT_WIRE_TIME},
    {"type", GT_WIRE_NUMBER},
    {"unused", GT_WIRE_NUMBER},
    {"value_string", GT_WIRE_STRING_ID},
};

#define COUNT(array) (sizeof(array) / sizeof(*(array)))

/* Returns what is expected of a type in a version; NULL if there is no such type. */
static const struct expected *find(uint32_t version, uint32_t type)
{
    const struct expected *rows = version > 21 ? v2_expected : v1_expected;
    size_t i, count = version > 21 ? COUNT(v2_expected) : COUNT(v1_expected);
    for (i = 0; i < count; i++) {
        if (rows[i].type == type && rows[i].since <= version && version <= rows[i].until)
            return &rows[i];
    }
    return NULL;
}

static bool is_version(uint32_t version)
{
    static const uint8_t versions[] = {5, 7, 8, 9, 10, 11, 19, 21, 22, 23, 25, 26};
    return memchr(versions, (int) (version & 0xff), sizeof(versions)) != NULL ||
           (version > 26 && version <= LAST);
}

/* Joins the names of the type and of its arguments. */
static void put_text(char *text, size_t size, const gt_wire_spec *spec)
{
    size_t used = (size_t) snprintf(text, size, "%s", spec->name);
    for (uint32_t i = 0; i < spec->argument_count; i++)
        used += (size_t) snprintf(text + used, size - used, " %s", spec->arguments[i].name);
}

static void check_kinds(const gt_wire_spec *spec)
{
    size_t k;
    for (uint32_t i = 0; i < spec->argument_count; i++) {
        for (k = 0; strcmp(kinds[k].name, spec->arguments[i].name) != 0; k++)
            assert_true(k + 1 < COUNT(kinds));
        assert_int_equal(spec->arguments[i].kind, kinds[k].kind);
        assert_int_equal(spec->arguments[i].reserved, 0);
    }
}

static void check_spec(const gt_wire_spec *spec, const struct expected *expected)
{
    char text[200];
    put_text(text, sizeof(text), spec);
    assert_string_equal(text, expected->text);
    assert_int_equal(spec->type, expected->type);
    assert_int_equal(spec->flags, expected->flags);
    assert_int_equal(spec->experiment, expected->experiment);
    assert_int_equal(spec->begin_type, expected->begin_type);
    assert_int_equal(spec->reserved, 0);
    check_kinds(spec);
}

static void test_every_type_is_described(void **state)
{
    (void) state;
    for (uint32_t version = 0; version < 300; version++) {
        for (uint32_t type = 0; type < 600; type++) {
            const gt_wire_spec *spec = gt_wire_spec_get(version, type);
            const struct expected *expected = is_version(version) ? find(version, type) : NULL;
            if (expected)
                assert_non_null(spec);
            else
                assert_null(spec);
            if (spec)
                check_spec(spec, expected);
        }
        assert_null(gt_wire_spec_get(version, UINT32_MAX));
    }
    assert_null(gt_wire_spec_get(UINT32_MAX, 1));
}

/* The builders of bytes in the tests have the same numbers of arguments. */
static void test_builders_have_the_same_argument_counts(void **state)
{
    const gt_wire_spec *spec;
    (void) state;
    for (uint32_t type = 0; type < 256; type++) {
        spec = gt_wire_spec_get(26, type);
        if (wire_event_counts[type] != 0) {
            assert_non_null(spec);
            assert_true(spec->flags & GT_WIRE_TIMED);
            assert_int_equal(spec->argument_count, wire_event_counts[type]);
        }
    }
    for (uint32_t i = 0; i < V1_VERSIONS; i++) {
        for (uint32_t type = V1_GOMAXPROCS; type < V1_TYPES; type++) {
            spec = gt_wire_spec_get(v1_versions[i], type);
            if (spec && type != V1_STRING)
                assert_int_equal(spec->argument_count, v1_count(v1_versions[i], type));
        }
    }
}

/* A name is found by its bytes, without a NUL after them, and never by a part of it. */
static void test_type_is_found_by_its_whole_name(void **state)
{
    (void) state;
    for (uint32_t version = 0; version <= 100; version++) {
        for (uint32_t type = 0; type < 256; type++) {
            const gt_wire_spec *spec = gt_wire_spec_get(version, type);
            char name[64];
            size_t size;
            if (!spec)
                continue;
            size = strlen(spec->name);
            memcpy(name, spec->name, size);
            name[size] = 's';
            name[size + 1] = '\0';
            assert_ptr_equal(gt_wire_spec_find(version, name, size), spec);
            if (gt_wire_spec_find(version, name, size + 1))
                assert_string_equal(gt_wire_spec_find(version, name, size + 1)->name, name);
            if (gt_wire_spec_find(version, name, size - 1))
                assert_int_equal(strlen(gt_wire_spec_find(version, name, size - 1)->name),
                                 size - 1);
            name[size] = '\0';
            assert_null(gt_wire_spec_find(version, name, size + 1));
        }
    }
}

static void test_unknown_name_is_not_found(void **state)
{
    (void) state;
    assert_null(gt_wire_spec_find(26, NULL, 0));
    assert_null(gt_wire_spec_find(26, "GoStart", 0));
    assert_null(gt_wire_spec_find(26, "gostart", 7));
    assert_null(gt_wire_spec_find(26, "GoBlockNet", 10));
    assert_null(gt_wire_spec_find(21, "GoStatus", 8));
    assert_null(gt_wire_spec_find(22, "GoSwitch", 8));
    assert_null(gt_wire_spec_find(24, "GoStart", 7));
    assert_non_null(gt_wire_spec_find(99, "GoStart", 7));
    assert_null(gt_wire_spec_find(100, "GoStart", 7));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_type_is_described),
        cmocka_unit_test(test_builders_have_the_same_argument_counts),
        cmocka_unit_test(test_type_is_found_by_its_whole_name),
        cmocka_unit_test(test_unknown_name_is_not_found),
    };
    return cmocka_run_group_tests_name("specs", tests, NULL, NULL);
}
