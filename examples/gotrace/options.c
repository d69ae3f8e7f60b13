/* SPDX-License-Identifier: BSD-3-Clause */
#include "command.h"

#include <string.h>

/*
 * Whether `argument` is the option `name`, without its dashes; `*value` becomes
 * what follows its '=', or NULL.
 */
static bool option_matches(const char *argument, const char *name, const char **value)
{
    size_t length = strlen(name);
    if (strncmp(argument, name, length) != 0)
        return false;
    if (argument[length] == '=') {
        *value = argument + length + 1;
        return true;
    }
    *value = NULL;
    return argument[length] == '\0';
}

/* NULL where there is none of that name, `bare`; else `*value` as above. */
static const struct option *option_find(const struct option *list, size_t count, const char *bare,
                                        const char **value)
{
    for (size_t i = 0; i < count; i++) {
        if (option_matches(bare, list[i].name, value))
            return &list[i];
    }
    return NULL;
}

/* Deals with the option at `*arguments`, and moves on to its value if that comes apart from it. */
static int option_parse(const struct command *command, struct output *out, char ***arguments,
                        const struct options *options)
{
    const char *argument = **arguments;
    const char *bare = argument + (argument[1] == '-' ? 2 : 1);
    const char *value;
    const struct option *option = option_find(options->list, options->count, bare, &value);
    if (!option)
        option = option_find(options->shared, options->shared_count, bare, &value);
    if (!option) {
        if (strcmp(bare, "help") != 0 && strcmp(argument, "-h") != 0)
            return command_misused(command, "unknown option", argument);
        command_help_write(command, out);
        return COMMAND_GOOD;
    }
    if (option->flag) {
        *option->flag = true;
        return !value ? COMMAND_GO_ON : command_misused(command, "no value goes with", argument);
    }
    if (!value)
        value = *++*arguments;
    if (!value)
        return command_misused(command, "a value must follow", argument);
    *option->value = value;
    return COMMAND_GO_ON;
}

int options_parse(const struct command *command, struct output *out, char **arguments,
                  const struct options *options)
{
    size_t operands = 0;
    bool only_operands = false;
    for (; *arguments; arguments++) {
        const char *argument = *arguments;
        if (!only_operands && strcmp(argument, "--") == 0) {
            only_operands = true;
        } else if (!only_operands && argument[0] == '-' && argument[1] != '\0') {
            int code = option_parse(command, out, &arguments, options);
            if (code != COMMAND_GO_ON)
                return code;
        } else if (operands == options->operand_max) {
            return command_misused(command, "one argument too many", argument);
        } else {
            options->operands[operands++] = argument;
        }
    }
    if (operands < options->operand_min)
        return command_misused(command, "too few arguments", NULL);
    return COMMAND_GO_ON;
}
