/* SPDX-License-Identifier: BSD-3-Clause */
#include "replacement.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "interrupt.h"
#include "temporary.h"

enum {
    /* How many temporary names are tried. */
    REPLACEMENT_TRIES = 100,
    /* Room for what follows the path in a temporary name, with its NUL. */
    REPLACEMENT_SUFFIX_ROOM = 16,
    REPLACEMENT_MODE = 0666
};

/* Tries several names, as others may write the same file at the same time. */
static bool replacement_try_names(struct replacement *file, size_t room)
{
    for (int i = 0; i < REPLACEMENT_TRIES && (file->fd < 0 && (i == 0 || errno == EEXIST)); i++) {
        snprintf(file->temporary, room, "%s.new%d", file->path, i);
        file->fd = open(file->temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
                        REPLACEMENT_MODE);
    }
    return file->fd >= 0;
}

/* Creates the file and adds it to those that a signal removes, with none handled in between. */
static bool replacement_create(struct replacement *file, size_t room)
{
    sigset_t all, old;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &old);
    temporary_hold();
    bool is_created = replacement_try_names(file, room);
    int code = errno;
    file->is_temporary = is_created && temporary_add(file->temporary);
    temporary_release();
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    errno = code;
    return is_created;
}

static void replacement_keep_mode(const struct replacement *file)
{
    struct stat about;
    if (lstat(file->path, &about) == 0 && S_ISREG(about.st_mode))
        (void) !fchmod(file->fd, about.st_mode & REPLACEMENT_MODE);
}

bool replacement_open(struct replacement *file, const char *path)
{
    size_t room = strlen(path) + REPLACEMENT_SUFFIX_ROOM;
    *file = (struct replacement){.path = path, .temporary = malloc(room), .fd = -1};
    if (!file->temporary)
        return false;
    interrupt_protect();
    if (replacement_create(file, room)) {
        replacement_keep_mode(file);
        return true;
    }
    int code = errno;
    free(file->temporary);
    errno = code;
    return false;
}

bool replacement_write(struct replacement *file, const void *data, size_t size)
{
    const char *from = data;
    while (size > 0 && file->error == 0) {
        ssize_t wrote = write(file->fd, from, size);
        if (wrote < 0 && errno != EINTR)
            file->error = errno;
        from += wrote > 0 ? wrote : 0;
        size -= wrote > 0 ? (size_t) wrote : 0;
    }
    return file->error == 0;
}

void replacement_restart(struct replacement *file)
{
    if (file->error == 0 && (ftruncate(file->fd, 0) != 0 || lseek(file->fd, 0, SEEK_SET) != 0))
        file->error = errno;
}

void replacement_sync(struct replacement *file)
{
    if (file->error == 0 && fsync(file->fd) != 0)
        file->error = errno;
}

/* Gives the file its name or removes it, and forgets its temporary name, with no signal between. */
static void replacement_settle(struct replacement *file, bool keeps)
{
    sigset_t all, old;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &old);
    if (keeps && file->error == 0 && rename(file->temporary, file->path) != 0)
        file->error = errno;
    if (!keeps || file->error != 0)
        unlink(file->temporary);
    /* Otherwise a handler in another thread needs the name until the program ends. */
    if (!file->is_temporary || temporary_forget(file->temporary))
        free(file->temporary);
    file->temporary = NULL;
    pthread_sigmask(SIG_SETMASK, &old, NULL);
}

bool replacement_end(struct replacement *file)
{
    if (file->fd >= 0 && close(file->fd) != 0 && file->error == 0)
        file->error = errno;
    file->fd = -1;
    return file->error == 0;
}

bool replacement_close(struct replacement *file, bool keeps)
{
    replacement_end(file);
    replacement_settle(file, keeps);
    errno = file->error;
    return file->error == 0;
}
