/* SPDX-License-Identifier: BSD-3-Clause */
#include "intake.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "descriptor.h"

enum {
    /* How many bytes are copied at a time. */
    INTAKE_COPY_SIZE = 64 * 1024
};

/* Fills `*error`. Returns false. */
static bool intake_fail(gt_error *error, const char *what, int code)
{
    error->status = GT_ERR_IO;
    error->system_error = code;
    snprintf(error->message, sizeof(error->message), "%s%s%s", what, code != 0 ? ": " : "",
             code != 0 ? strerror(code) : "");
    return false;
}

/* Reads the first bytes of a source that can be read only once. */
static void intake_read_start(struct intake *intake)
{
    int64_t got = 1;
    while (intake->start_size < UNPACKER_MAGIC && got > 0) {
        got = descriptor_read(intake->from, intake->start + intake->start_size,
                              UNPACKER_MAGIC - intake->start_size);
        if (got > 0)
            intake->start_size += (size_t) got;
    }
}

/* Examines the first bytes, and starts to decompress if they are those of gzip or zstd. */
static bool intake_begin(struct intake *intake, gt_error *error)
{
    struct stat about;
    char start[UNPACKER_MAGIC];
    bool is_file = fstat(intake->from, &about) == 0 && S_ISREG(about.st_mode);
    size_t size = 0;
    if (is_file) {
        ssize_t got = pread(intake->from, start, sizeof(start), lseek(intake->from, 0, SEEK_CUR));
        size = got > 0 ? (size_t) got : 0;
    } else {
        intake_read_start(intake);
        size = intake->start_size;
        memcpy(start, intake->start, size);
    }
    intake->is_open = true;
    const char *program = unpacker_recognise(start, size);
    intake->is_plain_file = is_file && intake->is_owned && !program;
    if (!program || unpacker_start(&intake->unpacker, program, intake->from, !is_file,
                                   intake->start, intake->start_size))
        return true;
    intake_fail(error, intake->unpacker.error, 0);
    intake_close(intake);
    return false;
}

bool intake_open(struct intake *intake, const char *name, gt_error *error)
{
    *intake = (struct intake){.from = STDIN_FILENO};
    if (strcmp(name, "-") != 0) {
        intake->is_owned = true;
        intake->from = open(name, O_RDONLY);
    }
    if (intake->from < 0)
        return intake_fail(error, "cannot open the file", errno);
    if (intake->is_owned)
        fcntl(intake->from, F_SETFD, FD_CLOEXEC);
    return intake_begin(intake, error);
}

bool intake_open_fd(struct intake *intake, int fd, gt_error *error)
{
    *intake = (struct intake){.from = fd};
    return intake_begin(intake, error);
}

int64_t intake_read(void *user_data, void *buffer, size_t capacity)
{
    struct intake *intake = user_data;
    if (intake->unpacker.program)
        return unpacker_read(&intake->unpacker, intake->from, buffer, capacity);
    if (intake->start_size == 0)
        return descriptor_read(intake->from, buffer, capacity);
    size_t size = intake->start_size < capacity ? intake->start_size : capacity;
    memcpy(buffer, intake->start, size);
    intake->start_size -= size;
    memmove(intake->start, intake->start + size, intake->start_size);
    return (int64_t) size;
}

void intake_explain(const struct intake *intake, gt_error *error)
{
    if (error->status == GT_ERR_IO && intake->unpacker.error[0] != '\0')
        memcpy(error->message, intake->unpacker.error, sizeof(error->message));
}

/* Copies to a file. Returns false on failure, with the error filled. */
static bool intake_copy(struct intake *intake, FILE *to, uint64_t most, gt_error *error)
{
    char buffer[INTAKE_COPY_SIZE];
    uint64_t total = 0;
    int64_t size;
    while ((size = intake_read(intake, buffer, sizeof(buffer))) > 0) {
        total += (uint64_t) size;
        if (intake->is_gone && intake->is_gone(intake->gone_data))
            return intake_fail(error, "nobody needs the trace any more", 0);
        if (total > most) {
            intake_fail(error, "the decompressed trace is larger than the limit", 0);
            error->status = GT_ERR_LIMIT;
            return false;
        }
        if (fwrite(buffer, 1, (size_t) size, to) != (size_t) size)
            return intake_fail(error, "cannot copy it to a temporary file", errno);
    }
    if (size == 0 && fflush(to) == 0)
        return true;
    intake_fail(error, "cannot copy it to a temporary file", size < 0 ? (int) -(size + 1) : errno);
    intake_explain(intake, error);
    return false;
}

FILE *intake_save(struct intake *intake, uint64_t most, gt_error *error)
{
    FILE *file = tmpfile();
    if (!file) {
        intake_fail(error, "cannot make a temporary file", errno);
        return NULL;
    }
    if (intake_copy(intake, file, most, error))
        return file;
    fclose(file);
    return NULL;
}

void intake_close(struct intake *intake)
{
    unpacker_stop(&intake->unpacker);
    if (intake->is_open && intake->is_owned)
        close(intake->from);
    intake->is_open = false;
}
