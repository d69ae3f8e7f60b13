/* SPDX-License-Identifier: BSD-3-Clause */
#include "browser.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static bool is_set(const char *name)
{
    const char *value = getenv(name);
    return value && value[0] != '\0';
}

/* Redirects the standard streams to /dev/null: the messages of a browser must not appear in the
 * command's output, and a browser that keeps running must not keep that output open. */
static void leave_terminal(void)
{
    int nowhere = open("/dev/null", O_RDWR);
    setsid();
    for (int fd = STDIN_FILENO; nowhere >= 0 && fd <= STDERR_FILENO; fd++)
        dup2(nowhere, fd);
    if (nowhere > STDERR_FILENO)
        close(nowhere);
    signal(SIGPIPE, SIG_DFL);
}

/* Returns the program that shows the URL: the first element of BROWSER, which is a list separated
 * by colons, or xdg-open. */
static char *choose(void)
{
    char *names = strdup(is_set("BROWSER") ? getenv("BROWSER") : "xdg-open");
    if (names)
        names[strcspn(names, ":")] = '\0';
    return names;
}

void browser_open(const char *url)
{
    if (!is_set("DISPLAY") && !is_set("WAYLAND_DISPLAY") && !is_set("BROWSER"))
        return;
    char *program = choose(), *copy = strdup(url);
    pid_t child = program && copy ? fork() : -1;
    if (child == 0) {
        char *const arguments[] = {program, copy, NULL};
        leave_terminal();
        /* The browser becomes init's child, so that we need not wait for it. */
        if (fork() == 0)
            execvp(program, arguments);
        _exit(0);
    }
    while (child > 0 && waitpid(child, NULL, 0) < 0 && errno == EINTR)
        continue;
    free(program);
    free(copy);
}
