/* SPDX-License-Identifier: BSD-3-Clause */
#include "input.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "problem.h"

enum {
    /* What is copied at a time. */
    COPY_SIZE = 64 * 1024
};

static void input_on_repair(void *user_data, const gt_error *repair)
{
    struct input *in = user_data;
    if (in->again)
        return;
    if (in->repairs++ == 0)
        in->first_repair = *repair;
    if (in->telling == INPUT_TELLS_ALL || (in->telling == INPUT_TELLS_FIRST && in->repairs == 1))
        problem_report(in->name, "repaired: ", repair);
}

/* A trace that has names never gets as far as addr2line, which would say the same. */
static bool input_check_binary(const char *name)
{
    int fd = open(name, O_RDONLY);
    if (fd < 0) {
        fprintf(stderr, "gotrace: %s: cannot open the file: %s\n", name, strerror(errno));
        return false;
    }
    close(fd);
    return true;
}

static int input_parse_options(struct input *in, const struct command *self, struct output *out,
                               char **arguments, const struct option *own, size_t own_count)
{
    const struct option shared[] = {
        {.name = "lenient", .flag = &in->lenient},
        {.name = "as-recorded", .flag = &in->as_recorded},
        {.name = "binary", .value = &in->symbols.program},
        {.name = "one-thread", .flag = &in->one_thread},
        /* Where nothing is repaired by itself there is no such option. */
        {.name = "strict", .flag = &in->strict},
    };
    size_t shared_count = sizeof(shared) / sizeof(shared[0]);
    const struct options options = {
        .list = own,
        .count = own_count,
        .shared = shared,
        .shared_count = in->salvages ? shared_count : shared_count - 1,
        .operands = &in->name,
        .operand_min = 1,
        .operand_max = 1,
    };
    int code = options_parse(self, out, arguments, &options);
    if (code == COMMAND_GO_ON && in->strict && in->lenient)
        return command_misused(self, "--strict and --lenient exclude each other", NULL);
    if (in->lenient)
        in->telling = INPUT_TELLS_ALL;
    return code;
}

int input_parse(struct input *in, const struct command *self, struct output *out, char **arguments,
                const struct option *own, size_t own_count)
{
    *in = (struct input){0};
    return input_parse_options(in, self, out, arguments, own, own_count);
}

int input_parse_salvaging(struct input *in, const struct command *self, struct output *out,
                          char **arguments, const struct option *own, size_t own_count)
{
    *in = (struct input){.salvages = true};
    return input_parse_options(in, self, out, arguments, own, own_count);
}

bool input_is_lenient(const struct input *in)
{
    return in->lenient || (in->salvages && !in->strict);
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
    if (in->as_recorded)
        options->flags |= GT_READER_AS_RECORDED;
    if (input_reads_ahead(in))
        options->flags |= GT_READER_AHEAD;
    if (in->symbols.program) {
        options->symbolize = symbols_find;
        options->symbolize_data = &in->symbols;
    }
}

/* Copies what can be read only once. False where that failed, which is in `*error` then. */
static bool input_copy(struct input *in, int fd, gt_error *error)
{
    char buffer[COPY_SIZE];
    ssize_t size = 0;
    in->copy = tmpfile();
    while (in->copy && (size = read(fd, buffer, sizeof(buffer))) != 0) {
        if (size < 0 && errno != EINTR)
            break;
        if (size > 0 && fwrite(buffer, 1, (size_t) size, in->copy) != (size_t) size)
            break;
    }
    if (in->copy && size == 0 && fflush(in->copy) == 0)
        return true;
    error->system_error = errno;
    snprintf(error->message, sizeof(error->message), "cannot copy it to a temporary file");
    return false;
}

/* Copies the input if it is to be read twice and is no regular file. */
static bool input_copy_if_needed(struct input *in, gt_error *error)
{
    struct stat about;
    bool is_standard = strcmp(in->name, "-") == 0;
    if (!in->twice || in->copy)
        return true;
    int fd = is_standard ? STDIN_FILENO : open(in->name, O_RDONLY);
    /* What cannot be opened is reported by who opens it to read it. */
    if (fd < 0)
        return true;
    bool is_good = (!is_standard && fstat(fd, &about) == 0 && S_ISREG(about.st_mode)) ||
                   input_copy(in, fd, error);
    if (!is_standard)
        close(fd);
    return is_good;
}

static gt_status input_open_reader(struct input *in, gt_error *error)
{
    gt_reader_options options = GT_READER_OPTIONS_INIT;
    input_set_reader_options(in, &options);
    if (!input_copy_if_needed(in, error))
        return GT_ERR_IO;
    if (in->copy) {
        rewind(in->copy);
        lseek(fileno(in->copy), 0, SEEK_SET);
        return gt_reader_open_fd(&in->reader, fileno(in->copy), &options, error);
    }
    if (strcmp(in->name, "-") == 0)
        return gt_reader_open_fd(&in->reader, STDIN_FILENO, &options, error);
    return gt_reader_open_file(&in->reader, in->name, &options, error);
}

static void input_close_reader(struct input *in)
{
    gt_reader_close(&in->reader);
    symbols_free(&in->symbols);
}

int input_start(struct input *in)
{
    gt_error error = GT_ERROR_INIT;
    if (in->symbols.program && !input_check_binary(in->symbols.program))
        return COMMAND_BAD;
    if (input_open_reader(in, &error) == GT_OK)
        return COMMAND_GO_ON;
    problem_add_system_error(&error);
    problem_report(in->name, "", &error);
    if (in->copy)
        fclose(in->copy);
    in->copy = NULL;
    return COMMAND_BAD;
}

int input_restart(struct input *in)
{
    input_close_reader(in);
    in->again = true;
    return input_start(in);
}

int input_open(struct input *in, const struct command *self, struct output *out, char **arguments,
               const struct option *own, size_t own_count)
{
    int code = input_parse(in, self, out, arguments, own, own_count);
    return code == COMMAND_GO_ON ? input_start(in) : code;
}

void input_error(const struct input *in, gt_status status, gt_error *error)
{
    *error = (gt_error) GT_ERROR_INIT;
    gt_reader_error(in->reader, error);
    problem_add_system_error(error);
    if (error->status == GT_ERR_SYMBOLS)
        snprintf(error->message, sizeof(error->message), "%s", in->symbols.error);
    /* Calls other than gt_reader_next_event, and the program itself, leave no error there. */
    if (error->status == GT_OK && status < 0)
        problem_set_status(error, status);
}

/* What is left to say of repairs. Returns whether they are a fault of the input. */
static bool input_report_repairs(const struct input *in, struct output *out)
{
    if (in->repairs == 0 || in->lenient)
        return false;
    output_flush(out);
    if (in->telling == INPUT_TELLS_FIRST && in->repairs > 1)
        fprintf(stderr, "gotrace: %s: repaired: %" PRIu64 " more; --lenient names them\n", in->name,
                in->repairs - 1);
    return true;
}

int input_close(struct input *in, struct output *out, gt_status status)
{
    gt_error error;
    input_error(in, status, &error);
    input_close_reader(in);
    if (in->copy)
        fclose(in->copy);
    bool is_repaired = input_report_repairs(in, out);
    if (error.status == GT_OK)
        return is_repaired ? COMMAND_BAD : COMMAND_GOOD;
    output_flush(out);
    problem_report(in->name, "", &error);
    return COMMAND_BAD;
}
