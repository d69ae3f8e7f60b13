/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Recorded traces, whose names begin with "go", break no rule: those of the test data and of the
 * corpus, with one test for each trace, whose state is the path. Nor does the part of a trace
 * before an error, or what was repaired.
 */

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "support/files.h"
#include "support/suite.h"
#include "support/test.h"

/*
 * Shows findings that nothing explains. Repaired traces may lack names. Before its first repair a
 * lenient reader delivers what a strict one does, whose order is not defined if it gets stuck
 * later.
 */
struct findings {
    bool lenient;
    const gt_reader *reader;
    unsigned count;
};

static bool is_repaired(const gt_reader *reader)
{
    gt_reader_info info = GT_READER_INFO_INIT;
    assert_status(gt_reader_get_info(reader, &info), GT_OK);
    return info.repairs > 0;
}

static void show(void *user_data, const gt_finding *finding)
{
    struct findings *findings = user_data;
    if (findings->lenient && (finding->rule == GT_RULE_FRAME || !is_repaired(findings->reader)))
        return;
    findings->count++;
    print_error("event %u (%s): %s\n", (unsigned) finding->number,
                gt_event_kind_name(finding->kind), finding->message);
}

static gt_validator *open_validator(const gt_reader *reader, struct findings *findings)
{
    gt_validator_options options = GT_VALIDATOR_OPTIONS_INIT;
    gt_reader_info info = GT_READER_INFO_INIT;
    gt_validator *validator;
    assert_status(gt_reader_get_info(reader, &info), GT_OK);
    options.version = info.version;
    options.on_finding = show;
    options.user_data = findings;
    assert_status(gt_validator_open(&validator, &options, NULL), GT_OK);
    return validator;
}

static void validate(const char *path, uint64_t flags)
{
    gt_reader_options options = GT_READER_OPTIONS_INIT;
    struct findings findings = {(flags & GT_READER_LENIENT) != 0, NULL, 0};
    gt_validator *validator;
    const gt_event *event;
    gt_reader *reader;
    gt_status status;
    options.flags = flags;
    assert_status(gt_reader_open_file(&reader, path, &options, NULL), GT_OK);
    findings.reader = reader;
    validator = open_validator(reader, &findings);
    while ((status = gt_reader_next_event(reader, &event)) == GT_OK)
        assert_status(gt_validator_event(validator, reader, event), GT_OK);
    if (status != GT_ERR_STUCK) /* Otherwise its order is not defined. */
        assert_int_equal(findings.count, 0);
    gt_validator_close(&validator);
    gt_reader_close(&reader);
}

static void test_recorded_trace_breaks_no_rule(void **state)
{
    const char *path = *state;
    validate(path, 0);
    validate(path, GT_READER_AS_RECORDED);
    validate(path, GT_READER_LENIENT);
}

/* Returns the number of traces added. */
static size_t add_traces(struct suite *suite, const char *directory, const char *suffix)
{
    struct file_list list = {NULL, 0};
    size_t count;
    files_list(&list, directory, "go", suffix);
    for (size_t i = 0; i < list.count; i++) {
        char *path = files_join(directory, list.names[i]);
        suite_add(suite, path, test_recorded_trace_breaks_no_rule, path);
    }
    count = list.count;
    files_list_free(&list);
    return count;
}

/* Returns whether there are any. */
static bool add_testdata(struct suite *suite, const char *name)
{
    char *directory = files_join(files_testdata(), name);
    size_t count = add_traces(suite, directory, ".trace");
    if (count == 0)
        print_error("no traces in %s\n", directory);
    free(directory);
    return count > 0;
}

int main(void)
{
    struct suite suite = {NULL, 0};
    const char *corpus = files_corpus();
    int failures;
    if (!add_testdata(&suite, "v1") || !add_testdata(&suite, "v2")) {
        suite_free(&suite, free);
        return 1;
    }
    if (corpus) {
        add_traces(&suite, corpus, ".trace");
        add_traces(&suite, corpus, ".v1");
    } else {
        suite_add_skipped(&suite, "traces in $GT_CORPUS");
    }
    failures = suite_run(&suite, "traces");
    suite_free(&suite, free);
    return failures;
}
