/* SPDX-License-Identifier: BSD-3-Clause */
/* Holds the events against what must be true of every trace. */
#include <gotrace/gotrace.h>

#include "command.h"
#include "input.h"

enum {
    /* Room for a finding's line, or for the last one. */
    LINE_MAX_SIZE = GT_FINDING_MESSAGE_SIZE + 200
};

static void check_write_finding(void *user_data, const gt_finding *finding)
{
    struct output *out = user_data;
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
    if (in->repairs != 0)
        to = check_put_count(put_text(to, ", "), in->repairs, " repair");
    *to++ = '\n';
    output_commit(out, to);
}

static gt_status check_read_events(gt_reader *reader, gt_validator *validator)
{
    const gt_event *event;
    gt_status status;
    while ((status = gt_reader_next_event(reader, &event)) == GT_OK) {
        status = gt_validator_event(validator, reader, event);
        if (status != GT_OK)
            break;
    }
    return status;
}

static gt_status check_open_validator(gt_validator **validator, const gt_reader *reader,
                                      struct output *out, bool coarse_clock)
{
    gt_validator_options options = GT_VALIDATOR_OPTIONS_INIT;
    gt_reader_info info = GT_READER_INFO_INIT;
    gt_reader_get_info(reader, &info);
    options.version = info.version;
    options.flags = coarse_clock ? GT_VALIDATOR_COARSE_CLOCK : 0;
    options.keep = 0;
    options.on_finding = out ? check_write_finding : NULL;
    options.user_data = out;
    return gt_validator_open(validator, &options);
}

static int check_run(const struct command *self, struct output *out, char **arguments)
{
    bool quiet = false, coarse_clock = false;
    const struct option own[] = {
        {.name = "coarse-clock", .flag = &coarse_clock},
        {.name = "quiet", .flag = &quiet},
    };
    struct input in;
    int code = input_parse_salvaging(&in, self, out, arguments, own, sizeof(own) / sizeof(own[0]));
    if (code == COMMAND_GO_ON) {
        in.telling = quiet ? INPUT_TELLS_NOTHING : INPUT_TELLS_ALL;
        code = input_start(&in);
    }
    if (code != COMMAND_GO_ON)
        return code;
    gt_validator *validator;
    gt_status status =
        check_open_validator(&validator, in.reader, quiet ? NULL : out, coarse_clock);
    if (status == GT_OK)
        status = check_read_events(in.reader, validator);
    uint64_t findings = gt_validator_count(validator);
    if (!quiet)
        check_write_summary(out, &in, findings);
    gt_validator_close(&validator);
    code = input_close(&in, out, status);
    return findings == 0 ? code : COMMAND_BAD;
}

const struct command command_check = {
    .name = "check",
    .usage = "check [OPTION...] FILE",
    .summary = "look for what no trace may have in it",
    .help = "Reads the whole trace and holds each event against those before it. Each\n"
            "finding is a line, and each repair of a damaged trace one on standard error;\n"
            "the last line is how many there are. The exit code is 1 where there is one.\n"
            "\n"
            "  --coarse-clock  allow clock snapshots to be equal, as on Windows\n"
            "  --quiet         print nothing: the exit code says it\n" INPUT_SALVAGE_HELP,
    .run = check_run,
};
