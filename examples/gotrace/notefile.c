/* SPDX-License-Identifier: BSD-3-Clause */
#include "notefile.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "descriptor.h"

enum {
    /* How many names of temporary files are tried. */
    NOTEFILE_TRIES = 100,
    /* Room for what follows the path in such a name. */
    NOTEFILE_SUFFIX_ROOM = 16,
    NOTEFILE_MODE = 0666
};

static const char notefile_ending[] = ".notes.json";

/* Fills `*error`. Returns its status. */
static gt_status notefile_fail(const struct notefile *file, gt_error *error, const char *what,
                               const char *why)
{
    error->status = GT_ERR_IO;
    snprintf(error->message, sizeof(error->message), "%s: %s%s%s", file->name, what,
             why[0] != '\0' ? ": " : "", why);
    return GT_ERR_IO;
}

/* Returns the directory of a path, without the final '/', which the caller frees; NULL if memory
 * runs out. */
static char *notefile_directory(const char *path)
{
    const char *slash = strrchr(path, '/');
    if (!slash)
        return strdup(".");
    return slash == path ? strdup("/") : strndup(path, (size_t) (slash - path));
}

void notefile_place(struct notefile *file, const char *trace)
{
    struct stat about;
    size_t room = strlen(trace) + sizeof(notefile_ending);
    if (strcmp(trace, "-") == 0 || stat(trace, &about) != 0 || !S_ISREG(about.st_mode))
        return;
    file->path = malloc(room);
    if (!file->path)
        return;
    snprintf(file->path, room, "%s%s", trace, notefile_ending);
    const char *slash = strrchr(file->path, '/');
    file->name = slash ? slash + 1 : file->path;
    char *directory = notefile_directory(trace);
    file->can_store = directory && access(directory, W_OK) == 0;
    free(directory);
}

void notefile_free(struct notefile *file)
{
    free(file->path);
    file->path = NULL;
}

/* Reads an open file, which has at most `capacity` bytes. */
static gt_status notefile_read(const struct notefile *file, int fd, void *buffer, size_t capacity,
                               size_t *size, gt_error *error)
{
    struct stat about;
    char more;
    if (fstat(fd, &about) != 0 || !S_ISREG(about.st_mode))
        return notefile_fail(file, error, "it is not a file", "");
    for (;;) {
        bool is_full = *size == capacity;
        int64_t got = descriptor_read(fd, is_full ? &more : (char *) buffer + *size,
                                      is_full ? 1 : capacity - *size);
        if (got < 0)
            return notefile_fail(file, error, "cannot read it", strerror(errno));
        if (got == 0)
            return GT_OK;
        if (is_full)
            return notefile_fail(file, error, "it has more than 1 MiB", "");
        *size += (size_t) got;
    }
}

gt_status notefile_load(const struct notefile *file, void *buffer, size_t capacity, size_t *size,
                        gt_error *error)
{
    /* A link may lead anywhere, and opening a pipe would wait for its other end. */
    int fd = open(file->path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0 && errno == ENOENT)
        return GT_OK;
    if (fd < 0)
        return notefile_fail(file, error,
                             errno == ELOOP ? "it is a symbolic link" : "cannot open it",
                             errno == ELOOP ? "" : strerror(errno));
    gt_status status = notefile_read(file, fd, buffer, capacity, size, error);
    close(fd);
    return status;
}

/*
 * Creates a file of a new name in the same directory, and writes the name to `name`. Returns the
 * descriptor, or -1.
 */
static int notefile_create(const struct notefile *file, char *name, size_t room)
{
    int fd = -1;
    for (int i = 0; i < NOTEFILE_TRIES && (fd < 0 && (i == 0 || errno == EEXIST)); i++) {
        snprintf(name, room, "%s.new%d", file->path, i);
        fd = open(name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, NOTEFILE_MODE);
    }
    return fd;
}

/* Writes everything, and waits until it is on the disk. Closes the descriptor. */
static bool notefile_write(int fd, const char *data, size_t size)
{
    bool is_good = true;
    while (is_good && size > 0) {
        ssize_t wrote = write(fd, data, size);
        is_good = wrote > 0 || (wrote < 0 && errno == EINTR);
        data += wrote > 0 ? wrote : 0;
        size -= wrote > 0 ? (size_t) wrote : 0;
    }
    is_good = is_good && fsync(fd) == 0;
    int code = errno;
    is_good = close(fd) == 0 && is_good;
    errno = code;
    return is_good;
}

/* The new file has the permissions of the one that it replaces. */
static void notefile_keep_mode(const struct notefile *file, int fd)
{
    struct stat about;
    if (lstat(file->path, &about) == 0 && S_ISREG(about.st_mode))
        (void) !fchmod(fd, about.st_mode & NOTEFILE_MODE);
}

gt_status notefile_store(const struct notefile *file, const void *data, size_t size,
                         gt_error *error)
{
    size_t room = strlen(file->path) + NOTEFILE_SUFFIX_ROOM;
    char *name = malloc(room);
    if (!name)
        return notefile_fail(file, error, "cannot write it", strerror(ENOMEM));
    int fd = notefile_create(file, name, room);
    bool is_made = fd >= 0;
    if (is_made)
        notefile_keep_mode(file, fd);
    bool is_good = is_made && notefile_write(fd, data, size) && rename(name, file->path) == 0;
    gt_status status =
        is_good ? GT_OK : notefile_fail(file, error, "cannot write it", strerror(errno));
    if (is_made && !is_good)
        unlink(name);
    free(name);
    return status;
}
