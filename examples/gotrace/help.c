/* SPDX-License-Identifier: BSD-3-Clause */
/* What the program says of itself. */
#include <gotrace/version.h>

#include "command.h"

enum {
    SUMMARY_COLUMN = 14
};

static void help_write_padding(struct output *out, size_t from)
{
    for (size_t column = from; column < SUMMARY_COLUMN; column++)
        output_text(out, " ");
}

static void help_write_overview(struct output *out)
{
    output_text(out, "usage: gotrace COMMAND [ARGUMENT...]\n"
                     "\n"
                     "Looks into Go execution traces. The commands:\n"
                     "\n");
    for (const struct command *const *command = command_table; *command; command++) {
        output_text(out, "  ");
        output_text(out, (*command)->name);
        help_write_padding(out, 2 + strlen((*command)->name));
        output_text(out, (*command)->summary);
        output_text(out, "\n");
    }
    output_text(out,
                "\n"
                "FILE is a trace, or - for standard input. The exit code is 0 where all\n"
                "went well, 1 where the input is bad (what is good in it comes out first) or\n"
                "the output cannot be written, and 2 after a wrong use of the command.\n"
                "\n"
                "As with go tool trace, 'gotrace FILE' is 'gotrace view FILE', 'gotrace -d=parsed\n"
                "FILE' is 'gotrace dump FILE', and so with -d=wire, -d=footprint, -pprof=KIND and\n"
                "-http=ADDR.\n");
}

void command_help_write(const struct command *command, struct output *out)
{
    output_text(out, "usage: gotrace ");
    output_text(out, command->usage);
    output_text(out, "\n\n");
    output_text(out, command->help);
}

static int help_run(const struct command *self, struct output *out, char **arguments)
{
    const char *name = NULL;
    const struct options options = {.operands = &name, .operand_max = 1};
    int code = options_parse(self, out, arguments, &options);
    if (code != COMMAND_GO_ON)
        return code;
    const struct command *command = name ? command_find(name) : NULL;
    if (name && !command)
        return command_misused(NULL, "unknown command", name);
    if (command)
        command_help_write(command, out);
    else
        help_write_overview(out);
    return COMMAND_GOOD;
}

static int version_run(const struct command *self, struct output *out, char **arguments)
{
    const struct options options = {0};
    int code = options_parse(self, out, arguments, &options);
    if (code != COMMAND_GO_ON)
        return code;
    output_text(out, "gotrace ");
    output_text(out, gt_version_text());
    output_text(out, "\n");
    return COMMAND_GOOD;
}

const struct command command_help = {
    .name = "help",
    .usage = "help [COMMAND]",
    .summary = "say how to use a command",
    .help = "Shows what COMMAND does and what it takes, or without one lists the commands.\n",
    .run = help_run,
};

const struct command command_version = {
    .name = "version",
    .usage = "version",
    .summary = "print the version",
    .help = "Prints the version of libgotrace, which the command goes with.\n",
    .run = version_run,
};
