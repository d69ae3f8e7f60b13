/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Recorded traces in the format of Go 1.21: goroutines have the same states at the same times, and
 * analyses give the same. Each trace is a test. If $GT_GO_1_21 names the `go` command of Go 1.21,
 * its own `go tool trace` has to read them, too.
 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "rewrite/copy.h"
#include "rewrite/lowered.h"
#include "rewrite/states.h"
#include "support/files.h"
#include "support/process.h"
#include "support/suite.h"
#include "support/test.h"

/* The times before that of the first event of the input, without those of the goroutines. */
#define TIMES_BEFORE 1024

struct recorded {
    char *path;
    uint8_t *data;
    size_t size;
};

static int load(void **state)
{
    struct recorded *trace = *state;
    trace->data = files_read(trace->path, &trace->size);
    return 0;
}

static int unload(void **state)
{
    struct recorded *trace = *state;
    free(trace->data);
    return 0;
}

static void recorded_free(void *state)
{
    struct recorded *trace = state;
    free(trace->path);
    free(trace);
}

static void expect_go_reads(const struct lowered *lowered)
{
    const char *go = getenv("GT_GO_1_21");
    char line[4096] = "";
    if (!go)
        return;
    char *path = files_temporary(lowered->out.data, lowered->out.size);
    const char *const command[] = {go, "tool", "trace", "-d", path, NULL};
    struct process process;
    size_t lines = 0;
    process_start(&process, command);
    while (fgets(line, sizeof(line), process.output))
        lines++;
    if (process_wait(&process) != 0)
        fail_msg("Go 1.21 says: %s%s", line, process.errors);
    assert_true(lines != 0);
    unlink(path);
    free(path);
}

/*
 * How much later events are in the copy: its time 0 is that of the first goroutine, or of the first
 * proc if there is none.
 */
static int64_t shift_of(const struct states *copy, const struct lowered *lowered)
{
    int64_t shift = TIMES_BEFORE + 1 + (int64_t) lowered->info.goroutines;
    for (size_t i = 0; i < copy->count; i++) {
        const struct states_step *step = &copy->steps[i];
        bool waits = step->state == GT_GO_WAITING || step->state == GT_GO_SYSCALL;
        shift += step->is_first && waits;
    }
    return shift;
}

static void check_states(const struct recorded *trace, const struct lowered *lowered)
{
    struct states input, copy;
    states_read(&input, trace->data, trace->size, lowered->read != GT_END);
    states_read(&copy, lowered->out.data, lowered->out.size, false);
    states_expect_same(&input, &copy, shift_of(&copy, lowered));
    assert_int_equal(copy.labels + lowered->info.labels, input.labels);
    states_free(&input);
    states_free(&copy);
}

static void test_goroutines_have_the_same_states(void **state)
{
    const struct recorded *trace = *state;
    struct lowered lowered;
    lowered_init(&lowered);
    lowered_make(&lowered, trace->data, trace->size);
    if (lowered.wrote != GT_OK)
        fail_msg("writing failed: %s", lowered.error.message);
    if (lowered.info.events != 0)
        check_states(trace, &lowered);
    if (lowered.read == GT_END)
        assert_int_equal(copy_validate(lowered.out.data, lowered.out.size).findings,
                         copy_validate(trace->data, trace->size).findings);
    assert_int_equal(lowered.info.ranges + lowered.info.frames, 0);
    if (!strstr(trace->path, "found-sched-again"))
        assert_int_equal(lowered.info.renamed, 0);
    expect_go_reads(&lowered);
    lowered_free(&lowered);
}

static gt_profile *profile_of(const void *data, size_t size)
{
    gt_profile_options options = GT_PROFILE_OPTIONS_INIT;
    gt_profile *profile;
    const gt_event *event;
    gt_reader *reader;
    options.kinds = GT_PROFILE_BIT(GT_PROFILE_NET) | GT_PROFILE_BIT(GT_PROFILE_SYNC) |
                    GT_PROFILE_BIT(GT_PROFILE_SCHED);
    assert_status(gt_reader_open_memory(&reader, data, size, NULL, NULL), GT_OK);
    assert_status(gt_profile_open(&profile, &options, NULL), GT_OK);
    while (gt_reader_next_event(reader, &event) == GT_OK)
        assert_status(gt_profile_event(profile, reader, event), GT_OK);
    assert_status(gt_profile_finish(profile), GT_OK);
    gt_reader_close(&reader);
    return profile;
}

static void sum_of(gt_profile *profile, uint32_t kind, uint64_t *count, int64_t *time)
{
    *count = 0;
    *time = 0;
    for (size_t i = 0; i < gt_profile_count(profile, kind); i++) {
        gt_profile_sample sample = GT_PROFILE_SAMPLE_INIT;
        assert_status(gt_profile_get_sample(profile, kind, i, &sample), GT_OK);
        *count += sample.count;
        *time += (int64_t) sample.nanoseconds;
    }
}

/*
 * Waits for the network, for each other and for a proc are the same in profiles. A goroutine that
 * comes back in the system call in which it has ended waits for a proc there, or has another id.
 */
static void test_profiles_are_the_same(void **state)
{
    static const uint32_t kinds[] = {GT_PROFILE_NET, GT_PROFILE_SYNC, GT_PROFILE_SCHED};
    const struct recorded *trace = *state;
    struct lowered lowered;
    lowered_init(&lowered);
    lowered_make(&lowered, trace->data, trace->size);
    if (lowered.read != GT_END) {
        lowered_free(&lowered);
        skip();
    }
    gt_profile *input = profile_of(trace->data, trace->size);
    gt_profile *copy = profile_of(lowered.out.data, lowered.out.size);
    bool has_others = lowered.info.callbacks != 0 || lowered.info.renamed != 0;
    for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds) - has_others; i++) {
        uint64_t counts[2];
        int64_t times[2];
        assert_int_equal(gt_profile_count(input, kinds[i]), gt_profile_count(copy, kinds[i]));
        sum_of(input, kinds[i], &counts[0], &times[0]);
        sum_of(copy, kinds[i], &counts[1], &times[1]);
        assert_int_equal(counts[0], counts[1]);
        int64_t difference = times[0] > times[1] ? times[0] - times[1] : times[1] - times[0];
        assert_true(difference <= (int64_t) counts[0] * 100);
    }
    gt_profile_close(&input);
    gt_profile_close(&copy);
    lowered_free(&lowered);
}

/* Whether a record creates a goroutine and names no stack, or is a stack without frames. */
static bool lacks_stack(const gt_raw_event *event)
{
    /* The arguments before it are the time and the goroutine. */
    if (event->type == GT_V1_GO_CREATE)
        return event->argument_count < 3 || event->arguments[2] == 0;
    return event->type == GT_V1_STACK && event->frame_count == 0;
}

/* Go 1.21's viewer refuses a trace with a goroutine that has no frame of how it began. */
static void test_every_goroutine_has_a_start_stack(void **state)
{
    const struct recorded *trace = *state;
    struct lowered lowered;
    gt_raw_reader *reader;
    const gt_raw_event *event;
    gt_status status;
    size_t creations = 0;
    lowered_init(&lowered);
    lowered_make(&lowered, trace->data, trace->size);
    assert_status(
        gt_raw_reader_open_memory(&reader, lowered.out.data, lowered.out.size, NULL, NULL), GT_OK);
    while ((status = gt_raw_reader_next_event(reader, &event)) == GT_OK) {
        creations += event->type == GT_V1_GO_CREATE;
        assert_false(lacks_stack(event));
    }
    assert_status(status, GT_END);
    assert_int_equal(creations != 0, lowered.info.events != 0);
    gt_raw_reader_close(&reader);
    lowered_free(&lowered);
}

static void add(struct suite *suite, const char *directory, const char *prefix)
{
    static const CMUnitTestFunction functions[] = {test_goroutines_have_the_same_states,
                                                   test_profiles_are_the_same,
                                                   test_every_goroutine_has_a_start_stack};
    struct file_list list = {NULL, 0};
    files_list(&list, directory, prefix, ".trace");
    for (size_t i = 0; i < list.count; i++) {
        for (size_t j = 0; j < sizeof(functions) / sizeof(*functions); j++) {
            struct recorded *trace = calloc(1, sizeof(*trace));
            assert_non_null(trace);
            trace->path = files_join(directory, list.names[i]);
            suite_add(suite, trace->path, functions[j], trace);
            suite->tests[suite->count - 1].setup_func = load;
            suite->tests[suite->count - 1].teardown_func = unload;
        }
    }
    files_list_free(&list);
}

int main(void)
{
    static const char *const versions[] = {"go1.22", "go1.23", "go1.24",
                                           "go1.25", "go1.26", "go1.27"};
    char *directory = files_join(files_testdata(), "v2");
    struct suite suite = {NULL, 0};
    int failures;
    add(&suite, directory, "");
    for (size_t i = 0; files_corpus() && i < sizeof(versions) / sizeof(*versions); i++)
        add(&suite, files_corpus(), versions[i]);
    failures = suite_run(&suite, "downgrade");
    suite_free(&suite, recorded_free);
    free(directory);
    return failures;
}
