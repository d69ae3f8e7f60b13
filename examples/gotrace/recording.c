/* SPDX-License-Identifier: BSD-3-Clause */
#include "recording.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "problem.h"

enum {
    RECORDING_COPY_SIZE = 64 * 1024
};

struct recording_cursor {
    struct recording *recording;
    uint64_t offset;
    struct recording_cursor *next;
};

/* Appends bytes to the file, and then lets readers see them. Returns false on failure. */
static bool recording_append(struct recording *recording, const char *data, size_t size)
{
    uint64_t end = atomic_load(&recording->size);
    while (size > 0) {
        ssize_t wrote = pwrite(fileno(recording->file), data, size, (off_t) end);
        if (wrote < 0 && errno != EINTR)
            return false;
        data += wrote > 0 ? wrote : 0;
        size -= wrote > 0 ? (size_t) wrote : 0;
        end += wrote > 0 ? (uint64_t) wrote : 0;
        atomic_store(&recording->size, end);
    }
    return true;
}

/* Reports why the recording has ended, if that is a fault. */
static void recording_report(const struct recording *recording, int64_t got)
{
    gt_error error = GT_ERROR_INIT;
    intake_note_cut(&recording->intake, &error);
    if (got != 0) {
        error.status = GT_ERR_IO;
        error.system_error = got < 0 ? (int) -(got + 1) : errno;
        snprintf(error.message, sizeof(error.message), "%s: %s",
                 got < 0 ? "reading failed" : "cannot copy it to a temporary file",
                 strerror(error.system_error));
    }
    if (error.status != GT_OK && !atomic_load(&recording->is_closing))
        problem_report(recording->name, "", &error);
}

static void *recording_run(void *user_data)
{
    struct recording *recording = user_data;
    char buffer[RECORDING_COPY_SIZE];
    int64_t got;
    while ((got = intake_read(&recording->intake, buffer, sizeof(buffer))) > 0) {
        if (recording_append(recording, buffer, (size_t) got))
            continue;
        /* Otherwise the server would record until the viewer ends. */
        intake_abandon(&recording->intake);
        break;
    }
    recording_report(recording, got);
    atomic_store(&recording->is_over, true);
    return NULL;
}

/* Starts the thread, in which no signal is handled. */
static bool recording_start_thread(struct recording *recording)
{
    sigset_t all, old;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &old);
    int code = pthread_create(&recording->thread, NULL, recording_run, recording);
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    errno = code;
    return code == 0;
}

static bool recording_fail(gt_error *error, const char *what)
{
    error->status = GT_ERR_IO;
    error->system_error = errno;
    snprintf(error->message, sizeof(error->message), "%s: %s", what, strerror(errno));
    return false;
}

/* Opens the source and the file, and starts the thread. */
static bool recording_begin(struct recording *recording, const struct intake_settings *settings,
                            gt_error *error)
{
    if (!intake_open(&recording->intake, recording->name, settings, error))
        return false;
    if (recording->intake.unpacker.program) {
        error->status = GT_ERR_IO;
        snprintf(error->message, sizeof(error->message), "a compressed trace cannot be followed");
        return false;
    }
    recording->file = tmpfile();
    if (!recording->file)
        return recording_fail(error, "cannot make a temporary file");
    /* The browser that the command starts must not keep the file. */
    fcntl(fileno(recording->file), F_SETFD, FD_CLOEXEC);
    return recording_start_thread(recording) || recording_fail(error, "cannot start a thread");
}

/* Frees a recording whose thread has ended or was never started. */
static void recording_destroy(struct recording *recording)
{
    intake_close(&recording->intake);
    if (recording->file)
        fclose(recording->file);
    while (recording->cursors) {
        struct recording_cursor *cursor = recording->cursors;
        recording->cursors = cursor->next;
        free(cursor);
    }
    pthread_mutex_destroy(&recording->lock);
    free(recording);
}

struct recording *recording_start(const char *name, const struct intake_settings *settings,
                                  gt_error *error)
{
    struct recording *recording = calloc(1, sizeof(*recording));
    if (!recording) {
        problem_set_status(error, GT_ERR_NO_MEMORY);
        return NULL;
    }
    recording->name = name;
    atomic_init(&recording->size, 0);
    atomic_init(&recording->is_over, false);
    atomic_init(&recording->is_closing, false);
    pthread_mutex_init(&recording->lock, NULL);
    if (recording_begin(recording, settings, error))
        return recording;
    recording_destroy(recording);
    return NULL;
}

/* A gt_read_fn. */
static int64_t recording_read(void *user_data, void *buffer, size_t capacity)
{
    struct recording_cursor *cursor = user_data;
    struct recording *recording = cursor->recording;
    /* In this order, because the last bytes come before the end. */
    bool is_over = atomic_load(&recording->is_over);
    uint64_t left = atomic_load(&recording->size) - cursor->offset;
    if (left == 0)
        return is_over ? 0 : GT_READ_AGAIN;
    ssize_t got = pread(fileno(recording->file), buffer, left < capacity ? (size_t) left : capacity,
                        (off_t) cursor->offset);
    if (got < 0)
        return GT_READ_FAILED(errno);
    cursor->offset += (uint64_t) got;
    return got;
}

gt_status recording_open(void *user_data, const gt_reader_options *options, gt_reader **reader,
                         gt_error *error)
{
    struct recording *recording = user_data;
    struct recording_cursor *cursor = calloc(1, sizeof(*cursor));
    if (!cursor)
        return GT_ERR_NO_MEMORY;
    cursor->recording = recording;
    pthread_mutex_lock(&recording->lock);
    cursor->next = recording->cursors;
    recording->cursors = cursor;
    pthread_mutex_unlock(&recording->lock);
    return gt_reader_open_callback(reader, recording_read, cursor, options, error);
}

void recording_stop(struct recording *recording)
{
    intake_stop(&recording->intake);
}

void recording_free(struct recording *recording)
{
    if (!recording)
        return;
    atomic_store(&recording->is_closing, true);
    intake_abandon(&recording->intake);
    pthread_join(recording->thread, NULL);
    recording_destroy(recording);
}
