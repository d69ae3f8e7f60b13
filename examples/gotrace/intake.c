/* SPDX-License-Identifier: BSD-3-Clause */
#include "intake.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "descriptor.h"
#include "interrupt.h"
#include "remote.h"

enum {
    /* How many bytes are copied at a time. */
    INTAKE_COPY_SIZE = 64 * 1024
};

/* Copies a text that may be longer than the message of an error. */
static void intake_set_message(char message[GT_ERROR_MESSAGE_SIZE], const char *text)
{
    snprintf(message, GT_ERROR_MESSAGE_SIZE, "%.*s", GT_ERROR_MESSAGE_SIZE - 1, text);
}

/* Fills `*error`. Returns false. */
static bool intake_fail(gt_error *error, const char *what, int code)
{
    error->status = GT_ERR_IO;
    error->system_error = code;
    if (code == 0)
        intake_set_message(error->message, what);
    else
        snprintf(error->message, sizeof(error->message), "%s: %s", what, strerror(code));
    return false;
}

/* Reads from the source, and waits for bytes if there are none. */
static int64_t intake_receive_from(struct intake *intake, void *buffer, size_t capacity)
{
    if (intake->is_followed)
        return follow_read(&intake->follow, buffer, capacity);
    if (!intake->is_remote)
        return descriptor_read(intake->from, buffer, capacity);
    if (intake->settings && intake->settings->rules.before_wait)
        intake->settings->rules.before_wait(intake->settings->rules.user_data);
    return (int64_t) http_client_read(&intake->client, buffer, capacity);
}

/* Called when the source has ended. */
static void intake_note_end(struct intake *intake)
{
    if (intake->is_remote || intake->is_followed)
        interrupt_unguard();
    if (intake->is_remote && intake->client.is_cut)
        intake_set_message(intake->cut, intake->client.error);
    if (intake->is_followed && intake->follow.fault)
        intake_set_message(intake->cut, intake->follow.fault);
}

/* Does what intake_receive_from does, and keeps a copy if the user wants that. */
static int64_t intake_receive(struct intake *intake, void *buffer, size_t capacity)
{
    int64_t got = intake_receive_from(intake, buffer, capacity);
    if (got <= 0)
        intake_note_end(intake);
    else if (intake->is_kept)
        tracefile_write(&intake->kept, buffer, (size_t) got);
    return got;
}

/* Reads the first bytes of a source that can be read only once. */
static void intake_read_start(struct intake *intake)
{
    int64_t got = 1;
    while (intake->start_size < UNPACKER_MAGIC && got > 0) {
        got = intake_receive(intake, intake->start + intake->start_size,
                             UNPACKER_MAGIC - intake->start_size);
        if (got > 0)
            intake->start_size += (size_t) got;
    }
}

/* Returns whether the source is a regular file that is complete, so that any part of it can be
 * read at any time. */
static bool intake_is_file(const struct intake *intake)
{
    struct stat about;
    return !intake->is_remote && !intake->is_followed && fstat(intake->from, &about) == 0 &&
           S_ISREG(about.st_mode);
}

/*
 * Replaces a source from which only intake_receive can read by a temporary file with all of its
 * bytes, for a program that reads a descriptor.
 */
static bool intake_spool(struct intake *intake, gt_error *error)
{
    FILE *file = intake_save(intake, UINT64_MAX, error);
    int fd = file ? dup(fileno(file)) : -1;
    if (file)
        fclose(file);
    if (fd < 0)
        return file ? intake_fail(error, "cannot make a temporary file", errno) : false;
    fcntl(fd, F_SETFD, FD_CLOEXEC);
    lseek(fd, 0, SEEK_SET);
    intake->from = fd;
    intake->is_owned = true;
    return true;
}

/* Reads the first bytes of the source to `start`, for UNPACKER_MAGIC bytes. Returns their number.
 */
static size_t intake_look(struct intake *intake, bool is_file, char *start)
{
    if (is_file) {
        ssize_t got = pread(intake->from, start, UNPACKER_MAGIC, lseek(intake->from, 0, SEEK_CUR));
        return got > 0 ? (size_t) got : 0;
    }
    intake_read_start(intake);
    memcpy(start, intake->start, intake->start_size);
    return intake->start_size;
}

/* Examines the first bytes, and starts to decompress if they are those of gzip or zstd. */
static bool intake_begin(struct intake *intake, gt_error *error)
{
    char start[UNPACKER_MAGIC];
    bool is_file = intake_is_file(intake);
    const char *program = unpacker_recognise(start, intake_look(intake, is_file, start));
    intake->is_plain_file = is_file && intake->is_owned && !program;
    if (!program)
        return true;
    if (intake->settings && intake->settings->follows)
        return intake_fail(error, "a compressed trace cannot be followed", 0);
    if (intake->is_remote || intake->is_kept) {
        if (!intake_spool(intake, error))
            return false;
        is_file = true;
    }
    return unpacker_start(&intake->unpacker, program, intake->from, !is_file, intake->start,
                          intake->start_size) ||
           intake_fail(error, intake->unpacker.error, 0);
}

/* An interrupt_fn. */
static void intake_interrupt(void *user_data)
{
    intake_stop(user_data);
}

/* Opens a URL. */
static bool intake_open_remote(struct intake *intake, const char *name, gt_error *error)
{
    const struct intake_settings *settings = intake->settings;
    intake->is_remote = true;
    intake->from = -1;
    http_client_init(&intake->client);
    interrupt_guard(intake_interrupt, intake);
    return remote_open(&intake->client, name, settings && settings->follows,
                       settings ? settings->rules.idle : 0) ||
           intake_fail(error, intake->client.error, 0);
}

/* Opens a file or standard input. */
static bool intake_open_local(struct intake *intake, const char *name, gt_error *error)
{
    const struct intake_settings *settings = intake->settings;
    if (strcmp(name, "-") != 0) {
        intake->is_owned = true;
        intake->from = open(name, O_RDONLY);
    }
    if (intake->from < 0)
        return intake_fail(error, "cannot open the file", errno);
    if (intake->is_owned)
        fcntl(intake->from, F_SETFD, FD_CLOEXEC);
    if (!settings || !settings->follows)
        return true;
    intake->is_followed = true;
    follow_begin(&intake->follow, &settings->rules, intake->from, intake->is_owned ? name : NULL);
    interrupt_guard(intake_interrupt, intake);
    return true;
}

/* Creates the file that keeps the bytes of the source. */
static bool intake_open_kept(struct intake *intake, const char *name, gt_error *error)
{
    const char *keep = intake->settings ? intake->settings->keep : NULL;
    if (!keep)
        return true;
    if (intake_is_file(intake) || (intake->is_followed && intake->follow.path))
        return intake_fail(error, "it is a file already, and needs no --save", 0);
    intake->is_kept = tracefile_open(&intake->kept, keep, name, NULL);
    return intake->is_kept || intake_fail(error, "it cannot be kept there", 0);
}

bool intake_open(struct intake *intake, const char *name, const struct intake_settings *settings,
                 gt_error *error)
{
    *intake = (struct intake){.from = STDIN_FILENO, .settings = settings};
    bool is_good = remote_is(name) ? intake_open_remote(intake, name, error)
                                   : intake_open_local(intake, name, error);
    if (is_good && intake_open_kept(intake, name, error) && intake_begin(intake, error))
        return true;
    intake_close(intake);
    return false;
}

bool intake_open_fd(struct intake *intake, int fd, gt_error *error)
{
    *intake = (struct intake){.from = fd};
    if (intake_begin(intake, error))
        return true;
    intake_close(intake);
    return false;
}

/*
 * Reads what is decompressed. Where that fails, what came before is all that there is: the data was
 * cut off, as by a program that has ended without closing its writer.
 */
static int64_t intake_unpack(struct intake *intake, void *buffer, size_t capacity)
{
    static const char remark[] = "; what came before is read";
    int64_t got = unpacker_read(&intake->unpacker, intake->from, buffer, capacity);
    if (got > 0)
        intake->has_unpacked = true;
    if (got >= 0 || !intake->has_unpacked)
        return got;
    snprintf(intake->cut, sizeof(intake->cut), "%.*s%s",
             (int) (sizeof(intake->cut) - sizeof(remark)), intake->unpacker.error, remark);
    return 0;
}

int64_t intake_read(void *user_data, void *buffer, size_t capacity)
{
    struct intake *intake = user_data;
    if (intake->unpacker.program)
        return intake_unpack(intake, buffer, capacity);
    if (intake->start_size == 0)
        return intake_receive(intake, buffer, capacity);
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

void intake_note_cut(const struct intake *intake, gt_error *error)
{
    bool is_short = error->status == GT_ERR_TRUNCATED || error->status == GT_ERR_NOT_A_TRACE;
    if (intake->cut[0] == '\0' || (error->status != GT_OK && !is_short))
        return;
    error->status = GT_ERR_TRUNCATED;
    intake_set_message(error->message, intake->cut);
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

void intake_stop(struct intake *intake)
{
    if (intake->is_remote)
        http_client_stop(&intake->client);
    if (intake->is_followed)
        follow_stop(&intake->follow);
}

void intake_abandon(struct intake *intake)
{
    if (intake->is_remote)
        http_client_abandon(&intake->client);
    if (intake->is_followed)
        follow_stop(&intake->follow);
}

/* Gives the file that keeps the bytes its name, also if they are not all. */
static void intake_close_kept(struct intake *intake)
{
    if (intake->is_kept && !tracefile_close(&intake->kept, true))
        intake->is_lost = true;
    intake->is_kept = false;
}

void intake_close(struct intake *intake)
{
    unpacker_stop(&intake->unpacker);
    if (intake->is_remote || intake->is_followed)
        interrupt_unguard();
    if (intake->is_remote)
        http_client_close(&intake->client);
    if (intake->is_owned)
        descriptor_close(&intake->from);
    intake->is_owned = intake->is_remote = intake->is_followed = false;
    intake_close_kept(intake);
}
