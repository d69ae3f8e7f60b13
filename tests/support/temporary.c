/* SPDX-License-Identifier: BSD-3-Clause */

/* For nftw. */
#ifndef _XOPEN_SOURCE
#define _XOPEN_SOURCE 700
#endif

#include "support/temporary.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    /* So many descriptors nftw may open at once. */
    FOLDERS_OPEN = 16,
    /* A test program has no open descriptors from here on. */
    DESCRIPTORS = 1024
};

static struct {
    char *path;
    /* Children of a test program that are forked inherit all of this, and must not remove it. */
    pid_t owner;
} folder;

static void fail_to(const char *what)
{
    fprintf(stderr, "cannot %s: %s\n", what, strerror(errno));
    exit(1);
}

static int remove_one(const char *path, const struct stat *about, int type, struct FTW *place)
{
    (void) about;
    (void) type;
    (void) place;
    remove(path);
    return 0;
}

static void remove_at_exit(void)
{
    if (getpid() == folder.owner)
        nftw(folder.path, remove_one, FOLDERS_OPEN, FTW_DEPTH | FTW_PHYS);
    free(folder.path);
}

/*
 * Becomes a shell that waits until the test program has ended, which closes the other end of the
 * pipe. It has nothing else of that program, for whose other pipes somebody may wait.
 */
static void keep_watch(int end)
{
    sigset_t all;

    /* Signals for the group of the test, and others, do not reach it. */
    setsid();
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, NULL);
    dup2(end, STDIN_FILENO);
    for (int i = STDERR_FILENO + 1; i < DESCRIPTORS; i++)
        close(i);
    end = open("/dev/null", O_WRONLY);
    dup2(end, STDOUT_FILENO);
    dup2(end, STDERR_FILENO);
    execl("/bin/sh", "sh", "-c", "read -r nothing; rm -rf -- \"$0\"", folder.path, (char *) NULL);
}

/*
 * Starts a process that removes the folder if this one cannot do so any more. It is no child of
 * this one, which may wait for its children.
 */
static void start_watch(void)
{
    int ends[2];
    pid_t child;

    if (pipe(ends) != 0 || fcntl(ends[1], F_SETFD, FD_CLOEXEC) != 0)
        fail_to("make a pipe");
    child = fork();
    if (child < 0)
        fail_to("start a process");
    if (child == 0) {
        close(ends[1]);
        if (fork() == 0)
            keep_watch(ends[0]);
        _exit(0);
    }
    close(ends[0]);
    while (waitpid(child, NULL, 0) < 0 && errno == EINTR)
        continue;
}

/* Returns the path of NAME-XXXXXX in a folder, which mkstemp and mkdtemp complete. */
static char *template_in(const char *parent, const char *name)
{
    size_t size = strlen(parent) + strlen(name) + sizeof("/-XXXXXX");
    char *path = malloc(size);

    if (!path)
        fail_to("have memory");
    snprintf(path, size, "%s/%s-XXXXXX", parent, name);
    return path;
}

const char *temporary_folder(void)
{
    const char *parent = getenv("TMPDIR");
    char *path;

    if (folder.path)
        return folder.path;
    path = template_in(parent && *parent ? parent : "/tmp", "gotrace-test");
    if (!mkdtemp(path))
        fail_to("make a temporary folder");
    folder.path = path;
    folder.owner = getpid();
    atexit(remove_at_exit);
    start_watch();
    return folder.path;
}

char *temporary_new_folder(void)
{
    char *path = template_in(temporary_folder(), "folder");

    if (!mkdtemp(path))
        fail_to("make a temporary folder");
    return path;
}

int temporary_new_file(char **path)
{
    int fd;

    *path = template_in(temporary_folder(), "file");
    fd = mkstemp(*path);
    if (fd < 0)
        fail_to("make a temporary file");
    return fd;
}
