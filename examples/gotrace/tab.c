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
#include "terminal.h"

static void tab_on_repair(void *user_data, const gt_error *repair)
{
    struct tab *tab = user_data;
    /* Only the first repair is reported, because a damaged trace may need thousands. */
    if (!tab->has_repairs)
        problem_report(tab->name, "repaired: ", repair);
    tab->has_repairs = true;
}

static void tab_on_loaded(void *user_data, gt_error *error, uint64_t repairs)
{
    struct tab *tab = user_data;
    if (error->status == GT_ERR_SYMBOLS && tab->symbols.error[0] != '\0')
        memcpy(error->message, tab->symbols.error, sizeof(error->message));
    if (repairs > 1)
        terminal_report("%s: repaired: %" PRIu64 " faults in all", tab->name, repairs);
    if (error->status != GT_OK)
        problem_report(tab->name, "", error);
}

static int tab_symbolize(void *user_data, gt_symbol *list, size_t count)
{
    struct tab *tab = user_data;
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
    const struct tab *tab = user_data;
    return notefile_load(&tab->notes, buffer, capacity, size, error);
}

static gt_status tab_store_notes(void *user_data, const void *data, size_t size, gt_error *error)
{
    const struct tab *tab = user_data;
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
    return tab;
}

void tab_free(struct tab *tab)
{
    gt_web_close(&tab->web);
    recording_free(tab->recording);
    symbols_free(&tab->symbols);
    notefile_free(&tab->notes);
    if (tab->file)
        fclose(tab->file);
    pthread_mutex_destroy(&tab->opening);
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

static void tab_set_options(struct tab *tab, gt_web_options *options)
{
    const struct tab_settings *settings = tab->settings;
    options->reader_flags = settings->reader_flags;
    options->name = tab->name;
    options->page_directory = settings->page_directory;
    options->frame_ancestors = settings->frame_ancestors;
    options->source_url = settings->source_url;
    options->perfetto_url = settings->perfetto_url;
    options->traces_url = tab->id == 1 ? "traces" : "../../traces";
    options->user_data = tab;
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
    const struct tab *tab = user_data;
    recording_stop(tab->recording);
}

/* Shows the trace while it is being recorded. */
static gt_status tab_open_recording(struct tab *tab, gt_error *error)
{
    gt_web_options options = GT_WEB_OPTIONS_INIT;
    tab->recording = recording_start(tab->name, tab->settings->intake, error);
    if (!tab->recording)
        return error->status;
    tab_set_options(tab, &options);
    options.stop_recording = tab_stop;
    gt_status status =
        gt_web_open_callback(&tab->web, recording_open, tab->recording, 0, &options, error);
    if (status != GT_OK) {
        recording_free(tab->recording);
        tab->recording = NULL;
    }
    return status;
}

gt_status tab_open_file(struct tab *tab, FILE *file, gt_error *error)
{
    gt_web_options options = GT_WEB_OPTIONS_INIT;
    tab_set_options(tab, &options);
    options.flags |= GT_WEB_MAP_FD;
    return gt_web_open_fd(&tab->web, fileno(file), &options, error);
}

static gt_status tab_open_named(struct tab *tab, gt_error *error)
{
    gt_web_options options = GT_WEB_OPTIONS_INIT;
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
        tab_set_options(tab, &options);
        return gt_web_open_file(&tab->web, tab->name, &options, error);
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
    if (!tab->web)
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
