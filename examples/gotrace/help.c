/* SPDX-License-Identifier: BSD-3-Clause */
/* `gotrace help` and `gotrace version`. */
#include <gotrace/version.h>

#include "command.h"

enum {
    /* Where the summaries of commands and the texts of options begin. */
    HELP_SUMMARY_COLUMN = 14,
    HELP_OPTION_COLUMN = 18,
    HELP_WIDTH = 80
};

static void help_write_padding(struct output *out, size_t from, size_t to)
{
    for (size_t column = from; column < to; column++)
        output_text(out, " ");
}

static void help_write_overview(struct output *out)
{
    output_text(out, "usage: gotrace COMMAND [ARGUMENT...]\n"
                     "\n"
                     "Reads Go execution traces. The commands:\n"
                     "\n");
    for (const struct command *const *command = command_table; *command; command++) {
        output_text(out, "  ");
        output_text(out, (*command)->name);
        help_write_padding(out, 2 + strlen((*command)->name), HELP_SUMMARY_COLUMN);
        output_text(out, (*command)->summary);
        output_text(out, "\n");
    }
    output_text(out,
                "\n"
                "FILE is a trace, or - for standard input. The exit code is 0 on success, 1 if\n"
                "the input is bad (after everything before the error was printed) or the output\n"
                "cannot be written, and 2 after a wrong use of the command.\n"
                "\n"
                "As with go tool trace, 'gotrace FILE' is 'gotrace view FILE', 'gotrace -d=parsed\n"
                "FILE' is 'gotrace dump FILE', and so with -d=wire, -d=footprint, -pprof=KIND and\n"
                "-http=ADDR.\n");
}

/* Writes words in lines that begin at HELP_OPTION_COLUMN; the first one is at `column`. */
static void help_write_wrapped(struct output *out, const char *text, size_t column)
{
    while (*text != '\0') {
        size_t size = strcspn(text, " ");
        if (column > HELP_OPTION_COLUMN && column + 1 + size > HELP_WIDTH) {
            output_text(out, "\n");
            column = 0;
        } else if (column > HELP_OPTION_COLUMN) {
            output_text(out, " ");
            column++;
        }
        help_write_padding(out, column, HELP_OPTION_COLUMN);
        column = (column > HELP_OPTION_COLUMN ? column : HELP_OPTION_COLUMN) + size;
        output_bytes(out, text, size);
        text += size + (text[size] == ' ');
    }
    output_text(out, "\n");
}

/* "  --name VALUE   text", or "  -n, --name VALUE   text"; a long name has a line of its own. */
static void help_write_option(struct output *out, const struct option *option)
{
    size_t column = 4 + strlen(option->name);
    output_text(out, "  ");
    if (option->letter != '\0') {
        const char letter[] = {'-', option->letter, ',', ' ', '\0'};
        output_text(out, letter);
        column += strlen(letter);
    }
    output_text(out, "--");
    output_text(out, option->name);
    if (option->value) {
        output_text(out, " ");
        output_text(out, option->value);
        column += 1 + strlen(option->value);
    }
    if (column >= HELP_OPTION_COLUMN) {
        output_text(out, "\n");
        column = 0;
    }
    help_write_wrapped(out, option->help, column);
}

static void help_write_options(struct output *out, const char *heading, const struct option *list,
                               size_t count)
{
    output_text(out, count > 0 ? "\n" : "");
    if (heading) {
        output_text(out, heading);
        output_text(out, "\n");
    }
    for (size_t i = 0; i < count; i++)
        help_write_option(out, &list[i]);
}

void command_help_write(const struct command *command, struct output *out)
{
    output_text(out, "usage: gotrace ");
    output_text(out, command->usage);
    output_text(out, "\n\n");
    output_text(out, command->help);
    help_write_options(out, NULL, command->options, command->option_count);
    if (command->notes) {
        output_text(out, "\n");
        output_text(out, command->notes);
    }
    const struct option_group *group = command->shared;
    for (; group && group->count > 0; group++)
        help_write_options(out, group->heading, group->list, group->count);
}

static int help_run(const struct command *self, struct output *out, char **arguments)
{
    const char *name = NULL;
    const struct operands operands = {.list = &name, .max = 1};
    int code = options_parse(self, out, arguments, NULL, &operands);
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
    const struct operands operands = {0};
    int code = options_parse(self, out, arguments, NULL, &operands);
    if (code != COMMAND_GO_ON)
        return code;
    output_text(out, "gotrace ");
    output_text(out, gt_library_version_text());
    output_text(out, "\n");
    return COMMAND_GOOD;
}

const struct command command_help = {
    .name = "help",
    .usage = "help [COMMAND]",
    .summary = "explain a command",
    .help = "Explains what COMMAND does and what it takes; without COMMAND it lists all\n"
            "commands.\n",
    .operand_words = OPTION_COMMAND,
    .run = help_run,
};

const struct command command_version = {
    .name = "version",
    .usage = "version",
    .summary = "print the version",
    .help = "Prints the version of libgotrace, of which the command is a part.\n",
    .operand_words = OPTION_NOTHING,
    .run = version_run,
};
