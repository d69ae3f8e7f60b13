/* SPDX-License-Identifier: BSD-3-Clause */
#include "recording.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "problem.h"
#include "thread.h"

enum {
    RECORDING_COPY_SIZE = 64 * 1024
};

struct recording_cursor {
    struct recording *recording;
    /* How much of the header has to be read before `offset`. */
    size_t head_left;
    uint64_t offset;
    struct recording_cursor *next;
};

/* Appends bytes, and keeps the header. Returns false, with errno, on failure. */
static bool recording_append(struct recording *recording, const char *data, size_t size)
{
    uint64_t end = atomic_load(&recording->spool.size);
    if (end < TRACE_HEAD) {
        size_t left = TRACE_HEAD - (size_t) end;
        memcpy(recording->head + end, data, size < left ? size : left);
    }
    return spool_append(&recording->spool, data, size);
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

static bool recording_fail(gt_error *error, const char *what)
{
    error->status = GT_ERR_IO;
    error->system_error = errno;
    snprintf(error->message, sizeof(error->message), "%s: %s", what, strerror(errno));
    return false;
}

/* Opens the source and the file, and starts the thread. */
static bool recording_begin(struct recording *recording, const struct intake_settings *settings,
                            bool may_drop, gt_error *error)
{
    if (!intake_open(&recording->intake, recording->name, settings, error))
        return false;
    if (recording->intake.unpacker.program) {
        error->status = GT_ERR_IO;
        snprintf(error->message, sizeof(error->message), "a compressed trace cannot be followed");
        return false;
    }
    if (!spool_open(&recording->spool, may_drop))
        return recording_fail(error, "cannot make a temporary file");
    return thread_start(&recording->thread, recording_run, recording) ||
           recording_fail(error, "cannot start a thread");
}

/* Frees a recording whose thread has ended or was never started. */
static void recording_destroy(struct recording *recording)
{
    intake_close(&recording->intake);
    spool_close(&recording->spool);
    free(recording);
}

struct recording *recording_start(const char *name, const struct intake_settings *settings,
                                  bool may_drop, gt_error *error)
{
    struct recording *recording = calloc(1, sizeof(*recording));
    if (!recording) {
        problem_set_status(error, GT_ERR_NO_MEMORY);
        return NULL;
    }
    recording->name = name;
    atomic_init(&recording->is_over, false);
    atomic_init(&recording->is_closing, false);
    if (recording_begin(recording, settings, may_drop, error))
        return recording;
    recording_destroy(recording);
    return NULL;
}

/* A gt_read_fn. */
static int64_t recording_read(void *user_data, void *buffer, size_t capacity)
{
    struct recording_cursor *cursor = user_data;
    struct recording *recording = cursor->recording;
    if (cursor->head_left > 0) {
        size_t size = cursor->head_left < capacity ? cursor->head_left : capacity;
        memcpy(buffer, recording->head + TRACE_HEAD - cursor->head_left, size);
        cursor->head_left -= size;
        return (int64_t) size;
    }
    /* In this order, because the last bytes come before the end. */
    bool is_over = atomic_load(&recording->is_over);
    int64_t got = spool_read(&recording->spool, cursor->offset, buffer, capacity);
    if (got == 0)
        return is_over ? 0 : GT_READ_AGAIN;
    cursor->offset += got > 0 ? (uint64_t) got : 0;
    return got;
}

void recording_part_init(struct recording_part *part, struct recording *recording, uint64_t begin)
{
    *part = (struct recording_part){.recording = recording, .begin = begin};
    pthread_mutex_init(&part->lock, NULL);
}

gt_status recording_part_open(void *user_data, const gt_reader_options *options, gt_reader **reader,
                              gt_error *error)
{
    struct recording_part *part = user_data;
    struct recording_cursor *cursor = calloc(1, sizeof(*cursor));
    if (!cursor)
        return GT_ERR_NO_MEMORY;
    cursor->recording = part->recording;
    cursor->head_left = part->begin > 0 ? TRACE_HEAD : 0;
    cursor->offset = part->begin;
    pthread_mutex_lock(&part->lock);
    cursor->next = part->cursors;
    part->cursors = cursor;
    pthread_mutex_unlock(&part->lock);
    return gt_reader_open_callback(reader, recording_read, cursor, options, error);
}

void recording_part_free(struct recording_part *part)
{
    while (part->cursors) {
        struct recording_cursor *cursor = part->cursors;
        part->cursors = cursor->next;
        free(cursor);
    }
    pthread_mutex_destroy(&part->lock);
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
