/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"

const struct option output_options[] = {
    {OPTION_FLAG(struct output, is_raw, "raw",
                 "print names as they are even to a terminal, where characters that control it are "
                 "otherwise shown as escapes"),
     .summary = "print names as they are even to a terminal"},
    {OPTION_FLAG(struct output, forces_progress, "progress",
                 "show how far the reading has come even where standard error is no terminal, and "
                 "from the beginning instead of after half a second"),
     .summary = "show progress even without a terminal", .excludes = "--no-progress"},
    {OPTION_FLAG(struct output, hides_progress, "no-progress",
                 "do not show how far the reading has come"),
     .summary = "do not show progress", .excludes = "--progress"},
};

const struct option_group output_option_groups[] = {OPTIONS_OF_OUTPUT};

/* Whether `argument` begins with `name`, and what follows is nothing, or '=' and `*value`, which is
 * otherwise NULL. */
static bool option_is_named(const char *argument, const char *name, size_t length,
                            const char **value)
{
    if (strncmp(argument, name, length) != 0)
        return false;
    *value = argument[length] == '=' ? argument + length + 1 : NULL;
    return *value || argument[length] == '\0';
}

/* Whether `argument` is this option; `*value` becomes what follows its '=', or NULL. */
static bool option_matches(const char *argument, const struct option *option, const char **value)
{
    bool is_long = argument[1] == '-';
    if (!is_long && option->letter != '\0' &&
        option_is_named(argument + 1, &option->letter, 1, value))
        return true;
    return option_is_named(argument + (is_long ? 2 : 1), option->name, strlen(option->name), value);
}

/* Whether `argument` is the letter of this option, with its value right behind. */
static bool option_has_attached(const char *argument, const struct option *option,
                                const char **value)
{
    bool is_it = option->value && option->letter != '\0' && argument[1] == option->letter;
    if (is_it)
        *value = argument + 2;
    return is_it;
}

typedef bool option_test(const char *argument, const struct option *option, const char **value);

static const struct option *option_find_in(const struct option *list, size_t count,
                                           const char *argument, option_test *test,
                                           const char **value)
{
    for (size_t i = 0; i < count; i++) {
        if (test(argument, &list[i], value))
            return &list[i];
    }
    return NULL;
}

/* Finds the option of a command by a test, and the member of `values` or `out` that it sets. */
static const struct option *option_find_by(const struct command *command, const char *argument,
                                           struct output *out, void *values, option_test *test,
                                           const char **value, void **target)
{
    const struct option *found =
        option_find_in(command->options, command->option_count, argument, test, value);
    const struct option_group *group = command->shared;
    char *base = values;
    for (; !found && group && group->count > 0; group++) {
        found = option_find_in(group->list, group->count, argument, test, value);
        base = group->is_of_output ? (char *) out : values;
    }
    *target = found ? base + found->offset : NULL;
    return found;
}

/*
 * Finds the option of a command that is `argument`. Returns NULL if there is none. Otherwise sets
 * `*value` as option_matches does, and `*target` as option_find_by does.
 */
static const struct option *option_find(const struct command *command, const char *argument,
                                        struct output *out, void *values, const char **value,
                                        void **target)
{
    const struct option *found =
        option_find_by(command, argument, out, values, option_matches, value, target);
    /* Whole names come first, as they may follow a single dash too. */
    return found
               ? found
               : option_find_by(command, argument, out, values, option_has_attached, value, target);
}

/* Parses the option at `*arguments`, and moves on to its value if that is the next argument. */
static int option_parse(const struct command *command, struct output *out, char ***arguments,
                        void *values)
{
    const char *argument = **arguments;
    const char *bare = argument + (argument[1] == '-' ? 2 : 1);
    const char *value;
    void *target;
    const struct option *option = option_find(command, argument, out, values, &value, &target);
    if (!option) {
        if (strcmp(bare, "help") != 0 && strcmp(argument, "-h") != 0)
            return command_misused(command, "unknown option", argument);
        command_help_write(command, out);
        return COMMAND_GOOD;
    }
    if (!option->value) {
        *(bool *) target = true;
        return !value ? COMMAND_GO_ON : command_misused(command, "no value goes with", argument);
    }
    if (!value)
        value = *++*arguments;
    if (!value)
        return command_misused(command, "a value must follow", argument);
    *(const char **) target = value;
    return COMMAND_GO_ON;
}

bool options_number(const char *text, uint64_t most, uint64_t *number)
{
    char *end;
    errno = 0;
    unsigned long long value = strtoull(text, &end, 10);
    if (text[0] < '0' || text[0] > '9' || *end != '\0' || errno != 0 || value > most)
        return false;
    *number = value;
    return true;
}

int options_parse_program(const struct command *command, struct output *out, char **arguments,
                          void *values, char ***program)
{
    for (; *arguments; arguments++) {
        const char *argument = *arguments;
        bool is_end = strcmp(argument, "--") == 0;
        if (is_end || argument[0] != '-' || argument[1] == '\0') {
            *program = arguments + is_end;
            break;
        }
        int code = option_parse(command, out, &arguments, values);
        if (code != COMMAND_GO_ON)
            return code;
    }
    if (!*arguments || !**program)
        return command_misused(command, "too few arguments", NULL);
    return COMMAND_GO_ON;
}

int options_parse(const struct command *command, struct output *out, char **arguments, void *values,
                  const struct operands *operands)
{
    size_t count = 0;
    bool only_operands = false;
    for (; *arguments; arguments++) {
        const char *argument = *arguments;
        if (!only_operands && strcmp(argument, "--") == 0) {
            only_operands = true;
        } else if (!only_operands && argument[0] == '-' && argument[1] != '\0') {
            int code = option_parse(command, out, &arguments, values);
            if (code != COMMAND_GO_ON)
                return code;
        } else if (count == operands->max) {
            return command_misused(command, "one argument too many", argument);
        } else {
            operands->list[count++] = argument;
        }
    }
    if (count < operands->min)
        return command_misused(command, "too few arguments", NULL);
    return COMMAND_GO_ON;
}
