/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/process.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/test.h"

/* The most arguments of a command. */
#define ARGUMENTS_MAX 16

/* execvp takes strings that are not const, although it does not write to them. */
static void run(const char *const *arguments)
{
    char *copy[ARGUMENTS_MAX + 1];
    size_t i;

    for (i = 0; arguments[i] && i < ARGUMENTS_MAX; i++) {
        copy[i] = strdup(arguments[i]);
        if (!copy[i])
            _exit(126);
    }
    copy[i] = NULL;
    execvp(copy[0], copy);
    fprintf(stderr, "%s: %s\n", copy[0], strerror(errno));
    _exit(127);
}

/*
 * A program inherits what its parent ignores or blocks, as under nohup, and the commands leave it
 * so: a test that sends them such a signal would wait for ever.
 */
static void use_default_actions(void)
{
    static const int sent[] = {SIGHUP,  SIGINT,  SIGQUIT, SIGTERM, SIGPIPE,
                               SIGALRM, SIGUSR1, SIGUSR2, SIGCHLD};
    sigset_t none;

    for (size_t i = 0; i < sizeof(sent) / sizeof(sent[0]); i++)
        signal(sent[i], SIG_DFL);
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
}

void process_start(struct process *process, const char *const *arguments)
{
    int ends[2];

    /* While it is ignored, nobody learns how a child has ended. */
    signal(SIGCHLD, SIG_DFL);
    memset(process, 0, sizeof(*process));
    process->errors_file = tmpfile();
    assert_non_null(process->errors_file);
    assert_int_equal(pipe(ends), 0);
    process->child = fork();
    assert_true(process->child >= 0);
    if (process->child == 0) {
        dup2(ends[1], STDOUT_FILENO);
        dup2(fileno(process->errors_file), STDERR_FILENO);
        close(ends[0]);
        close(ends[1]);
        use_default_actions();
        run(arguments);
    }
    close(ends[1]);
    process->output = fdopen(ends[0], "rb");
    assert_non_null(process->output);
}

int process_wait(struct process *process)
{
    size_t size;
    int status = 0;

    fclose(process->output);
    while (waitpid(process->child, &status, 0) < 0 && errno == EINTR)
        continue;
    rewind(process->errors_file);
    size = fread(process->errors, 1, sizeof(process->errors) - 1, process->errors_file);
    process->errors[size] = '\0';
    fclose(process->errors_file);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}
