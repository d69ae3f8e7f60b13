/* SPDX-License-Identifier: BSD-3-Clause */
#include "command.h"

#include <stdio.h>
#include <string.h>

#define COMMAND_ADDRESS(name) &command_##name,

const struct command *const command_table[] = {COMMANDS(COMMAND_ADDRESS) NULL};

const struct command *command_find(const char *name)
{
    for (const struct command *const *command = command_table; *command; command++) {
        if (strcmp((*command)->name, name) == 0)
            return *command;
    }
    return NULL;
}

int command_misused(const struct command *command, const char *what, const char *subject)
{
    if (command)
        fprintf(stderr, "gotrace: %s: %s", command->name, what);
    else
        fprintf(stderr, "gotrace: %s", what);
    if (subject)
        fprintf(stderr, " '%s'", subject);
    if (command) {
        fprintf(stderr, " (usage: gotrace %s)\n", command->usage);
        return COMMAND_MISUSED;
    }
    fputs(" (commands:", stderr);
    for (const struct command *const *other = command_table; *other; other++)
        fprintf(stderr, " %s", (*other)->name);
    fputs(")\n", stderr);
    return COMMAND_MISUSED;
}
