/* SPDX-License-Identifier: BSD-3-Clause */
/* For execvpe. */
#define _GNU_SOURCE

#include "agent/process.h"

#include <stdarg.h>
#include <stdlib.h>
#include <unistd.h>

/* The end of a process, and programs that take its place. */

AGENT_REAL(int, execve, (const char *, char *const[], char *const[]))
AGENT_REAL(int, execv, (const char *, char *const[]))
AGENT_REAL(int, execvp, (const char *, char *const[]))
AGENT_REAL(int, execvpe, (const char *, char *const[], char *const[]))
AGENT_REAL(void, _exit, (int) )

/* If the program cannot be executed, recording just goes on. */
static void process_write(void)
{
    if (agent_is_own_process() && agent_self.inside == 0)
        agent_advance();
}

AGENT_EXPORT int execve(const char *path, char *const arguments[], char *const environment[])
{
    process_write();
    return real_execve()(path, arguments, environment);
}

AGENT_EXPORT int execv(const char *path, char *const arguments[])
{
    process_write();
    return real_execv()(path, arguments);
}

AGENT_EXPORT int execvp(const char *file, char *const arguments[])
{
    process_write();
    return real_execvp()(file, arguments);
}

AGENT_EXPORT int execvpe(const char *file, char *const arguments[], char *const environment[])
{
    process_write();
    return real_execvpe()(file, arguments, environment);
}

/* Counts the arguments after the first one, up to the NULL. */
static size_t arguments_count(va_list *list)
{
    size_t count = 0;
    while (va_arg(*list, char *))
        count++;
    return count;
}

/* The list of arguments that begins with `first`, with the NULL at its end. */
static void arguments_take(char **arguments, size_t count, const char *first, va_list *list)
{
    arguments[0] = (char *) (uintptr_t) first;
    for (size_t i = 1; i <= count + 1; i++)
        arguments[i] = va_arg(*list, char *);
}

/* These may be called after vfork, so the list lies on the stack. */
#define PROCESS_ARGUMENTS(first, list, arguments)                                                  \
    do {                                                                                           \
        va_start(list, first);                                                                     \
        size_t count = arguments_count(&(list));                                                   \
        va_end(list);                                                                              \
        (arguments) = __builtin_alloca((count + 2) * sizeof(char *));                              \
        va_start(list, first);                                                                     \
        arguments_take(arguments, count, first, &(list));                                          \
    } while (0)

AGENT_EXPORT int execl(const char *path, const char *first, ...)
{
    va_list list;
    char **arguments;
    PROCESS_ARGUMENTS(first, list, arguments);
    va_end(list);
    return execv(path, arguments);
}

AGENT_EXPORT int execlp(const char *file, const char *first, ...)
{
    va_list list;
    char **arguments;
    PROCESS_ARGUMENTS(first, list, arguments);
    va_end(list);
    return execvp(file, arguments);
}

/* The environment comes after the NULL. */
AGENT_EXPORT int execle(const char *path, const char *first, ...)
{
    va_list list;
    char **arguments;
    PROCESS_ARGUMENTS(first, list, arguments);
    char **environment = va_arg(list, char **);
    va_end(list);
    return execve(path, arguments, environment);
}

AGENT_EXPORT void _exit(int status)
{
    agent_end();
    real__exit()(status);
    abort();
}

AGENT_EXPORT void _Exit(int status)
{
    _exit(status);
}
