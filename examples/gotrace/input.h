/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef INPUT_H
#define INPUT_H

#include <stdbool.h>
#include <stdio.h>

#include <gotrace/reader.h>

#include "command.h"
#include "output.h"
#include "symbols.h"

/* The lines on INPUT options in the help of a command; paragraphs of their own. */
#define INPUT_HELP                                                                                 \
    "\n"                                                                                           \
    "  --lenient       repair what can be repaired, and say so on standard "                       \
    "error\n" INPUT_THREAD_HELP INPUT_V1_HELP

/* The same where a command repairs by itself. */
#define INPUT_SALVAGE_HELP                                                                         \
    "\n"                                                                                           \
    "What can be repaired is repaired; the exit code is 1 then.\n"                                 \
    "\n"                                                                                           \
    "  --strict        end at the first fault, as 'gotrace dump' does\n"                           \
    "  --lenient       repair, say all of it on standard error, and exit with "                    \
    "0\n" INPUT_THREAD_HELP INPUT_V1_HELP

#define INPUT_THREAD_HELP                                                                          \
    "  --one-thread    do not read ahead in a second thread, as is done where there is\n"          \
    "                  more than one processor\n"

#define INPUT_V1_HELP                                                                              \
    "\n"                                                                                           \
    "Of traces of Go 1.21 and before:\n"                                                           \
    "\n"                                                                                           \
    "  --as-recorded   give also what Go's own reader drops\n"                                     \
    "  --binary PROG   take names from the program that was traced: traces of Go 1.5\n"            \
    "                  and 1.6 have none; runs addr2line\n"

/* What a command that repairs by itself says of repairs on standard error. */
enum input_telling {
    INPUT_TELLS_FIRST,
    INPUT_TELLS_ALL,
    INPUT_TELLS_NOTHING
};

/* The trace that a command reads, and how. */
struct input {
    /* As the user gave it. Borrowed. */
    const char *name;
    /* Repairs because the user asked for it: then all of them are told, and they are no fault. */
    bool lenient;
    /* Repairs without being asked to, unless `strict`: then a repair is a fault of the input. */
    bool salvages;
    bool strict;
    enum input_telling telling;
    /* How many there were, and the first. */
    uint64_t repairs;
    gt_error first_repair;
    bool as_recorded;
    /* The user wants no other beside that which reads. */
    bool one_thread;
    struct symbols symbols;
    gt_reader *reader;
    /* To be read twice: a pipe is copied to a temporary file first. */
    bool twice;
    FILE *copy;
    /* Whether this is the second time. */
    bool again;
};

/*
 * Parses the arguments of a command that reads FILE, or standard input where that
 * is "-": its `own` options, and those of INPUT_HELP. Opens it, and returns
 * COMMAND_GO_ON; or returns what the program is to exit with, after it has
 * reported why. `*in` must stay where it is until input_close.
 */
int input_open(struct input *in, const struct command *self, struct output *out, char **arguments,
               const struct option *own, size_t own_count);

/*
 * The two halves of input_open, for a command that must see its options before anything
 * is read, or that reads twice: then it sets in->twice in between. Both return what
 * input_open does.
 */
int input_parse(struct input *in, const struct command *self, struct output *out, char **arguments,
                const struct option *own, size_t own_count);
int input_start(struct input *in);

/*
 * input_parse for a command that repairs without being asked to; its help has
 * INPUT_SALVAGE_HELP. It may set in->telling before input_start.
 */
int input_parse_salvaging(struct input *in, const struct command *self, struct output *out,
                          char **arguments, const struct option *own, size_t own_count);

/* Whether it repairs what can be repaired. */
bool input_is_lenient(const struct input *in);

/* Whether its reader, or another of the trace, should read ahead in a thread of its own. */
bool input_reads_ahead(const struct input *in);

/* Begins to read from the start again. Says nothing more of repairs. */
int input_restart(struct input *in);

/*
 * Fills `*error` with the error that ended the reading with `status`; where
 * `status` is none, its status is GT_OK.
 */
void input_error(const struct input *in, gt_status status, gt_error *error);

/*
 * Closes it after the reading ended with `status`. Where that is an error, or repairs
 * are still to be told of, writes out all output and then reports it. Returns what the
 * program is to exit with.
 */
int input_close(struct input *in, struct output *out, gt_status status);

#endif
