/* SPDX-License-Identifier: BSD-3-Clause */
#include "input.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <gotrace/time.h>

#include "interrupt.h"
#include "problem.h"

enum {
    INPUT_MAX_THREADS = 65,
    INPUT_USUAL_THREADS = 4,
    INPUT_LARGE_FILE = 1 << 20
};

#define INPUT_ONE_THREAD                                                                           \
    {                                                                                              \
        .name = "one-thread", .offset = offsetof(struct input, one_thread),                        \
        .help = "use no second thread; the default is to read ahead in one if there is more "      \
                "than one processor",                                                              \
        .summary = "do not read ahead in a second thread",                                         \
    }

#define INPUT_THREADS                                                                              \
    {                                                                                              \
        .name = "threads", .value = "N", .offset = offsetof(struct input, threads_text),           \
        .help = "use N threads, if the trace is a large file of Go 1.22 or later; the default is " \
                "one for each processor, but at most 4",                                           \
        .summary = "the number of threads"                                                         \
    }

#define INPUT_LENIENT                                                                              \
    {                                                                                              \
        .name = "lenient", .offset = offsetof(struct input, lenient),                              \
        .help = "repair what can be repaired, and report it on standard error",                    \
        .summary = "repair what can be repaired"                                                   \
    }

static const struct option lenient_options[] = {INPUT_LENIENT, INPUT_ONE_THREAD, INPUT_THREADS};
static const struct option tables_options[] = {INPUT_ONE_THREAD, INPUT_THREADS};
static const struct option view_options[] = {INPUT_LENIENT, INPUT_ONE_THREAD};

static const struct option salvage_options[] = {
    {OPTION_FLAG(struct input, strict, "strict", "end at the first fault, as 'gotrace dump' does"),
     .summary = "end at the first fault", .excludes = "--lenient"},
    {OPTION_FLAG(struct input, lenient, "lenient",
                 "report every repair on standard error, and exit with 0"),
     .summary = "report every repair, and exit with 0", .excludes = "--strict"},
    INPUT_ONE_THREAD,
    INPUT_THREADS,
};

static const struct option v1_options[] = {
    {OPTION_FLAG(struct input, as_recorded, "as-recorded",
                 "include events that Go's own reader drops")},
    {OPTION_VALUE(struct input, symbols.program, "binary", "PROG",
                  "take names from the program that was traced, as traces of Go 1.5 and 1.6 have "
                  "none; runs addr2line"),
     .summary = "take names from the program that was traced", .words = OPTION_FILE},
};

#define INPUT_SAVE                                                                                 \
    {                                                                                              \
        .name = "save", .value = "FILE", .offset = offsetof(struct input, settings.keep),          \
        .help = "keep what comes from a URL or through a pipe in this file",                       \
        .summary = "keep what comes in this file", .words = OPTION_FILE                            \
    }

static const struct option remote_options[] = {INPUT_SAVE};

static const struct option live_options[] = {
    {OPTION_FLAG(struct input, settings.follows, "follow",
                 "wait at the end of FILE for more, until Ctrl-C; what is incomplete then is "
                 "repaired"),
     .summary = "wait at the end of the file for more"},
    {OPTION_VALUE(struct input, pid, "pid", "N",
                  "with --follow: end when the process with this number has ended"),
     .summary = "end when this process has ended"},
    {OPTION_VALUE(struct input, idle, "idle", "TIME",
                  "with --follow: end when nothing has come for this time, such as 30s"),
     .summary = "end when nothing has come for this time"},
    INPUT_SAVE,
};

#define INPUT_GROUP(title, options)                                                                \
    {                                                                                              \
        .heading = (title), .list = (options), .count = sizeof(options) / sizeof((options)[0])     \
    }

static const char remote_heading[] = "FILE may be http://HOST[:PORT][/PATH][?QUERY]; no path is "
                                     "/debug/pprof/trace:\n";
static const char v1_heading[] = "For traces of Go 1.21 and before:\n";

const struct option_group input_options[] = {
    INPUT_GROUP(NULL, lenient_options),
    INPUT_GROUP(remote_heading, remote_options),
    INPUT_GROUP(v1_heading, v1_options),
    OPTIONS_OF_OUTPUT,
};

const struct option_group input_perfetto_options[] = {
    INPUT_GROUP(NULL, view_options),
    INPUT_GROUP(remote_heading, remote_options),
    INPUT_GROUP(v1_heading, v1_options),
    OPTIONS_OF_OUTPUT,
};

const struct option_group input_tables_options[] = {
    INPUT_GROUP(NULL, tables_options),
    INPUT_GROUP(v1_heading, v1_options),
    OPTIONS_OF_OUTPUT,
};

const struct option_group input_follow_options[] = {
    INPUT_GROUP(NULL, lenient_options),
    INPUT_GROUP(remote_heading, live_options),
    INPUT_GROUP(v1_heading, v1_options),
    OPTIONS_OF_OUTPUT,
};

const struct option_group input_view_options[] = {
    INPUT_GROUP(NULL, view_options),
    INPUT_GROUP(remote_heading, live_options),
    INPUT_GROUP(v1_heading, v1_options),
    {.count = 0},
};

const struct option_group input_salvage_options[] = {
    INPUT_GROUP("What can be repaired is repaired; the exit code is then 1.\n", salvage_options),
    INPUT_GROUP(remote_heading, live_options),
    INPUT_GROUP(v1_heading, v1_options),
    OPTIONS_OF_OUTPUT,
};

static void input_on_repair(void *user_data, const gt_error *repair)
{
    struct input *in = user_data;
    if (in->note_repair)
        in->note_repair(in->note_data, repair);
    if (in->again)
        return;
    if (in->repairs++ == 0)
        in->first_repair = *repair;
    in->stuck += repair->status == GT_ERR_STUCK;
    if (in->reporting == INPUT_REPORTS_ALL)
        repairs_add(&in->all_repairs, repair);
    else if (in->reporting == INPUT_REPORTS_FIRST && in->repairs == 1)
        problem_report(in->name, "repaired: ", repair);
}

/* This check exists because addr2line, which would report the same, is not run if the trace has
 * names. */
bool input_check_binary(const struct input *in)
{
    const char *name = in->symbols.program;
    int fd = name ? open(name, O_RDONLY) : -1;
    if (!name)
        return true;
    if (fd < 0) {
        terminal_report("%s: cannot open the file: %s", name, strerror(errno));
        return false;
    }
    close(fd);
    return true;
}

int input_parse(struct input *in, const struct command *self, struct output *out, char **arguments)
{
    const struct operands operands = {.list = &in->name, .min = 1, .max = 1};
    return input_parse_operands(in, self, out, arguments, &operands);
}

/* Parses the options that say when following ends. Returns COMMAND_GO_ON or COMMAND_MISUSED. */
static int input_parse_rules(struct input *in, const struct command *self)
{
    struct follow_rules *rules = &in->settings.rules;
    if (in->pid && !in->settings.follows)
        return command_misused(self, "--pid needs --follow", NULL);
    if (in->pid) {
        uint64_t pid;
        if (!options_number(in->pid, INT_MAX, &pid) || pid == 0)
            return command_misused(self, "not the number of a process:", in->pid);
        rules->pid = (pid_t) pid;
    }
    if (in->idle && !in->settings.follows)
        return command_misused(self, "--idle needs --follow", NULL);
    if (in->idle && (gt_duration_parse(in->idle, &rules->idle) != GT_OK || rules->idle == 0))
        return command_misused(self, "not a time:", in->idle);
    return COMMAND_GO_ON;
}

/* Parses the number of threads. */
static int input_parse_threads(struct input *in, const struct command *self)
{
    uint64_t threads;
    if (!in->threads_text)
        return COMMAND_GO_ON;
    if (!options_number(in->threads_text, INPUT_MAX_THREADS, &threads) || threads == 0)
        return command_misused(self, "not a number of threads:", in->threads_text);
    in->threads = (unsigned) threads;
    in->one_thread = threads == 1;
    return COMMAND_GO_ON;
}

/* Shows what has been read before more is waited for. */
static void input_before_wait(void *user_data)
{
    output_flush(user_data);
}

int input_parse_operands(struct input *in, const struct command *self, struct output *out,
                         char **arguments, const struct operands *operands)
{
    in->failure = (gt_error) GT_ERROR_INIT;
    in->salvages = self->shared == input_salvage_options;
    int code = options_parse(self, out, arguments, in, operands);
    if (code == COMMAND_GO_ON && in->strict && in->lenient)
        return command_misused(self, "--strict and --lenient exclude each other", NULL);
    if (code == COMMAND_GO_ON && in->settings.keep && strcmp(in->settings.keep, "-") == 0)
        return command_misused(self, "--save cannot be standard output, and ./- names a file",
                               NULL);
    if (code == COMMAND_GO_ON)
        code = input_parse_rules(in, self);
    if (code == COMMAND_GO_ON)
        code = input_parse_threads(in, self);
    /* The end of a trace that is followed comes anywhere, so what is missing there is no fault. */
    if (in->settings.follows && !in->strict)
        in->lenient = true;
    if (in->lenient)
        in->reporting = INPUT_REPORTS_ALL;
    in->progress = output_progress_mode(out);
    in->settings.rules.before_wait = in->settings.follows ? input_before_wait : NULL;
    in->settings.rules.user_data = out;
    return code;
}

static bool input_is_lenient(const struct input *in)
{
    return !in->strict && (in->lenient || in->salvages);
}

bool input_reads_ahead(const struct input *in)
{
    return !in->one_thread && sysconf(_SC_NPROCESSORS_ONLN) > 1;
}

static void input_set_reader_options(struct input *in, gt_reader_options *options)
{
    if (input_is_lenient(in)) {
        options->flags |= GT_READER_LENIENT;
        options->on_repair = input_on_repair;
        options->repair_data = in;
    }
    if (in->unforced)
        options->flags |= GT_READER_UNFORCED;
    if (in->as_recorded)
        options->flags |= GT_READER_AS_RECORDED;
    if (input_reads_ahead(in))
        options->flags |= GT_READER_AHEAD;
    options->on_progress = in->on_progress ? in->on_progress : progress_report;
    options->progress_data = in->progress_data;
    if (in->symbols.program) {
        options->symbolize = symbols_find;
        options->symbolize_data = &in->symbols;
    }
}

/*
 * Returns the number of threads that read a file ahead besides the one that uses the events. A
 * small file is read before they have started.
 */
static unsigned input_workers(const struct input *in)
{
    struct stat file;
    long threads = in->threads ? (long) in->threads : sysconf(_SC_NPROCESSORS_ONLN);
    if (in->one_thread || threads < 2 || stat(in->name, &file) != 0 ||
        file.st_size < INPUT_LARGE_FILE)
        return 0;
    if (!in->threads && threads > INPUT_USUAL_THREADS)
        threads = INPUT_USUAL_THREADS;
    return (unsigned) threads - 1;
}

/* Opens the trace for the first time, or again if it is a file that needs no copy. */
static gt_status input_open_intake(struct input *in, gt_reader_options *options, gt_error *error)
{
    if (!intake_open(&in->intake, in->name, &in->settings, error))
        return GT_ERR_IO;
    if (in->intake.is_plain_file) {
        intake_close(&in->intake);
        options->workers = input_workers(in);
        return gt_reader_open_file(&in->reader, in->name, options, error);
    }
    if (in->twice || in->rehearses) {
        in->copy = intake_save(&in->intake, UINT64_MAX, error);
        return in->copy ? GT_OK : GT_ERR_IO;
    }
    gt_status status =
        gt_reader_open_callback(&in->reader, intake_read, &in->intake, options, error);
    intake_explain(&in->intake, error);
    return status;
}

static gt_status input_open_reader(struct input *in, gt_error *error)
{
    gt_reader_options options = GT_READER_OPTIONS_INIT;
    gt_status status = GT_OK;
    input_set_reader_options(in, &options);
    if (in->read)
        return gt_reader_open_callback(&in->reader, in->read, in->read_data, &options, error);
    if (!in->copy)
        status = input_open_intake(in, &options, error);
    if (status != GT_OK || !in->copy)
        return status;
    rewind(in->copy);
    lseek(fileno(in->copy), 0, SEEK_SET);
    return gt_reader_open_fd(&in->reader, fileno(in->copy), &options, error);
}

void input_stop_watching(void)
{
    interrupt_disarm();
    progress_end();
}

void input_release(struct input *in)
{
    if (!in->on_progress)
        input_stop_watching();
    gt_reader_close(&in->reader);
    intake_close(&in->intake);
    symbols_free(&in->symbols);
}

int input_start(struct input *in)
{
    gt_error error = GT_ERROR_INIT;
    if (in->reporting == INPUT_REPORTS_ALL && !in->again)
        terminal_hold();
    if (!input_check_binary(in))
        return COMMAND_BAD;
    if (!in->on_progress)
        progress_begin(in->name, in->progress);
    if (input_open_reader(in, &error) == GT_OK) {
        if (!in->on_progress)
            interrupt_arm(in->reader, NULL);
        return COMMAND_GO_ON;
    }
    if (!in->on_progress)
        progress_end();
    intake_note_cut(&in->intake, &error);
    problem_report(in->name, "", &error);
    intake_close(&in->intake);
    if (in->copy)
        fclose(in->copy);
    in->copy = NULL;
    return COMMAND_BAD;
}

int input_restart(struct input *in)
{
    input_release(in);
    in->again = true;
    return input_start(in);
}

int input_begin_again(struct input *in)
{
    input_release(in);
    repairs_clear(&in->all_repairs);
    in->repairs = in->stuck = 0;
    in->again = false;
    in->failure = (gt_error) GT_ERROR_INIT;
    return input_start(in);
}

int input_open(struct input *in, const struct command *self, struct output *out, char **arguments)
{
    int code = input_parse(in, self, out, arguments);
    return code == COMMAND_GO_ON ? input_start(in) : code;
}

/* Replaces the name of the library's flag in an error message by the option of the command, which
 * is what the user can set. */
static void input_name_option(gt_error *error)
{
    static const char flag[] = "GT_READER_LENIENT";
    char rest[sizeof(error->message)];
    char *at = strstr(error->message, flag);
    if (!at)
        return;
    snprintf(rest, sizeof(rest), "%s", at + sizeof(flag) - 1);
    snprintf(at, sizeof(error->message) - (size_t) (at - error->message), "--lenient%s", rest);
}

bool input_is_in_trouble(const struct input *in, gt_status status)
{
    /* What a damaged file is decompressed to is cut off, and is no different from a cut trace. */
    bool is_cut = status == GT_ERR_IO && in->intake.unpacker.error[0] != '\0';
    return status < 0 && !is_cut && (status > GT_ERR_NOT_A_TRACE || status == GT_ERR_SYMBOLS);
}

bool input_is_all_lost(const struct input *in, gt_status status)
{
    gt_reader_info info = GT_READER_INFO_INIT;
    return status < 0 && gt_reader_get_info(in->reader, &info) == GT_OK && info.events <= 1;
}

void input_error(const struct input *in, gt_status status, gt_error *error)
{
    *error = (gt_error) GT_ERROR_INIT;
    gt_reader_error(in->reader, error);
    if (error->status == GT_ERR_SYMBOLS)
        snprintf(error->message, sizeof(error->message), "%s", in->symbols.error);
    input_name_option(error);
    intake_explain(&in->intake, error);
    if (error->status == GT_CANCELLED)
        snprintf(error->message, sizeof(error->message), "interrupted");
    /* Only gt_reader_next_event leaves an error in the reader. */
    if (error->status == GT_OK && status < 0 && status == in->failure.status)
        *error = in->failure;
    else if (error->status == GT_OK && status < 0)
        problem_set_status(error, status);
    intake_note_cut(&in->intake, error);
}

void input_report_all_repairs(struct input *in)
{
    repairs_report(&in->all_repairs, in->name);
    repairs_clear(&in->all_repairs);
}

/* Reports repairs that were not reported by their kinds. Returns whether they are a fault. */
static bool input_report_repairs(const struct input *in, struct output *out)
{
    if (in->repairs == 0 || in->lenient)
        return false;
    output_flush(out);
    if (in->reporting == INPUT_REPORTS_FIRST && in->repairs > 1)
        terminal_report("%s: repaired: %" PRIu64 " more; --lenient names them", in->name,
                        in->repairs - 1);
    return true;
}

int input_close(struct input *in, struct output *out, gt_status status)
{
    gt_error error;
    input_error(in, status, &error);
    input_release(in);
    input_report_all_repairs(in);
    terminal_release();
    if (in->copy)
        fclose(in->copy);
    bool is_repaired = input_report_repairs(in, out);
    if (error.status == GT_OK)
        return is_repaired || in->intake.is_lost ? COMMAND_BAD : COMMAND_GOOD;
    output_flush(out);
    problem_report(in->name, "", &error);
    return COMMAND_BAD;
}
