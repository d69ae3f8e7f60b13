/* SPDX-License-Identifier: BSD-3-Clause */
#include "series.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "descriptor.h"
#include "remote.h"
#include "terminal.h"
#include "thread.h"

enum {
    SERIES_COPY_SIZE = 64 * 1024,
    SERIES_NAME_ROOM = 32,
    SERIES_SECOND = 1000000000
};

/* Reports a failure, unless the one before failed, too, or the viewer ends. */
static void series_report(struct series *series, const char *why)
{
    pthread_mutex_lock(&series->lock);
    bool is_stopping = series->is_stopping;
    pthread_mutex_unlock(&series->lock);
    if (!series->has_failed && !is_stopping)
        terminal_report("%s: %s", series->url, why);
    series->has_failed = true;
}

/* Waits until a time of the monotonic clock. Returns false if the series ends. */
static bool series_wait(struct series *series, const struct timespec *until)
{
    int code = 0;
    pthread_mutex_lock(&series->lock);
    while (!series->is_stopping && code == 0)
        code = pthread_cond_timedwait(&series->changed, &series->lock, until);
    bool goes_on = !series->is_stopping;
    if (goes_on)
        http_client_init(&series->client);
    pthread_mutex_unlock(&series->lock);
    return goes_on;
}

/* Copies the answer to a file. Returns false if that fails. */
static bool series_copy(struct series *series, FILE *file)
{
    char buffer[SERIES_COPY_SIZE];
    size_t got;
    while ((got = http_client_read(&series->client, buffer, sizeof(buffer))) > 0) {
        if (fwrite(buffer, 1, got, file) != got)
            return false;
    }
    return fflush(file) == 0;
}

/* Takes a trace. Returns an unnamed file, or NULL after it has reported a failure. */
static FILE *series_take(struct series *series)
{
    bool is_good = false;
    FILE *file = tmpfile();
    if (!file) {
        series_report(series, "cannot make a temporary file");
        return NULL;
    }
    /* A browser that is started must not keep the file. */
    fcntl(fileno(file), F_SETFD, FD_CLOEXEC);
    if (!remote_open(&series->client, series->url, false, 0))
        series_report(series, series->client.error);
    else if (!series_copy(series, file))
        series_report(series, "cannot copy it to a temporary file");
    else if (series->client.is_cut)
        series_report(series, series->client.error);
    else
        is_good = true;
    /* The lock keeps series_stop from using a descriptor that is closed meanwhile. */
    pthread_mutex_lock(&series->lock);
    http_client_close(&series->client);
    pthread_mutex_unlock(&series->lock);
    if (is_good && descriptor_has_trace(fileno(file)))
        return file;
    if (is_good)
        series_report(series, "the answer is not a trace, or is compressed");
    fclose(file);
    return NULL;
}

/* Closes the oldest tab of the series. */
static void series_drop(struct series *series)
{
    const char *why;
    tabs_close(series->tabs, series->ids[0], &why);
    series->count--;
    memmove(series->ids, series->ids + 1, series->count * sizeof(series->ids[0]));
}

/* Adds a tab of the file, after it has closed the oldest one if there would be too many. */
static void series_add(struct series *series, FILE *file)
{
    char name[SERIES_NAME_ROOM];
    struct tm date;
    time_t now = time(NULL);
    if (!localtime_r(&now, &date) || strftime(name, sizeof(name), "%H:%M:%S", &date) == 0)
        snprintf(name, sizeof(name), "trace");
    if (series->count == SERIES_KEPT)
        series_drop(series);
    uint32_t id = tabs_add_file(series->tabs, name, file);
    if (id == 0) {
        series_report(series, "too many traces are open; close one");
        fclose(file);
        return;
    }
    series->has_failed = false;
    series->ids[series->count++] = id;
}

/* Sets the time of the next trace. Those that are overdue are left out. */
static void series_advance(const struct series *series, struct timespec *next)
{
    struct timespec now;
    next->tv_sec += (time_t) (series->every / SERIES_SECOND);
    next->tv_nsec += (long) (series->every % SERIES_SECOND);
    if (next->tv_nsec >= SERIES_SECOND) {
        next->tv_sec++;
        next->tv_nsec -= SERIES_SECOND;
    }
    clock_gettime(CLOCK_MONOTONIC, &now);
    if (next->tv_sec < now.tv_sec || (next->tv_sec == now.tv_sec && next->tv_nsec < now.tv_nsec))
        *next = now;
}

static void *series_run(void *user_data)
{
    struct series *series = user_data;
    struct timespec next;
    clock_gettime(CLOCK_MONOTONIC, &next);
    for (;;) {
        series_advance(series, &next);
        if (!series_wait(series, &next))
            return NULL;
        FILE *file = series_take(series);
        if (file)
            series_add(series, file);
    }
}

bool series_start(struct series *series, struct tabs *tabs, const char *url, int64_t every)
{
    pthread_condattr_t attributes;
    *series = (struct series){.tabs = tabs, .url = url, .every = every, .ids = {1}, .count = 1};
    http_client_init(&series->client);
    pthread_mutex_init(&series->lock, NULL);
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&series->changed, &attributes);
    pthread_condattr_destroy(&attributes);
    series->is_running = thread_start(&series->thread, series_run, series);
    if (series->is_running)
        return true;
    pthread_cond_destroy(&series->changed);
    pthread_mutex_destroy(&series->lock);
    return false;
}

void series_stop(struct series *series)
{
    if (!series->is_running)
        return;
    pthread_mutex_lock(&series->lock);
    series->is_stopping = true;
    http_client_abandon(&series->client);
    pthread_cond_signal(&series->changed);
    pthread_mutex_unlock(&series->lock);
    pthread_join(series->thread, NULL);
    pthread_cond_destroy(&series->changed);
    pthread_mutex_destroy(&series->lock);
    series->is_running = false;
}
