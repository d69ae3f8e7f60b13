/* SPDX-License-Identifier: BSD-3-Clause */

/* For madvise: what POSIX has instead may do nothing, and does with glibc. */
#define _DEFAULT_SOURCE

#include "source.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "../problem.h"
#include "symbolcache.h"

enum {
    /* What is copied at a time. */
    COPY_SIZE = 64 * 1024
};

/* Returns false. */
static bool fail(gt_error *error, const char *what)
{
    error->status = GT_ERR_IO;
    error->system_error = errno;
    snprintf(error->message, sizeof(error->message), "%s", what);
    return false;
}

static bool write_all(int fd, const char *data, size_t size)
{
    while (size > 0) {
        ssize_t written = write(fd, data, size);
        if (written < 0 && errno != EINTR)
            return false;
        if (written > 0) {
            data += written;
            size -= (size_t) written;
        }
    }
    return true;
}

/* Copies all that can still be read from `from`. */
static bool copy_all(int to, int from)
{
    char buffer[COPY_SIZE];
    ssize_t size;
    while ((size = read(from, buffer, sizeof(buffer))) != 0) {
        if (size < 0 && errno != EINTR)
            return false;
        if (size > 0 && !write_all(to, buffer, (size_t) size))
            return false;
    }
    return true;
}

/* Puts a copy, in a file without a name, in place of what can be read only once. */
static bool copy(struct view_source *source)
{
    FILE *file = tmpfile();
    int fd = file != NULL ? dup(fileno(file)) : -1;
    bool is_good = fd >= 0 && copy_all(fd, source->fd);
    int why = errno;
    if (file != NULL)
        fclose(file);
    close(source->fd);
    source->fd = fd;
    errno = why;
    return is_good;
}

static bool open_file(struct view_source *source, gt_error *error)
{
    bool is_standard = strcmp(source->name, "-") == 0;
    source->fd = is_standard ? dup(STDIN_FILENO) : open(source->name, O_RDONLY);
    if (source->fd < 0)
        return fail(error, "cannot open the file");
    if (fcntl(source->fd, F_SETFD, FD_CLOEXEC) != 0 || fstat(source->fd, &source->about) != 0)
        return fail(error, "cannot read the file");
    /* Standard input may be a file of which some was read already. */
    if (S_ISREG(source->about.st_mode) && !is_standard)
        return true;
    if (!copy(source))
        return fail(error, "cannot copy it to a temporary file");
    if (fcntl(source->fd, F_SETFD, FD_CLOEXEC) != 0 || fstat(source->fd, &source->about) != 0)
        return fail(error, "cannot read the temporary file");
    return true;
}

static bool map(struct view_source *source, gt_error *error)
{
    if ((uintmax_t) source->about.st_size > SIZE_MAX) {
        errno = EFBIG;
        return fail(error, "cannot map the file");
    }
    size_t size = (size_t) source->about.st_size;
    /* There is no mapping of nothing. */
    void *data = size != 0 ? mmap(NULL, size, PROT_READ, MAP_PRIVATE, source->fd, 0) : NULL;
    if (data == MAP_FAILED)
        return fail(error, "cannot map the file");
    source->data = data;
    source->size = size;
    return true;
}

/* Whether there is a program that can be read, if one is named. */
static bool check_program(struct view_source *source, gt_error *error)
{
    if (source->program == NULL)
        return true;
    int fd = open(source->program, O_RDONLY);
    if (fd < 0)
        return fail(error, "cannot open the program that was traced");
    close(fd);
    source->symbols = view_symbols_new(source->program);
    return source->symbols != NULL || fail(error, "no memory for names");
}

bool view_source_prepare(struct view_source *source, gt_error *error)
{
    gt_reader *reader = NULL;
    source->fd = -1;
    bool is_good = check_program(source, error) && open_file(source, error) && map(source, error) &&
                   view_source_open(source, &reader, error) == GT_OK;
    gt_reader_close(&reader);
    if (!is_good)
        view_source_close(source);
    return is_good;
}

void view_source_forget(const struct view_source *source, uint64_t bytes)
{
    uint64_t page = (uint64_t) sysconf(_SC_PAGESIZE);
    if (bytes >= page)
        madvise((void *) (uintptr_t) source->data, (size_t) (bytes - bytes % page), MADV_DONTNEED);
}

void view_source_close(struct view_source *source)
{
    view_symbols_free(source->symbols);
    source->symbols = NULL;
    if (source->data != NULL)
        munmap((void *) (uintptr_t) source->data, source->size);
    source->data = NULL;
    if (source->fd >= 0)
        close(source->fd);
    source->fd = -1;
}

/* To read what another program has cut off a mapped file would end us. */
static bool is_unchanged(const struct view_source *source)
{
    struct stat now;
    return fstat(source->fd, &now) == 0 && now.st_size == source->about.st_size &&
           now.st_mtim.tv_sec == source->about.st_mtim.tv_sec &&
           now.st_mtim.tv_nsec == source->about.st_mtim.tv_nsec;
}

gt_status view_source_open_told(const struct view_source *source, gt_repair_fn on_repair,
                                void *repair_data, gt_reader **reader, gt_error *error)
{
    gt_reader_options options = GT_READER_OPTIONS_INIT;
    options.flags = (source->lenient ? GT_READER_LENIENT : 0) |
                    (source->as_recorded ? GT_READER_AS_RECORDED : 0) |
                    (source->reads_ahead ? GT_READER_AHEAD : 0);
    if (source->lenient && on_repair != NULL) {
        options.on_repair = on_repair;
        options.repair_data = repair_data;
    }
    if (source->symbols != NULL) {
        options.symbolize = view_symbols_find;
        options.symbolize_data = source->symbols;
    }
    if (is_unchanged(source))
        return gt_reader_open_memory(reader, source->data, source->size, &options, error);
    *reader = NULL;
    errno = 0;
    fail(error, "the file has changed since it was opened");
    return GT_ERR_IO;
}

gt_status view_source_open(const struct view_source *source, gt_reader **reader, gt_error *error)
{
    return view_source_open_told(source, NULL, NULL, reader, error);
}

void view_source_error(const struct view_source *source, const gt_reader *reader, gt_status status,
                       gt_error *error)
{
    *error = (gt_error) GT_ERROR_INIT;
    gt_reader_error(reader, error);
    problem_add_system_error(error);
    if (error->status == GT_ERR_SYMBOLS && source->symbols != NULL)
        view_symbols_error(source->symbols, error->message);
    /* Calls other than gt_reader_next_event leave no error there. */
    if (error->status == GT_OK && status < 0)
        problem_set_status(error, status);
}
