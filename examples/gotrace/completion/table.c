/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Prints all commands and their options, for generate.py. Columns are separated by tabs:
 *
 *     command NAME SUMMARY OPERAND
 *     option NAME LETTER VALUE SUMMARY WORDS LIST EXCLUDES
 *
 * An option belongs to the command above it. "-" stands for what is not there.
 */
#include <stdio.h>

#include "command.h"

static const char *table_text(const char *text)
{
    return text ? text : "-";
}

static void table_print_options(const struct option *list, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const struct option *option = &list[i];
        const char letter[] = {option->letter, '\0'};
        printf("option\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n", option->name,
               table_text(option->letter != '\0' ? letter : NULL), table_text(option->value),
               option->summary ? option->summary : option->help, table_text(option->words),
               option->is_list ? "list" : "-", table_text(option->excludes));
    }
}

int main(void)
{
    for (const struct command *const *at = command_table; *at; at++) {
        const struct command *command = *at;
        printf("command\t%s\t%s\t%s\n", command->name, command->summary,
               table_text(command->operand_words));
        table_print_options(command->options, command->option_count);
        const struct option_group *group = command->shared;
        for (; group && group->count > 0; group++)
            table_print_options(group->list, group->count);
    }
    return ferror(stdout) != 0;
}
