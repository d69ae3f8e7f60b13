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
#include <stdint.h>

#include "output.h"

/* Calls `x` for each command, in the order of the help. */
#define COMMANDS(x)                                                                                \
    x(view) x(record) x(symbolize) x(dump) x(stat) x(json) x(perfetto) x(check) x(wire) x(text)    \
        x(encode) x(cut) x(split) x(merge) x(convert) x(anonymize) x(downgrade) x(footprint)       \
            x(mmu) x(pprof) x(summary) x(goroutines) x(latency) x(why) x(compare) x(report)        \
                x(columns) x(page) x(help) x(version)

/* The exit codes of the program. */
enum {
    COMMAND_GOOD = 0,
    /* The input is bad, or the output could not be written. */
    COMMAND_BAD = 1,
    COMMAND_MISUSED = 2,
    /* Not an exit code: the command can continue. */
    COMMAND_GO_ON = -1
};

/*
 * An option: --name, or --name VALUE, or --name=VALUE. A single dash is accepted as well. With a
 * letter it is also -l, or -l VALUE, -l=VALUE or -lVALUE.
 */
struct option {
    const char *name;
    /* A short name; 0 if there is none. */
    char letter;
    /* The name of its value in the help, such as "COLUMN"; NULL if it takes none. */
    const char *value;
    /* A description for the help, which breaks it into lines. */
    const char *help;
    /* A short description for completions; NULL if that of the help is used. */
    const char *summary;
    /*
     * The values that a shell offers: words separated by spaces, or one of the constants below;
     * NULL if there are none.
     */
    const char *words;
    /* The value is a list of words with commas in between. */
    bool is_list;
    /* The options that it excludes, such as "--csv --parts", for completions; or NULL. */
    const char *excludes;
    /*
     * The offset of its member in the structure that options_parse fills: a const char *, or a bool
     * if the option takes no value.
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
    /* The paragraphs of the help before the options, or NULL. */
    const char *heading;
    const struct option *list;
    size_t count;
    /* Their offsets are those of members of struct output. */
    bool is_of_output;
};

/* The last groups of a command that prints text: --raw, the options about progress, and the empty
 * group. */
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
    /* A short description. */
    const char *summary;
    /* The first paragraphs of its help; lines that end in newlines. */
    const char *help;
    /* Its own options. */
    const struct option *options;
    size_t option_count;
    /* The paragraphs of the help after its options, or NULL. */
    const char *notes;
    /* The groups of options that it shares with other commands, which follow in the help; the last
     * group is empty. NULL if there are none. */
    const struct option_group *shared;
    /* The values that a shell offers for the first operand, as for an option; NULL if it is a
     * trace. */
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
    /* The operands that were given. Other elements remain unchanged. */
    const char **list;
    size_t min;
    size_t max;
};

/*
 * Parses `arguments`, and stores the values of options in the structure `values`. Returns
 * COMMAND_GO_ON, or the exit code of the program if it has reported a wrong use or shown the help
 * for --help.
 */
int options_parse(const struct command *command, struct output *out, char **arguments, void *values,
                  const struct operands *operands);

/* Parses a decimal number without a sign, of up to `most`. Returns false if the text is none. */
bool options_number(const char *text, uint64_t most, uint64_t *number);

/*
 * The same for a command that runs another program: the first operand and all arguments after it
 * are that program's, and `*program` becomes the first of them.
 */
int options_parse_program(const struct command *command, struct output *out, char **arguments,
                          void *values, char ***program);

#endif
