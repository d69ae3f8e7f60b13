/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef COMMAND_H
#define COMMAND_H

/*
 * A command is one file with a struct command in it, and a row in COMMANDS. Its help, the
 * completions of shells and the index of the manual pages are made from the structure;
 * completion/generate.py writes the latter two.
 */

#include <stdbool.h>
#include <stddef.h>

#include "output.h"

/* Calls `x` for each command, in the order of the help. */
#define COMMANDS(x)                                                                                \
    x(view) x(dump) x(stat) x(json) x(check) x(wire) x(text) x(encode) x(cut) x(footprint) x(mmu)  \
        x(pprof) x(summary) x(goroutines) x(latency) x(help) x(version)

/* What the program exits with. */
enum {
    COMMAND_GOOD = 0,
    /* The input is bad, or the output could not be written. */
    COMMAND_BAD = 1,
    COMMAND_MISUSED = 2,
    /* Not an exit code: the command can go on. */
    COMMAND_GO_ON = -1
};

/* An option: --name, or --name VALUE, or --name=VALUE. One dash will do. */
struct option {
    const char *name;
    /* What the help calls its value, such as "COLUMN"; NULL: it takes none. */
    const char *value;
    /* What it does, for the help, which breaks the lines. */
    const char *help;
    /* The same in a few words, for completions; NULL: as in the help. */
    const char *summary;
    /*
     * What a shell offers as the value: words with spaces in between, or one of the constants
     * below; NULL: nothing.
     */
    const char *words;
    /* The value is a list of words with commas in between. */
    bool is_list;
    /* Options that cannot stand beside it, such as "--csv --parts", for completions; or NULL. */
    const char *excludes;
    /*
     * Where its value goes in the structure that options_parse fills: a const char *, or a
     * bool where it takes no value.
     */
    size_t offset;
};

/* The members of an option without a value, and of one with a value, in a struct `type`. */
#define OPTION_FLAG(type, member, flag, text)                                                      \
    .name = (flag), .help = (text), .offset = offsetof(type, member)
#define OPTION_VALUE(type, member, option, kind, text)                                             \
    OPTION_FLAG(type, member, option, text), .value = (kind)

#define OPTION_FILE      "<file>"
#define OPTION_DIRECTORY "<directory>"
#define OPTION_COMMAND   "<command>"
#define OPTION_NOTHING   "<nothing>"

/* Options that several commands share. */
struct option_group {
    /* Paragraphs of the help before them, or NULL. */
    const char *heading;
    const struct option *list;
    size_t count;
    /* Their offsets are those of members of struct output. */
    bool is_of_output;
};

/* The last groups of a command that prints text: --raw and about progress, and the empty one. */
#define OPTIONS_OF_OUTPUT                                                                          \
    {.list = output_options, .count = 3, .is_of_output = true},                                    \
    {                                                                                              \
        .count = 0                                                                                 \
    }

extern const struct option output_options[];

/* The `shared` options of a command that prints text and has no others. */
extern const struct option_group output_option_groups[];

struct command {
    const char *name;
    /* The name and what follows it, such as "stat [--json] FILE". */
    const char *usage;
    /* What it does, in a few words. */
    const char *summary;
    /* The first paragraphs of its help; lines that end in newlines. */
    const char *help;
    /* Its own options. */
    const struct option *options;
    size_t option_count;
    /* The paragraphs after these, or NULL. */
    const char *notes;
    /* Then options of others; the last group is empty. NULL: none. */
    const struct option_group *shared;
    /* What a shell offers as the first operand, as for an option; NULL: it is a trace. */
    const char *operand_words;
    /* Runs it; `arguments`, which end in NULL, follow the name. Returns a COMMAND_ value. */
    int (*run)(const struct command *self, struct output *out, char **arguments);
};

#define COMMAND_OPTIONS(list) .options = (list), .option_count = sizeof(list) / sizeof((list)[0])

#define COMMAND_DECLARE(name) extern const struct command command_##name;
COMMANDS(COMMAND_DECLARE)
#undef COMMAND_DECLARE

/* All commands; ends in NULL. */
extern const struct command *const command_table[];

/* Returns NULL if there is no command of that name. */
const struct command *command_find(const char *name);

/*
 * Reports a wrong use of `command`, or of the program if that is NULL, as one line on standard
 * error: `what`, and `subject` unless NULL. Returns COMMAND_MISUSED.
 */
int command_misused(const struct command *command, const char *what, const char *subject);

/* Writes what `gotrace help NAME` shows. */
void command_help_write(const struct command *command, struct output *out);

/* The arguments of a command that are not options, such as FILE. */
struct operands {
    /* Where they go; those that are not given stay as they are. */
    const char **list;
    size_t min;
    size_t max;
};

/*
 * Parses `arguments`. The values of options go to the structure `values`. Returns COMMAND_GO_ON,
 * or what the program is to exit with, after it has reported a wrong use or shown the help that
 * --help asks for.
 */
int options_parse(const struct command *command, struct output *out, char **arguments, void *values,
                  const struct operands *operands);

#endif
