/* SPDX-License-Identifier: BSD-3-Clause */
#include "child.h"

#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

extern char **environ;

enum {
    /* The exit code of a child of posix_spawn that cannot start the program. */
    CHILD_NOT_STARTED = 127
};

/* The command ignores SIGPIPE, and its threads may block signals; a child inherits both. */
static int child_reset_signals(posix_spawnattr_t *attributes)
{
    sigset_t none, broken_pipe;
    sigemptyset(&none);
    sigemptyset(&broken_pipe);
    sigaddset(&broken_pipe, SIGPIPE);
    int error = posix_spawnattr_setsigmask(attributes, &none);
    if (error == 0)
        error = posix_spawnattr_setsigdefault(attributes, &broken_pipe);
    if (error == 0)
        error =
            posix_spawnattr_setflags(attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    return error;
}

int child_start(char *const arguments[], const int streams[CHILD_STREAMS], pid_t *child)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    int error = posix_spawn_file_actions_init(&actions);
    if (error != 0)
        return error;
    error = posix_spawnattr_init(&attributes);
    if (error == 0) {
        error = child_reset_signals(&attributes);
        for (int i = 0; i < CHILD_STREAMS && error == 0; i++)
            error = posix_spawn_file_actions_adddup2(&actions, streams[i], i);
        if (error == 0)
            error = posix_spawnp(child, arguments[0], &actions, &attributes, arguments, environ);
        posix_spawnattr_destroy(&attributes);
    }
    posix_spawn_file_actions_destroy(&actions);
    return error;
}

bool child_wait(pid_t child, int *status)
{
    while (waitpid(child, status, 0) < 0) {
        if (errno != EINTR)
            return false;
    }
    return true;
}

char *child_read_file(FILE *from)
{
    long size = fseek(from, 0, SEEK_END) == 0 ? ftell(from) : -1;
    char *text = size >= 0 ? malloc((size_t) size + 1) : NULL;
    if (!text)
        return NULL;
    rewind(from);
    text[fread(text, 1, (size_t) size, from)] = '\0';
    return text;
}

void child_explain(const char *program, FILE *said, int status, char *text, size_t room)
{
    char *words = child_read_file(said), *line = words ? words + strspn(words, "\n") : NULL;
    if (WIFEXITED(status) && WEXITSTATUS(status) == CHILD_NOT_STARTED)
        snprintf(text, room, "cannot run %s", program);
    else if (line && line[0] != '\0')
        snprintf(text, room, "%.*s", (int) strcspn(line, "\n"), line);
    else if (WIFEXITED(status))
        snprintf(text, room, "%s exits with %d", program, WEXITSTATUS(status));
    else
        snprintf(text, room, "%s is ended by signal %d", program, WTERMSIG(status));
    free(words);
}
