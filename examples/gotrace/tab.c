/* SPDX-License-Identifier: BSD-3-Clause */
#include "tab.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "intake.h"
#include "problem.h"
#include "process.h"
#include "remote.h"

/* The user data of all functions that are called by what a tab shows. */
static struct tab *epoch_tab(void *user_data)
{
    const struct epoch *epoch = user_data;
    return epoch->tab;
}

static void tab_on_repair(void *user_data, const gt_error *repair)
{
    struct epoch *epoch = user_data;
    repairs_add(&epoch->repairs, repair);
}

static void tab_on_loaded(void *user_data, gt_error *error, uint64_t repairs)
{
    struct epoch *epoch = user_data;
    struct tab *tab = epoch->tab;
    (void) repairs;
    /* What has taken its place tells the rest. */
    if (atomic_load(&epoch->is_over))
        return;
    if (error->status == GT_ERR_SYMBOLS && tab->symbols.error[0] != '\0')
        memcpy(error->message, tab->symbols.error, sizeof(error->message));
    repairs_report(&epoch->repairs, tab->name);
    repairs_clear(&epoch->repairs);
    if (error->status != GT_OK)
        problem_report(tab->name, "", error);
}

static int tab_symbolize(void *user_data, gt_symbol *list, size_t count)
{
    struct tab *tab = epoch_tab(user_data);
    /* An earlier attempt that failed may have left names. */
    symbols_free(&tab->symbols);
    return symbols_find(&tab->symbols, list, count);
}

static uint64_t tab_measure(void *user_data)
{
    (void) user_data;
    return process_memory();
}

static gt_status tab_load_notes(void *user_data, void *buffer, size_t capacity, size_t *size,
                                gt_error *error)
{
    const struct tab *tab = epoch_tab(user_data);
    return notefile_load(&tab->notes, buffer, capacity, size, error);
}

static gt_status tab_store_notes(void *user_data, const void *data, size_t size, gt_error *error)
{
    const struct tab *tab = epoch_tab(user_data);
    return notefile_store(&tab->notes, data, size, error);
}

struct tab *tab_new(const struct tab_settings *settings, uint32_t id, const char *name)
{
    struct tab *tab = calloc(1, sizeof(*tab));
    char *copy = strdup(name);
    if (!tab || !copy) {
        free(tab);
        free(copy);
        return NULL;
    }
    tab->settings = settings;
    tab->id = id;
    tab->name = copy;
    tab->symbols.program = settings->program;
    pthread_mutex_init(&tab->opening, NULL);
    pthread_mutex_init(&tab->lock, NULL);
    return tab;
}

/* Returns something that can be opened, or NULL with `*error` filled. */
static struct epoch *epoch_new(struct tab *tab, gt_error *error)
{
    struct epoch *epoch = calloc(1, sizeof(*epoch));
    if (!epoch) {
        problem_set_status(error, GT_ERR_NO_MEMORY);
        return NULL;
    }
    epoch->tab = tab;
    atomic_init(&epoch->is_over, false);
    return epoch;
}

void epoch_free(struct epoch *epoch)
{
    if (!epoch)
        return;
    gt_web_close(&epoch->web);
    repairs_clear(&epoch->repairs);
    if (epoch->has_part)
        recording_part_free(&epoch->part);
    free(epoch);
}

void tab_show(struct tab *tab, struct epoch *epoch)
{
    pthread_mutex_lock(&tab->lock);
    tab->former = tab->epoch;
    tab->epoch = epoch;
    pthread_mutex_unlock(&tab->lock);
}

/* Shows what was opened with `status`, unless that failed. Returns the status. */
static gt_status tab_show_opened(struct tab *tab, struct epoch *epoch, gt_status status)
{
    if (status == GT_OK)
        tab_show(tab, epoch);
    else
        epoch_free(epoch);
    return status;
}

/* Returns the parameter `epoch` of a query, or 0. The engine refuses one that is no number. */
static uint64_t tab_asked_number(const char *query)
{
    static const char name[] = "epoch=";
    size_t length = sizeof(name) - 1;
    while (query && strncmp(query, name, length) != 0) {
        query = strchr(query, '&');
        query = query ? query + 1 : NULL;
    }
    return query ? strtoull(query + length, NULL, 10) : 0;
}

struct epoch *tab_take(struct tab *tab, const char *query)
{
    uint64_t number = tab_asked_number(query);
    pthread_mutex_lock(&tab->lock);
    struct epoch *epoch = tab->epoch;
    struct epoch *former = tab->former;
    if (former && former->number == number && !atomic_load(&former->is_over))
        epoch = former;
    epoch->users++;
    pthread_mutex_unlock(&tab->lock);
    return epoch;
}

void tab_give_back(struct tab *tab, struct epoch *epoch)
{
    pthread_mutex_lock(&tab->lock);
    epoch->users--;
    pthread_mutex_unlock(&tab->lock);
}

void tab_end_former(struct tab *tab)
{
    pthread_mutex_lock(&tab->lock);
    if (tab->former)
        atomic_store(&tab->former->is_over, true);
    pthread_mutex_unlock(&tab->lock);
}

bool tab_free_former(struct tab *tab)
{
    pthread_mutex_lock(&tab->lock);
    struct epoch *former = tab->former;
    bool is_used = former && former->users > 0;
    if (!is_used)
        tab->former = NULL;
    pthread_mutex_unlock(&tab->lock);
    if (is_used)
        return false;
    if (former)
        /* It must not report that it has ended. */
        atomic_store(&former->is_over, true);
    epoch_free(former);
    return true;
}

void tab_free(struct tab *tab)
{
    keeper_stop(&tab->keeper);
    epoch_free(tab->former);
    epoch_free(tab->epoch);
    recording_free(tab->recording);
    symbols_free(&tab->symbols);
    notefile_free(&tab->notes);
    if (tab->file)
        fclose(tab->file);
    pthread_mutex_destroy(&tab->opening);
    pthread_mutex_destroy(&tab->lock);
    free(tab->name);
    free(tab);
}

gt_status tab_check(const struct tab *tab, gt_error *error)
{
    struct stat about;
    struct intake intake;
    gt_reader *reader = NULL;
    if (strcmp(tab->name, "-") == 0 || remote_is(tab->name) ||
        (stat(tab->name, &about) == 0 && !S_ISREG(about.st_mode)))
        return GT_OK;
    if (!intake_open(&intake, tab->name, NULL, error))
        return GT_ERR_IO;
    gt_status status = gt_reader_open_callback(&reader, intake_read, &intake, NULL, error);
    intake_explain(&intake, error);
    gt_reader_close(&reader);
    intake_close(&intake);
    return status;
}

static void epoch_set_options(struct epoch *epoch, gt_web_options *options)
{
    const struct tab *tab = epoch->tab;
    const struct tab_settings *settings = tab->settings;
    options->reader_flags = settings->reader_flags;
    options->name = tab->name;
    options->page_directory = settings->page_directory;
    options->frame_ancestors = settings->frame_ancestors;
    options->source_url = settings->source_url;
    options->perfetto_url = settings->perfetto_url;
    options->traces_url = tab->id == 1 ? "traces" : "../../traces";
    if (settings->compares)
        options->comparison_url = tab->id == 1 ? "comparison" : "../../comparison";
    options->user_data = epoch;
    options->on_repair = tab_on_repair;
    options->on_loaded = tab_on_loaded;
    options->process_memory = tab_measure;
    if (tab->symbols.program)
        options->symbolize = tab_symbolize;
    if (!tab->notes.path)
        return;
    options->notes_name = tab->notes.name;
    options->load_notes = tab_load_notes;
    if (tab->notes.can_store)
        options->store_notes = tab_store_notes;
}

static void tab_stop(void *user_data)
{
    const struct tab *tab = epoch_tab(user_data);
    recording_stop(tab->recording);
}

struct epoch *tab_open_part(struct tab *tab, uint64_t begin, uint64_t number, int64_t dropped,
                            gt_error *error)
{
    gt_web_options options = GT_WEB_OPTIONS_INIT;
    struct epoch *epoch = epoch_new(tab, error);
    if (!epoch)
        return NULL;
    recording_part_init(&epoch->part, tab->recording, begin);
    epoch->has_part = true;
    epoch_set_options(epoch, &options);
    options.stop_recording = tab_stop;
    options.epoch = number;
    epoch->number = number;
    options.dropped = dropped;
    if (gt_web_open_callback(&epoch->web, recording_part_open, &epoch->part, 0, &options, error) ==
        GT_OK)
        return epoch;
    epoch_free(epoch);
    return NULL;
}

/* Shows the trace while it is being recorded. */
static gt_status tab_open_recording(struct tab *tab, gt_error *error)
{
    int64_t keep = tab->settings->keep;
    tab->recording = recording_start(tab->name, tab->settings->intake, keep > 0, error);
    if (!tab->recording)
        return error->status;
    struct epoch *epoch = tab_open_part(tab, 0, keep > 0, 0, error);
    tab_show(tab, epoch);
    if (epoch && (keep == 0 || keeper_start(&tab->keeper, tab, tab->recording, keep)))
        return GT_OK;
    if (epoch)
        problem_set_status(error, GT_ERR_NO_MEMORY);
    tab->epoch = NULL;
    epoch_free(epoch);
    recording_free(tab->recording);
    tab->recording = NULL;
    return error->status;
}

gt_status tab_open_file(struct tab *tab, FILE *file, gt_error *error)
{
    gt_web_options options = GT_WEB_OPTIONS_INIT;
    struct epoch *epoch = epoch_new(tab, error);
    if (!epoch)
        return error->status;
    epoch_set_options(epoch, &options);
    options.flags |= GT_WEB_MAP_FD;
    return tab_show_opened(tab, epoch, gt_web_open_fd(&epoch->web, fileno(file), &options, error));
}

/* Opens a regular file by its name. */
static gt_status tab_open_path(struct tab *tab, gt_error *error)
{
    gt_web_options options = GT_WEB_OPTIONS_INIT;
    struct epoch *epoch = epoch_new(tab, error);
    if (!epoch)
        return error->status;
    epoch_set_options(epoch, &options);
    return tab_show_opened(tab, epoch, gt_web_open_file(&epoch->web, tab->name, &options, error));
}

static gt_status tab_open_named(struct tab *tab, gt_error *error)
{
    struct intake intake;
    gt_error cut = GT_ERROR_INIT;
    if (tab->settings->keeps_notes && !tab->notes.path)
        notefile_place(&tab->notes, tab->name);
    if (tab->settings->intake->follows)
        return tab_open_recording(tab, error);
    if (!intake_open(&intake, tab->name, tab->settings->intake, error))
        return GT_ERR_IO;
    if (intake.is_plain_file) {
        intake_close(&intake);
        return tab_open_path(tab, error);
    }
    FILE *copy = intake_save(&intake, UINT64_MAX, error);
    intake_close(&intake);
    intake_note_cut(&intake, &cut);
    if (copy && cut.status != GT_OK)
        problem_report(tab->name, "", &cut);
    if (!copy)
        return GT_ERR_IO;
    gt_status status = tab_open_file(tab, copy, error);
    fclose(copy);
    return status;
}

gt_status tab_open(struct tab *tab, gt_error *error)
{
    pthread_mutex_lock(&tab->opening);
    gt_status status = GT_OK;
    if (!tab->epoch)
        status = tab->file ? tab_open_file(tab, tab->file, error) : tab_open_named(tab, error);
    pthread_mutex_unlock(&tab->opening);
    return status;
}

void tab_address(const struct tab *tab, char *to, size_t room)
{
    if (tab->id == 1)
        snprintf(to, room, "./");
    else
        snprintf(to, room, "t/%" PRIu32 "/", tab->id);
}
