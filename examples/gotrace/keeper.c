/* SPDX-License-Identifier: BSD-3-Clause */
#include "keeper.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <gotrace/reader.h>
#include <gotrace/web.h>
#include <gotrace/wire.h>

#include "generations.h"
#include "heap.h"
#include "problem.h"
#include "tab.h"
#include "terminal.h"
#include "thread.h"

enum {
    /* The time between two looks at the recording, in nanoseconds. */
    KEEPER_PERIOD = 100000000,
    KEEPER_SECOND = 1000000000,
    /*
     * How many looks at the recording the part that was shown before can still be asked for: three
     * seconds, by which time every page that is seen has asked what is shown now.
     */
    KEEPER_LASTING = 30,
    /* The first version that has generations, and the first one in which they end with a marker. */
    KEEPER_OLDEST = 22,
    KEEPER_MARKED = 26
};

/* Reads the version in the header "go 1.N trace" once it has come. */
static void keeper_read_version(struct keeper *keeper)
{
    static const char start[] = "go 1.";
    char head[TRACE_HEAD + 1] = "";
    if (keeper->version != 0 || atomic_load(&keeper->recording->spool.size) < TRACE_HEAD)
        return;
    memcpy(head, keeper->recording->head, TRACE_HEAD);
    keeper->at = TRACE_HEAD;
    keeper->version = 1;
    if (memcmp(head, start, strlen(start)) == 0)
        keeper->version = (uint32_t) strtoul(head + strlen(start), NULL, 10);
    keeper->is_done = keeper->version < KEEPER_OLDEST;
    if (keeper->is_done && keeper->version > 1)
        terminal_report("%s: --keep has no effect: traces of Go 1.21 and earlier can only be shown "
                        "as a whole",
                        keeper->tab->name);
}

/*
 * Reads the time of the first event of a generation. Returns GT_AGAIN if more of the recording is
 * needed for that.
 */
static gt_status keeper_read_time(const struct keeper *keeper, uint64_t offset, int64_t *time)
{
    struct recording_part part;
    const gt_event *event;
    gt_reader *reader = NULL;
    gt_error error = GT_ERROR_INIT;
    gt_reader_options options = GT_READER_OPTIONS_INIT;
    options.flags = GT_READER_LENIENT;
    recording_part_init(&part, keeper->recording, offset);
    gt_status status = recording_part_open(&part, &options, &reader, &error);
    if (status == GT_OK)
        status = gt_reader_next_event(reader, &event);
    /* No clock is negative, and so the differences of times fit. */
    if (status == GT_OK)
        *time = event->time > 0 ? event->time : 0;
    gt_reader_close(&reader);
    recording_part_free(&part);
    return status;
}

/* Adds a generation to the list. */
static gt_status keeper_add(struct keeper *keeper, uint64_t offset)
{
    int64_t time = 0;
    if (keeper->count == keeper->capacity) {
        size_t capacity = 2 * keeper->capacity + 16;
        void *list = realloc(keeper->list, capacity * sizeof(*keeper->list));
        if (!list)
            return GT_ERR_NO_MEMORY;
        keeper->list = list;
        keeper->capacity = capacity;
    }
    gt_status status = keeper_read_time(keeper, offset, &time);
    if (status != GT_OK)
        return status;
    if (keeper->count == 0)
        keeper->first = time;
    keeper->list[keeper->count++] = (struct keeper_moment){offset, time};
    return GT_OK;
}

/* Reads the header of the next batch. Returns 1; 0 if it has not come completely; -1 for a fault.
 */
static int keeper_read_batch(struct keeper *keeper, struct batch *batch)
{
    uint8_t head[BATCH_HEAD_MAX];
    size_t size = 0;
    int64_t got = 1;
    uint64_t end = atomic_load(&keeper->recording->spool.size);
    while (size < sizeof(head) && got > 0) {
        got = spool_read(&keeper->recording->spool, keeper->at + size, head + size,
                         sizeof(head) - size);
        size += got > 0 ? (size_t) got : 0;
    }
    if (got < 0 || size == 0)
        return got < 0 ? -1 : 0;
    int result = batch_parse(head, size, batch);
    batch->offset = keeper->at;
    if (result < 0)
        return size < sizeof(head) ? 0 : -1;
    return batch_end(batch) <= end;
}

/* Takes a batch, or the marker of an end. Returns GT_AGAIN if more has to come before. */
static gt_status keeper_take(struct keeper *keeper, const struct batch *batch)
{
    bool is_end = batch->type == GT_WIRE_END_OF_GENERATION;
    bool is_next =
        !is_end && keeper->version < KEEPER_MARKED && batch->generation != keeper->number;
    if (keeper->is_open && (is_end || is_next)) {
        gt_status status = keeper_add(keeper, keeper->begin);
        if (status != GT_OK)
            return status;
        keeper->is_open = false;
    }
    if (!is_end && !keeper->is_open) {
        keeper->is_open = true;
        keeper->number = batch->generation;
        keeper->begin = batch->offset;
    }
    keeper->at = batch_end(batch);
    return GT_OK;
}

/* Finds the generations that have come. */
static void keeper_scan(struct keeper *keeper)
{
    struct batch batch;
    int got = 1;
    gt_status status = GT_OK;
    keeper_read_version(keeper);
    while (keeper->version != 0 && !keeper->is_done && status == GT_OK &&
           (got = keeper_read_batch(keeper, &batch)) > 0)
        status = keeper_take(keeper, &batch);
    /* The viewer repairs a fault, or ends at it. Here the generations after it cannot be found. */
    if (got >= 0 && (status == GT_OK || status == GT_AGAIN))
        return;
    keeper->is_done = true;
    terminal_report("%s: --keep lets go of nothing more after a fault", keeper->tab->name);
}

/* Returns the last generation of the list from which on there is enough, or 0 if it is not yet time
 * to let go of those before. */
static size_t keeper_choose(const struct keeper *keeper)
{
    if (keeper->count == 0)
        return 0;
    int64_t newest = keeper->list[keeper->count - 1].time;
    if (newest - keeper->list[0].time <= 2 * keeper->keep)
        return 0;
    size_t found = keeper->count - 1;
    while (found > 0 && keeper->list[found].time > newest - keeper->keep)
        found--;
    return found;
}

/* Starts to load the newest part, if that is necessary. */
static void keeper_load(struct keeper *keeper)
{
    gt_error error = GT_ERROR_INIT;
    size_t index = keeper_choose(keeper);
    if (index == 0)
        return;
    if (keeper->has_former) {
        /* There is room for two at a time. */
        tab_end_former(keeper->tab);
        keeper->lasting = 0;
        return;
    }
    const struct keeper_moment *moment = &keeper->list[index];
    keeper->next = tab_open_part(keeper->tab, moment->offset, keeper->epochs + 1,
                                 moment->time - keeper->first, &error);
    keeper->next_index = index;
    keeper->next_end = keeper->at;
    if (!keeper->next && !keeper->has_failed)
        problem_report(keeper->tab->name, "", &error);
    keeper->has_failed = !keeper->next;
}

/* Whether the next one can be shown: it has everything that has come, or that had come when it
 * began, if more comes than can be loaded. */
static bool keeper_is_loaded(const struct keeper *keeper)
{
    gt_web_progress progress = GT_WEB_PROGRESS_INIT;
    gt_web_get_progress(keeper->next->web, &progress);
    uint64_t at = keeper->next->part.begin + progress.bytes;
    return progress.done || progress.live || at >= keeper->next_end + TRACE_HEAD;
}

/* Shows the next one, and forgets the generations before. */
static void keeper_switch(struct keeper *keeper)
{
    tab_show(keeper->tab, keeper->next);
    keeper->has_former = true;
    keeper->lasting = KEEPER_LASTING;
    keeper->next = NULL;
    keeper->epochs++;
    keeper->count -= keeper->next_index;
    memmove(keeper->list, keeper->list + keeper->next_index, keeper->count * sizeof(*keeper->list));
}

/* Frees what was shown before once no request uses it, and what only that has read. */
static void keeper_let_go(struct keeper *keeper)
{
    if (keeper->lasting > 0)
        keeper->lasting--;
    if (!keeper->has_former || keeper->lasting > 0 || !tab_free_former(keeper->tab))
        return;
    keeper->has_former = false;
    spool_drop(&keeper->recording->spool, keeper->list[0].offset);
    heap_return_free();
}

/* Waits a little. Returns false if the keeper ends. */
static bool keeper_wait(struct keeper *keeper)
{
    struct timespec until;
    int code = 0;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_nsec += KEEPER_PERIOD;
    until.tv_sec += until.tv_nsec / KEEPER_SECOND;
    until.tv_nsec %= KEEPER_SECOND;
    pthread_mutex_lock(&keeper->lock);
    while (!keeper->is_stopping && code == 0)
        code = pthread_cond_timedwait(&keeper->changed, &keeper->lock, &until);
    bool goes_on = !keeper->is_stopping;
    pthread_mutex_unlock(&keeper->lock);
    return goes_on;
}

static void *keeper_run(void *user_data)
{
    struct keeper *keeper = user_data;
    while (keeper_wait(keeper)) {
        keeper_scan(keeper);
        keeper_let_go(keeper);
        if (!keeper->next)
            keeper_load(keeper);
        if (keeper->next && keeper_is_loaded(keeper))
            keeper_switch(keeper);
    }
    return NULL;
}

bool keeper_start(struct keeper *keeper, struct tab *tab, struct recording *recording, int64_t keep)
{
    pthread_condattr_t attributes;
    *keeper = (struct keeper){.tab = tab, .recording = recording, .keep = keep, .epochs = 1};
    pthread_mutex_init(&keeper->lock, NULL);
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&keeper->changed, &attributes);
    pthread_condattr_destroy(&attributes);
    keeper->is_running = thread_start(&keeper->thread, keeper_run, keeper);
    if (keeper->is_running)
        return true;
    pthread_cond_destroy(&keeper->changed);
    pthread_mutex_destroy(&keeper->lock);
    return false;
}

void keeper_stop(struct keeper *keeper)
{
    if (!keeper->is_running)
        return;
    pthread_mutex_lock(&keeper->lock);
    keeper->is_stopping = true;
    pthread_cond_signal(&keeper->changed);
    pthread_mutex_unlock(&keeper->lock);
    pthread_join(keeper->thread, NULL);
    pthread_cond_destroy(&keeper->changed);
    pthread_mutex_destroy(&keeper->lock);
    epoch_free(keeper->next);
    free(keeper->list);
    keeper->is_running = false;
}
