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
#include "replacement.h"

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

gt_status notefile_store(const struct notefile *file, const void *data, size_t size,
                         gt_error *error)
{
    struct replacement replacement;
    bool is_good = replacement_open(&replacement, file->path);
    if (is_good) {
        replacement_write(&replacement, data, size);
        replacement_sync(&replacement);
        is_good = replacement_close(&replacement, true);
    }
    return is_good ? GT_OK : notefile_fail(file, error, "cannot write it", strerror(errno));
}
