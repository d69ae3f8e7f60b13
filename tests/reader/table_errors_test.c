/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Malformed tables: strings, stacks, CPU samples and clocks. Each trace has a good generation 1 of
 * three events, and the fault in generation 2, which is lost; a bare Sync comes before the error.
 */

#include "support/fault.h"
#include "support/test.h"

struct table_fault {
    const char *name;
    gt_status status;
    /* Writes the content of an open batch, and sets the fault's offset. */
    void (*write)(struct wire *wire, struct fault *fault);
};

static void check_tables(const struct table_fault *faults, size_t count, unsigned least,
                         unsigned most)
{
    struct fault fault;
    int bad = 0;
    for (size_t i = 0; i < count; i++) {
        for (size_t k = 0; k < FAULT_VERSIONS; k++) {
            struct wire wire = {0};
            if (fault_versions[k] < least || fault_versions[k] > most)
                continue;
            fault_begin(&wire, fault_versions[k]);
            wire_sync(&wire, 2, 2000, WIRE_NANOSECONDS);
            fault = (struct fault){faults[i].status, 0, 2, FAULT_GENERATION_EVENTS + 1};
            faults[i].write(&wire, &fault);
            wire_generation_end(&wire);
            bad += fault_check(faults[i].name, &wire, &fault);
        }
    }
    assert_int_equal(bad, 0);
}

#define TABLES(faults) (faults), sizeof(faults) / sizeof(*(faults))

static void strings_bad_record(struct wire *wire, struct fault *fault)
{
    wire_strings(wire, 2);
    wire_string(wire, 1, "good");
    fault->offset = wire->size;
    WIRE_EVENT(wire, EV_STACK, 2, 1);
    wire_byte(wire, 'x');
}

static void strings_id_cut(struct wire *wire, struct fault *fault)
{
    wire_strings(wire, 2);
    fault->offset = wire->size;
    wire_byte(wire, EV_STRING);
    wire_byte(wire, 0x81);
}

static void strings_id_overflow(struct wire *wire, struct fault *fault)
{
    wire_strings(wire, 2);
    fault->offset = wire->size;
    wire_byte(wire, EV_STRING);
    wire_varint_overlong(wire);
    wire_bytes(wire, "\1x", 2);
}

static void strings_no_size(struct wire *wire, struct fault *fault)
{
    wire_strings(wire, 2);
    fault->offset = wire->size;
    WIRE_EVENT(wire, EV_STRING, 1);
}

static void strings_no_id(struct wire *wire, struct fault *fault)
{
    wire_strings(wire, 2);
    fault->offset = wire->size;
    wire_byte(wire, EV_STRING);
}

static void strings_size_cut(struct wire *wire, struct fault *fault)
{
    wire_strings(wire, 2);
    fault->offset = wire->size;
    WIRE_EVENT(wire, EV_STRING, 1);
    wire_byte(wire, 0x81);
}

static void strings_size_overflow(struct wire *wire, struct fault *fault)
{
    wire_strings(wire, 2);
    fault->offset = wire->size;
    WIRE_EVENT(wire, EV_STRING, 1);
    wire_varint_overlong(wire);
    wire_byte(wire, 'x');
}

static void strings_too_long(struct wire *wire, struct fault *fault)
{
    static const char text[1025];
    wire_strings(wire, 2);
    fault->offset = wire->size;
    wire_string_sized(wire, 1, text, sizeof(text));
}

static void strings_huge_claim(struct wire *wire, struct fault *fault)
{
    wire_strings(wire, 2);
    fault->offset = wire->size;
    WIRE_EVENT(wire, EV_STRING, 1, UINT64_MAX);
}

static void strings_content_cut(struct wire *wire, struct fault *fault)
{
    wire_strings(wire, 2);
    wire_string(wire, 1, "good");
    fault->offset = wire->size;
    WIRE_EVENT(wire, EV_STRING, 2, 5);
    wire_bytes(wire, "four", 4);
}

static void strings_id_zero(struct wire *wire, struct fault *fault)
{
    wire_strings(wire, 2);
    fault->offset = wire->size;
    wire_string(wire, 0, "zero");
}

static void strings_repeated(struct wire *wire, struct fault *fault)
{
    wire_strings(wire, 2);
    wire_string(wire, 8, "one");
    fault->offset = wire->size;
    wire_string(wire, 8, "one");
}

static void strings_repeated_elsewhere(struct wire *wire, struct fault *fault)
{
    wire_strings(wire, 2);
    wire_string(wire, UINT64_MAX, "one");
    wire_strings(wire, 2);
    wire_string(wire, 1, "good");
    fault->offset = wire->size;
    wire_string(wire, UINT64_MAX, "two");
}

static const struct table_fault string_faults[] = {
    {"string, wrong record", GT_ERR_STRINGS, strings_bad_record},
    {"string, id cut", GT_ERR_STRINGS, strings_id_cut},
    {"string, id overflows", GT_ERR_STRINGS, strings_id_overflow},
    {"string, no id", GT_ERR_STRINGS, strings_no_id},
    {"string, size cut", GT_ERR_STRINGS, strings_size_cut},
    {"string, size overflows", GT_ERR_STRINGS, strings_size_overflow},
    {"string, no size", GT_ERR_STRINGS, strings_no_size},
    {"string, too long", GT_ERR_STRINGS, strings_too_long},
    {"string, huge claim", GT_ERR_STRINGS, strings_huge_claim},
    {"string, content cut", GT_ERR_STRINGS, strings_content_cut},
    {"string, id 0", GT_ERR_STRINGS, strings_id_zero},
    {"string, id repeated", GT_ERR_STRINGS, strings_repeated},
    {"string, id repeated in another batch", GT_ERR_STRINGS, strings_repeated_elsewhere},
};

static void test_bad_string_is_an_error(void **state)
{
    (void) state;
    check_tables(TABLES(string_faults), 22, 26);
}

static void stacks_bad_record(struct wire *wire, struct fault *fault)
{
    wire_stacks(wire, 2);
    fault->offset = wire->size;
    WIRE_EVENT(wire, EV_STRING, 1, 0);
}

static void stacks_no_count(struct wire *wire, struct fault *fault)
{
    wire_stacks(wire, 2);
    wire_stack(wire, 1, 0);
    fault->offset = wire->size;
    WIRE_EVENT(wire, EV_STACK, 2);
}

static void stacks_too_deep(struct wire *wire, struct fault *fault)
{
    wire_stacks(wire, 2);
    fault->offset = wire->size;
    wire_stack(wire, 1, 129);
    for (unsigned i = 0; i < 129; i++)
        wire_frame(wire, i, 0, 0, 0);
}

static void stacks_huge_claim(struct wire *wire, struct fault *fault)
{
    wire_stacks(wire, 2);
    fault->offset = wire->size;
    wire_stack(wire, 1, UINT64_MAX);
}

static void stacks_frame_cut(struct wire *wire, struct fault *fault)
{
    wire_stacks(wire, 2);
    fault->offset = wire->size;
    wire_stack(wire, 1, 2);
    wire_frame(wire, 1, 0, 0, 0);
    WIRE_EVENT(wire, 1, 0, 0);
}

static void stacks_frame_overflow(struct wire *wire, struct fault *fault)
{
    wire_stacks(wire, 2);
    fault->offset = wire->size;
    wire_stack(wire, 1, 1);
    wire_varint_overlong(wire);
    wire_bytes(wire, "\0\0\0", 3);
}

static void stacks_id_zero(struct wire *wire, struct fault *fault)
{
    wire_stacks(wire, 2);
    fault->offset = wire->size;
    wire_stack(wire, 0, 0);
}

static void stacks_repeated(struct wire *wire, struct fault *fault)
{
    wire_stacks(wire, 2);
    wire_stack(wire, 1, 0);
    wire_stacks(wire, 2);
    fault->offset = wire->size;
    wire_stack(wire, 1, 0);
}

/*
 * Strings may come after the stacks that name them, so only the whole generation shows this fault.
 */
static void stacks_function(struct wire *wire, struct fault *fault)
{
    fault->offset = wire->size;
    wire_stacks(wire, 2);
    wire_stack(wire, 1, 1);
    wire_frame(wire, 1, 9, 1, 0);
    wire_strings(wire, 2);
    wire_string(wire, 1, "file");
}

static void stacks_file(struct wire *wire, struct fault *fault)
{
    fault->offset = wire->size;
    wire_strings(wire, 2);
    wire_string(wire, 1, "function");
    wire_stacks(wire, 2);
    wire_stack(wire, 1, 1);
    wire_frame(wire, 1, 1, UINT64_MAX, 0);
}

static const struct table_fault stack_faults[] = {
    {"stack, wrong record", GT_ERR_STACKS, stacks_bad_record},
    {"stack, no count", GT_ERR_STACKS, stacks_no_count},
    {"stack, too deep", GT_ERR_STACKS, stacks_too_deep},
    {"stack, huge claim", GT_ERR_STACKS, stacks_huge_claim},
    {"stack, frame cut", GT_ERR_STACKS, stacks_frame_cut},
    {"stack, frame overflows", GT_ERR_STACKS, stacks_frame_overflow},
    {"stack, id 0", GT_ERR_STACKS, stacks_id_zero},
    {"stack, id repeated", GT_ERR_STACKS, stacks_repeated},
};

static void test_bad_stack_is_an_error(void **state)
{
    (void) state;
    check_tables(TABLES(stack_faults), 22, 26);
}

/* Such a fault is in the generation as a whole: its offset is where the generation starts. */
static void test_stack_of_unknown_strings_is_an_error(void **state)
{
    void (*const writes[])(struct wire *, struct fault *) = {stacks_function, stacks_file};
    int bad = 0;
    (void) state;
    for (size_t i = 0; i < 2; i++) {
        for (size_t k = 0; k < FAULT_VERSIONS; k++) {
            struct fault fault = {GT_ERR_STACKS, 0, 2, FAULT_GENERATION_EVENTS + 1};
            struct wire wire = {0};
            uint64_t start;
            fault_begin(&wire, fault_versions[k]);
            start = wire.size;
            wire_sync(&wire, 2, 2000, WIRE_NANOSECONDS);
            writes[i](&wire, &fault);
            fault.offset = start;
            wire_generation_end(&wire);
            bad += fault_check("stack, unknown string", &wire, &fault);
        }
    }
    assert_int_equal(bad, 0);
}

static void samples_bad_record(struct wire *wire, struct fault *fault)
{
    wire_samples(wire, 2);
    wire_sample(wire, 2001, 5, 0, 1, 0);
    fault->offset = wire->size;
    WIRE_EVENT(wire, EV_STACK, 2002, 5, 0, 1, 0);
}

static void samples_cut(struct wire *wire, struct fault *fault)
{
    wire_samples(wire, 2);
    wire_sample(wire, 2001, 5, 0, 1, 0);
    fault->offset = wire->size;
    WIRE_EVENT(wire, EV_CPU_SAMPLE, 2002, 5, 0, 1);
}

static void samples_overflow(struct wire *wire, struct fault *fault)
{
    wire_samples(wire, 2);
    fault->offset = wire->size;
    wire_byte(wire, EV_CPU_SAMPLE);
    wire_varint_overlong(wire);
    wire_bytes(wire, "\1\1\1\0", 4);
}

static const struct table_fault sample_faults[] = {
    {"sample, wrong record", GT_ERR_SAMPLES, samples_bad_record},
    {"sample, cut", GT_ERR_SAMPLES, samples_cut},
    {"sample, overflows", GT_ERR_SAMPLES, samples_overflow},
};

static void test_bad_sample_is_an_error(void **state)
{
    (void) state;
    check_tables(TABLES(sample_faults), 22, 26);
}

/* The stack of a sample is looked up when the sample is delivered. */
static void test_sample_of_unknown_stack_is_an_error(void **state)
{
    int bad = 0;
    (void) state;
    for (size_t k = 0; k < FAULT_VERSIONS; k++) {
        struct fault fault = {GT_ERR_REFERENCE, 0, 2, FAULT_GENERATION_EVENTS + 4};
        struct wire wire = {0};
        fault_begin(&wire, fault_versions[k]);
        wire_sync(&wire, 2, 2000, WIRE_NANOSECONDS);
        wire_samples(&wire, 2);
        wire_sample(&wire, 2001, 5, 0, 1, 0);
        fault.offset = wire.size;
        wire_sample(&wire, 2003, 5, 0, 1, 9);
        wire_sample(&wire, 2002, 5, 0, 1, 1);
        wire_batch(&wire, 2, 5, 2000);
        WIRE_EVENT(&wire, EV_PROC_STATUS, 1, 0, PROC_RUNNING);
        WIRE_EVENT(&wire, EV_PROC_STATUS, 100, 0, PROC_RUNNING);
        wire_stacks(&wire, 2);
        wire_stack(&wire, 1, 0);
        wire_generation_end(&wire);
        bad += fault_check("sample, unknown stack", &wire, &fault);
    }
    assert_int_equal(bad, 0);
}

/* Begins a second sync batch; before Go 1.25 its first byte is its first record. */
static void begin_sync(struct wire *wire)
{
    wire_batch(wire, 2, WIRE_NONE, 2000);
    if (wire->version >= 25)
        wire_byte(wire, EV_SYNC);
}

static void sync_second_frequency(struct wire *wire, struct fault *fault)
{
    begin_sync(wire);
    fault->offset = wire->size;
    WIRE_EVENT(wire, EV_FREQUENCY, 1);
}

static void sync_bad_record(struct wire *wire, struct fault *fault)
{
    fault->offset = wire->size;
    WIRE_EVENT(wire, EV_STRING, 1000);
}

static void sync_frequency_cut(struct wire *wire, struct fault *fault)
{
    wire->size = wire->content_at + (wire->version >= 25);
    fault->offset = wire->size;
    wire_byte(wire, EV_FREQUENCY);
}

static const struct table_fault sync_faults[] = {
    {"second frequency", GT_ERR_SYNC, sync_second_frequency},
    {"sync, wrong record", GT_ERR_SYNC, sync_bad_record},
    {"frequency cut", GT_ERR_SYNC, sync_frequency_cut},
};

static void sync_second_snapshot(struct wire *wire, struct fault *fault)
{
    begin_sync(wire);
    fault->offset = wire->size;
    WIRE_EVENT(wire, EV_CLOCK_SNAPSHOT, 0, 1, 2, 3);
}

static void sync_snapshot_cut(struct wire *wire, struct fault *fault)
{
    wire->size = wire->content_at + 1;
    fault->offset = wire->size;
    WIRE_EVENT(wire, EV_CLOCK_SNAPSHOT, 0, 1, 2);
}

static const struct table_fault clock_faults[] = {
    {"second snapshot", GT_ERR_SYNC, sync_second_snapshot},
    {"snapshot cut", GT_ERR_SYNC, sync_snapshot_cut},
};

/* Before Go 1.25 there are no snapshots. */
static void sync_early_snapshot(struct wire *wire, struct fault *fault)
{
    fault->offset = wire->size;
    WIRE_EVENT(wire, EV_CLOCK_SNAPSHOT, 0, 1, 2, 3);
}

static const struct table_fault early_clock_faults[] = {
    {"snapshot before its time", GT_ERR_SYNC, sync_early_snapshot},
};

static void test_bad_clock_is_an_error(void **state)
{
    (void) state;
    check_tables(TABLES(sync_faults), 22, 26);
    check_tables(TABLES(clock_faults), 25, 26);
    check_tables(TABLES(early_clock_faults), 22, 23);
}

/*
 * Writes a record whose number `at` is missing, cut off, or overflows; the numbers before it are
 * good.
 */
static void write_cut_record(struct wire *wire, unsigned type, const uint64_t *numbers, unsigned at,
                             unsigned how)
{
    wire_event(wire, type, numbers, at);
    if (how == 1)
        wire_byte(wire, 0x80);
    if (how == 2) {
        wire_varint_overlong(wire);
        wire_bytes(wire, "\1\1\1\1\1\1\1\1\1", 9);
    }
}

/* A record of a table, and how many of its numbers to try. */
static const struct record {
    const char *name;
    unsigned type;
    unsigned table;
    unsigned least;
    gt_status status;
    unsigned count;
    uint64_t numbers[10];
} records[] = {
    {"stack", EV_STACK, EV_STACKS, 22, GT_ERR_STACKS, 10, {1, 2, 7, 0, 0, 3, 8, 0, 0, 4}},
    {"sample", EV_CPU_SAMPLE, EV_CPU_SAMPLES, 22, GT_ERR_SAMPLES, 5, {2001, 5, 0, 1, 0}},
    {"snapshot", EV_CLOCK_SNAPSHOT, EV_SYNC, 25, GT_ERR_SYNC, 4, {0, 1, 2, 3}},
    {"frequency", EV_FREQUENCY, EV_SYNC, 25, GT_ERR_SYNC, 1, {1}},
    {"frequency", EV_FREQUENCY, EV_NONE, 22, GT_ERR_SYNC, 1, {1}},
};

static int check_cut_record(const struct record *record, unsigned version, unsigned at,
                            unsigned how)
{
    struct fault fault = {record->status, 0, 2, FAULT_GENERATION_EVENTS + 1};
    struct wire wire = {0};
    fault_begin(&wire, version);
    if (record->status != GT_ERR_SYNC)
        wire_sync(&wire, 2, 2000, WIRE_NANOSECONDS);
    wire_batch(&wire, 2, WIRE_NONE, 2000);
    if (record->table != EV_NONE)
        wire_byte(&wire, record->table);
    fault.offset = wire.size;
    write_cut_record(&wire, record->type, record->numbers, at, how);
    wire_generation_end(&wire);
    if (fault_check(record->name, &wire, &fault) == 0)
        return 0;
    print_error("    with number %u %s\n", at, how == 2 ? "too large" : "cut");
    return 1;
}

/* Every number of every record, including those of each frame of a stack with two frames. */
static void test_cut_record_is_an_error(void **state)
{
    const struct record *record;
    int bad = 0;
    (void) state;
    for (size_t i = 0; i < sizeof(records) / sizeof(*records); i++) {
        record = &records[i];
        for (size_t k = 0; k < FAULT_VERSIONS; k++) {
            if (fault_versions[k] < record->least ||
                (record->table == EV_NONE && fault_versions[k] >= 25))
                continue;
            for (unsigned at = 0; at < record->count; at++) {
                for (unsigned how = 0; how < 3; how++)
                    bad += check_cut_record(record, fault_versions[k], at, how);
            }
        }
    }
    assert_int_equal(bad, 0);
}

/* Ids are not valid in the next generation, whether small or large. */
static void test_id_of_an_earlier_generation_is_an_error(void **state)
{
    static const uint64_t ids[] = {5, UINT64_C(1) << 40};
    int bad = 0;
    (void) state;
    for (size_t i = 0; i < 4; i++) {
        struct fault fault = {GT_ERR_REFERENCE, 0, 2, FAULT_GENERATION_EVENTS + 3};
        struct wire wire = {0};
        uint64_t id = ids[i / 2];
        wire_begin(&wire, 26);
        fault_generation(&wire, 1);
        wire_strings(&wire, 1);
        wire_string(&wire, id, "string");
        wire_stacks(&wire, 1);
        wire_stack(&wire, id, 0);
        wire_generation_end(&wire);
        fault_generation(&wire, 2);
        fault.offset = wire.size;
        WIRE_EVENT(&wire, EV_GO_STOP, 1, i % 2 ? id : 0, i % 2 ? 0 : id);
        wire_generation_end(&wire);
        bad += fault_check("id of another generation", &wire, &fault);
    }
    assert_int_equal(bad, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bad_string_is_an_error),
        cmocka_unit_test(test_bad_stack_is_an_error),
        cmocka_unit_test(test_stack_of_unknown_strings_is_an_error),
        cmocka_unit_test(test_bad_sample_is_an_error),
        cmocka_unit_test(test_sample_of_unknown_stack_is_an_error),
        cmocka_unit_test(test_bad_clock_is_an_error),
        cmocka_unit_test(test_cut_record_is_an_error),
        cmocka_unit_test(test_id_of_an_earlier_generation_is_an_error),
    };
    return cmocka_run_group_tests_name("table errors", tests, NULL, NULL);
}
