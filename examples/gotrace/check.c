/* SPDX-License-Identifier: BSD-3-Clause */
/* Checks the events against the rules that every trace obeys. */
#include <gotrace/gotrace.h>

#include "command.h"
#include "ending.h"
#include "input.h"

enum {
    /* Enough for the line of a finding, or for the last line. */
    LINE_MAX_SIZE = GT_FINDING_MESSAGE_SIZE + 200
};

struct check {
    struct input in;
    bool coarse_clock;
    bool quiet;
    gt_validator *validator;
    struct output *out;
    uint64_t findings;
};

static const struct option check_options[] = {
    {OPTION_FLAG(struct check, coarse_clock, "coarse-clock",
                 "allow clock snapshots to be equal, as on Windows"),
     .summary = "allow clock snapshots to be equal"},
    {OPTION_FLAG(struct check, quiet, "quiet", "print nothing; the exit code has the result"),
     .summary = "print nothing"},
};

/* Whether a finding is about what a repair has left empty, which is a fault of the trace already.
 */
static bool check_is_of_repair(const struct check *check, const gt_finding *finding)
{
    gt_reader_info info = GT_READER_INFO_INIT;
    gt_reader_get_info(check->in.reader, &info);
    return info.repairs != 0 && (finding->rule == GT_RULE_LABEL || finding->rule == GT_RULE_FRAME ||
                                 finding->rule == GT_RULE_METRIC);
}

static void check_write_finding(struct output *out, const gt_finding *finding)
{
    char *to = output_reserve(out, LINE_MAX_SIZE);
    to = put_unsigned(put_text(to, "event "), finding->number);
    to = put_text(put_text(to, " ("), gt_event_kind_name(finding->kind));
    to = put_signed(put_text(to, ", time "), finding->time);
    to = put_signed(put_text(to, ", M="), finding->thread);
    to = put_signed(put_text(to, " P="), finding->proc);
    to = put_signed(put_text(to, " G="), finding->goroutine);
    to = put_text(put_text(to, "): "), finding->message);
    *to++ = '\n';
    output_commit(out, to);
}

static void check_take_finding(void *user_data, const gt_finding *finding)
{
    struct check *check = user_data;
    if (check_is_of_repair(check, finding))
        return;
    check->findings++;
    if (!check->quiet)
        check_write_finding(check->out, finding);
}

static char *check_put_count(char *to, uint64_t count, const char *noun)
{
    to = put_text(put_unsigned(to, count), noun);
    return put_text(to, count == 1 ? "" : "s");
}

static void check_write_summary(struct output *out, const struct input *in, uint64_t findings)
{
    gt_reader_info info = GT_READER_INFO_INIT;
    gt_reader_get_info(in->reader, &info);
    char *to = check_put_count(output_reserve(out, LINE_MAX_SIZE), info.events, " event");
    to = put_text(to, ", ");
    to = findings == 0 ? put_text(to, "no findings") : check_put_count(to, findings, " finding");
    if (info.repairs != 0)
        to = check_put_count(put_text(to, ", "), info.repairs, " repair");
    *to++ = '\n';
    output_commit(out, to);
}

static gt_status check_event(void *user_data, const gt_event *event)
{
    struct check *check = user_data;
    return gt_validator_event(check->validator, check->in.reader, event);
}

static gt_status check_open_validator(struct check *check)
{
    gt_validator_options options = GT_VALIDATOR_OPTIONS_INIT;
    gt_reader_info info = GT_READER_INFO_INIT;
    gt_reader_get_info(check->in.reader, &info);
    options.version = info.version;
    options.flags = check->coarse_clock ? GT_VALIDATOR_COARSE_CLOCK : 0;
    options.keep = 0;
    options.on_finding = check_take_finding;
    options.user_data = check;
    return gt_validator_open(&check->validator, &options, &check->in.failure);
}

static int check_run(const struct command *self, struct output *out, char **arguments)
{
    struct check check = {.out = out};
    int code = input_parse(&check.in, self, out, arguments);
    if (code == COMMAND_GO_ON) {
        check.in.reporting = check.quiet ? INPUT_REPORTS_NONE : INPUT_REPORTS_ALL;
        code = input_start(&check.in);
    }
    if (code != COMMAND_GO_ON)
        return code;
    gt_status reading = GT_OK;
    gt_status status = check_open_validator(&check);
    if (status == GT_OK)
        status = input_for_each_event(check.in.reader, check_event, &check, &reading);
    if (!check.quiet) {
        check_write_summary(out, &check.in, check.findings);
        if (status == GT_OK && reading == GT_END)
            ending_write(out, check.in.reader);
    }
    gt_validator_close(&check.validator);
    code = input_close(&check.in, out, status != GT_OK ? status : reading);
    return check.findings == 0 ? code : COMMAND_BAD;
}

const struct command command_check = {
    .name = "check",
    .usage = "check [OPTION...] FILE",
    .summary = "check that the events are consistent",
    .help = "Reads the whole trace and checks each event against those before it. It prints a\n"
            "line for each finding, a line on standard error for each kind of repair of a\n"
            "damaged trace, a line that says how many there are, and one if the recording\n"
            "was not stopped or that cannot be told. What a repair has left empty is no\n"
            "finding. The exit code is 1 if there is a finding or a repair.\n",
    COMMAND_OPTIONS(check_options),
    .shared = input_salvage_options,
    .run = check_run,
};
