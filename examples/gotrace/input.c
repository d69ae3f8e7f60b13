/* SPDX-License-Identifier: BSD-3-Clause */
#include "input.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* `what` goes before the message. */
static void report(const char *name, const char *what, const gt_error *error)
{
    fprintf(stderr, "gotrace: %s: %s%s", name, what, error->message);
    if (error->offset != GT_NO_OFFSET && error->generation != 0)
        fprintf(stderr, " (offset %" PRIu64 ", generation %" PRIu64 ")", error->offset,
                error->generation);
    else if (error->offset != GT_NO_OFFSET)
        fprintf(stderr, " (offset %" PRIu64 ")", error->offset);
    else if (error->generation != 0)
        fprintf(stderr, " (generation %" PRIu64 ")", error->generation);
    fputc('\n', stderr);
}

/* Says why the system would not read, which the library leaves to a number. */
static void add_system_error(gt_error *error)
{
    size_t used = strlen(error->message);
    if (error->system_error != 0)
        snprintf(error->message + used, sizeof(error->message) - used, ": %s",
                 strerror(error->system_error));
}

static void on_repair(void *user_data, const gt_error *repair)
{
    const struct input *in = user_data;
    report(in->name, "repaired: ", repair);
}

/* A trace that has names never gets as far as addr2line, which would say the same. */
static bool check_binary(const char *name)
{
    int fd = open(name, O_RDONLY);
    if (fd < 0) {
        fprintf(stderr, "gotrace: %s: cannot open the file: %s\n", name, strerror(errno));
        return false;
    }
    close(fd);
    return true;
}

static int parse(struct input *in, const struct command *self, struct output *out, char **arguments,
                 const struct option *own, size_t own_count)
{
    const struct option shared[] = {
        {.name = "lenient", .flag = &in->lenient},
        {.name = "as-recorded", .flag = &in->as_recorded},
        {.name = "binary", .value = &in->symbols.program},
    };
    const struct options options = {
        .list = own,
        .count = own_count,
        .shared = shared,
        .shared_count = sizeof(shared) / sizeof(shared[0]),
        .operands = &in->name,
        .operand_min = 1,
        .operand_max = 1,
    };
    return options_parse(self, out, arguments, &options);
}

static void set_options(struct input *in, gt_reader_options *options)
{
    if (in->lenient) {
        options->flags |= GT_READER_LENIENT;
        options->on_repair = on_repair;
        options->repair_data = in;
    }
    if (in->as_recorded)
        options->flags |= GT_READER_AS_RECORDED;
    if (in->symbols.program != NULL) {
        options->symbolize = symbols_find;
        options->symbolize_data = &in->symbols;
    }
}

int input_open(struct input *in, const struct command *self, struct output *out, char **arguments,
               const struct option *own, size_t own_count)
{
    gt_reader_options options = GT_READER_OPTIONS_INIT;
    gt_error error = GT_ERROR_INIT;
    gt_status status;
    *in = (struct input){0};
    int code = parse(in, self, out, arguments, own, own_count);
    if (code != COMMAND_GO_ON)
        return code;
    if (in->symbols.program != NULL && !check_binary(in->symbols.program))
        return COMMAND_BAD;
    set_options(in, &options);
    if (strcmp(in->name, "-") == 0)
        status = gt_reader_open_fd(&in->reader, STDIN_FILENO, &options, &error);
    else
        status = gt_reader_open_file(&in->reader, in->name, &options, &error);
    if (status == GT_OK)
        return COMMAND_GO_ON;
    add_system_error(&error);
    report(in->name, "", &error);
    return COMMAND_BAD;
}

void input_error(const struct input *in, gt_status status, gt_error *error)
{
    *error = (gt_error) GT_ERROR_INIT;
    gt_reader_error(in->reader, error);
    add_system_error(error);
    if (error->status == GT_ERR_SYMBOLS)
        snprintf(error->message, sizeof(error->message), "%s", in->symbols.error);
    /* Calls other than gt_reader_next_event, and the program itself, leave no error there. */
    if (error->status == GT_OK && status < 0) {
        error->status = status;
        snprintf(error->message, sizeof(error->message), "%s", gt_status_text(status));
    }
}

int input_close(struct input *in, struct output *out, gt_status status)
{
    gt_error error;
    input_error(in, status, &error);
    gt_reader_close(&in->reader);
    symbols_free(&in->symbols);
    if (error.status == GT_OK)
        return COMMAND_GOOD;
    output_flush(out);
    report(in->name, "", &error);
    return COMMAND_BAD;
}
