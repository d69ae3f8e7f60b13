/* SPDX-License-Identifier: BSD-3-Clause */
#include "tracefile.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "terminal.h"

enum {
    /* Names that are tried before the command gives up. */
    TRACEFILE_TRIES = 100,
    /* Of what is appended to a name, with its NUL. */
    TRACEFILE_SUFFIX_ROOM = 16,
    TRACEFILE_MODE = 0666
};

static bool tracefile_fail(const struct tracefile *file, const char *why)
{
    terminal_report("%s: %s", file->path, why);
    return false;
}

/* Whether both names lead to the same file. */
static bool tracefile_is_input(const struct stat *about, const char *input)
{
    struct stat of_input;
    int failed = strcmp(input, "-") == 0 ? fstat(STDIN_FILENO, &of_input) : stat(input, &of_input);
    return failed == 0 && of_input.st_dev == about->st_dev && of_input.st_ino == about->st_ino;
}

/* Creates a file of a new name in the same directory. Returns false, and sets errno, on failure. */
static bool tracefile_create(struct tracefile *file, mode_t mode)
{
    size_t room = strlen(file->path) + TRACEFILE_SUFFIX_ROOM;
    file->temporary = malloc(room);
    if (!file->temporary)
        return false;
    for (int i = 0; i < TRACEFILE_TRIES && (file->fd < 0 && (i == 0 || errno == EEXIST)); i++) {
        snprintf(file->temporary, room, "%s.new%d", file->path, i);
        file->fd =
            open(file->temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode);
    }
    return file->fd >= 0;
}

bool tracefile_open(struct tracefile *file, const char *path, const char *input, struct output *out)
{
    struct stat about;
    *file = (struct tracefile){.path = path, .out = out, .fd = -1};
    if (!path)
        return true;
    bool exists = lstat(path, &about) == 0;
    if (exists && !S_ISREG(about.st_mode))
        return tracefile_fail(file, "it exists and is not a plain file");
    if (exists && tracefile_is_input(&about, input))
        return tracefile_fail(file, "it is the input");
    if (tracefile_create(file, TRACEFILE_MODE)) {
        /* The new file has the permissions of the one that it replaces. */
        if (exists)
            (void) !fchmod(file->fd, about.st_mode & TRACEFILE_MODE);
        return true;
    }
    tracefile_fail(file, strerror(errno));
    free(file->temporary);
    return false;
}

int tracefile_write(void *user_data, const void *data, size_t size)
{
    struct tracefile *file = user_data;
    const char *from = data;
    if (!file->path) {
        output_bytes(file->out, data, size);
        return file->out->error == 0 ? 0 : -1;
    }
    while (size > 0 && file->error == 0) {
        ssize_t wrote = write(file->fd, from, size);
        if (wrote < 0 && errno != EINTR)
            file->error = errno;
        from += wrote > 0 ? wrote : 0;
        size -= wrote > 0 ? (size_t) wrote : 0;
    }
    return file->error == 0 ? 0 : -1;
}

bool tracefile_close(struct tracefile *file, bool keeps)
{
    if (!file->path)
        return file->out->error == 0;
    if (close(file->fd) != 0 && file->error == 0)
        file->error = errno;
    if (keeps && file->error == 0 && rename(file->temporary, file->path) != 0)
        file->error = errno;
    if (!keeps || file->error != 0)
        unlink(file->temporary);
    free(file->temporary);
    return file->error == 0 || tracefile_fail(file, strerror(file->error));
}
