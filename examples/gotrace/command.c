/* SPDX-License-Identifier: BSD-3-Clause */
#include "command.h"

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

#define COMMAND_WORD(name) " " #name

int command_misused(const struct command *command, const char *what, const char *subject)
{
    const char *open = subject ? " '" : "", *close = subject ? "'" : "";
    subject = subject ? subject : "";
    if (command)
        terminal_report("%s: %s%s%s%s (usage: gotrace %s)", command->name, what, open, subject,
                        close, command->usage);
    else
        terminal_report("%s%s%s%s (commands:" COMMANDS(COMMAND_WORD) ")", what, open, subject,
                        close);
    return COMMAND_MISUSED;
}
