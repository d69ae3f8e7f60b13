/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef COMMAND_H
#define COMMAND_H

/*
 * A command is one file with a struct command in it, and a row in the table in
 * main.c.
 */

#include <stdbool.h>
#include <stddef.h>

#include "output.h"

/* What the program exits with. */
enum {
    COMMAND_GOOD = 0,
    /* The input is bad, or the output could not be written. */
    COMMAND_BAD = 1,
    COMMAND_MISUSED = 2,
    /* Not an exit code: options_parse found nothing to object to. */
    COMMAND_GO_ON = -1
};

struct command {
    const char *name;
    /* The name and what follows it, such as "stat [--json] FILE". */
    const char *usage;
    /* What it does, in a few words. */
    const char *summary;
    /* The rest of its help; lines that end in newlines. */
    const char *help;
    /* Does it; `arguments`, which end in NULL, follow the name. Returns a COMMAND_ value. */
    int (*run)(const struct command *self, struct output *out, char **arguments);
};

extern const struct command command_check;
extern const struct command command_dump;
extern const struct command command_encode;
extern const struct command command_footprint;
extern const struct command command_goroutines;
extern const struct command command_help;
extern const struct command command_json;
extern const struct command command_latency;
extern const struct command command_mmu;
extern const struct command command_pprof;
extern const struct command command_stat;
extern const struct command command_summary;
extern const struct command command_text;
extern const struct command command_version;
extern const struct command command_view;
extern const struct command command_wire;

/* All commands; ends in NULL. */
extern const struct command *const command_table[];

/* NULL where there is none of that name. */
const struct command *command_find(const char *name);

/*
 * One line to standard error about a wrong use of `command`, or of the program
 * where that is NULL: `what`, and `subject` unless NULL. Returns COMMAND_MISUSED.
 */
int command_misused(const struct command *command, const char *what, const char *subject);

/* Writes what `gotrace help NAME` shows. */
void command_help_write(const struct command *command, struct output *out);

/* An option of a command: --name, or --name=VALUE, or --name VALUE. One dash will do. */
struct option {
    const char *name;
    /* Set to true by an option without a value; NULL for the others, ... */
    bool *flag;
    /* ... whose value goes here. */
    const char **value;
};

/* What a command takes. */
struct options {
    const struct option *list;
    size_t count;
    /* More options: those that it shares with other commands. */
    const struct option *shared;
    size_t shared_count;
    /* Where operands go, such as FILE; what is not given is left alone. */
    const char **operands;
    size_t operand_min;
    size_t operand_max;
};

/*
 * Goes through `arguments`. Returns COMMAND_GO_ON, or what the program is to exit
 * with, after it has reported a wrong use or shown the help that --help asks for.
 */
int options_parse(const struct command *command, struct output *out, char **arguments,
                  const struct options *options);

#endif
