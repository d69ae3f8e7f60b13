/* SPDX-License-Identifier: BSD-3-Clause */
/* gotrace: reads Go execution traces. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "command.h"
#include "interrupt.h"

/* The commands that correspond to `go tool trace -d=VALUE`, by the value. */
static const struct {
    const char *value;
    const struct command *command;
} debug_modes[] = {
    {"parsed", &command_dump},
    {"wire", &command_wire},
    {"footprint", &command_footprint},
};

/* Runs the command that corresponds to -d=`value` of go tool trace on `arguments`. `value` is NULL
 * if it is missing. */
static int main_run_debug_mode(struct output *out, const char *value, char **arguments)
{
    if (!value)
        return command_misused(NULL, "a value must follow", "-d");
    for (size_t i = 0; i < sizeof(debug_modes) / sizeof(debug_modes[0]); i++) {
        const struct command *command = debug_modes[i].command;
        if (strcmp(debug_modes[i].value, value) == 0)
            return command->run(command, out, arguments);
    }
    return command_misused(NULL, "unknown value of -d", value);
}

/* Runs pprof on `arguments`, which begin with -pprof=KIND or -pprof KIND of go tool trace. */
static int main_run_profile(struct output *out, char **arguments)
{
    char *value = strchr(arguments[0], '=');
    if (!value)
        arguments++;
    else
        arguments[0] = value + 1;
    if (!arguments[0] || arguments[0][0] == '-' || arguments[0][0] == '\0')
        return command_misused(NULL, "a value must follow", "-pprof");
    return command_pprof.run(&command_pprof, out, arguments);
}

/* Runs the command that an option in the place of a command stands for. */
static int main_run_option(struct output *out, char **arguments)
{
    const char *name = arguments[0] + (arguments[0][1] == '-' ? 2 : 1);
    if (strcmp(name, "help") == 0 || strcmp(name, "h") == 0)
        return command_help.run(&command_help, out, arguments + 1);
    if (strcmp(name, "version") == 0)
        return command_version.run(&command_version, out, arguments + 1);
    if (strncmp(name, "d=", 2) == 0)
        return main_run_debug_mode(out, name + 2, arguments + 1);
    if (strcmp(name, "d") == 0)
        return main_run_debug_mode(out, arguments[1], arguments + (arguments[1] ? 2 : 1));
    if (strncmp(name, "pprof=", 6) == 0 || strcmp(name, "pprof") == 0)
        return main_run_profile(out, arguments);
    if (strncmp(name, "http=", 5) == 0 || strcmp(name, "http") == 0)
        return command_view.run(&command_view, out, arguments);
    return command_misused(NULL, "unknown option", arguments[0]);
}

/* Whether an argument in the place of a command is the trace to show. */
static bool main_is_file(const char *argument)
{
    return strpbrk(argument, "/.") || access(argument, F_OK) == 0;
}

static int main_run(struct output *out, char **arguments)
{
    if (!arguments[0])
        return command_misused(NULL, "no command", NULL);
    if (arguments[0][0] == '-' && arguments[0][1] != '\0')
        return main_run_option(out, arguments);
    const struct command *command = command_find(arguments[0]);
    if (!command && main_is_file(arguments[0]))
        return command_view.run(&command_view, out, arguments);
    if (!command)
        return command_misused(NULL, "unknown command", arguments[0]);
    return command->run(command, out, arguments + 1);
}

int main(int argc, char **argv)
{
    static struct output out;
    /* A pipe that its reader closes, such as head(1), is not worth a message. */
    signal(SIGPIPE, SIG_IGN);
    output_open(&out, STDOUT_FILENO);
    int code = main_run(&out, argv + (argc > 0));
    if (!output_flush(&out)) {
        if (out.error != EPIPE)
            terminal_report("standard output: %s", strerror(out.error));
        code = COMMAND_BAD;
    }
    interrupt_raise();
    return code;
}
