/* SPDX-License-Identifier: BSD-3-Clause */
/* gotrace view: shows a trace in a browser. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <gotrace/time.h>

#include "command.h"
#include "heap.h"
#include "input.h"
#include "problem.h"
#include "remote.h"
#include "series.h"
#include "serve.h"
#include "tabs.h"

static const char view_default_address[] = "127.0.0.1:0";
static const char view_default_limit[] = "4G";

enum {
    VIEW_NS_A_MS = 1000000,
    /* The shortest time between two traces, in nanoseconds: 100 ms. */
    VIEW_LEAST_PERIOD = 100000000,
    /* The shortest time that can be kept, in nanoseconds: a second. */
    VIEW_LEAST_KEPT = 1000000000
};

/* The options and operands of the command. */
struct view {
    struct input in;
    /* The traces; ends in NULL. */
    const char *names[TABS_MAX + 1];
    const char *address;
    bool no_open;
    bool allow_open;
    bool no_notes;
    const char *upload_limit;
    const char *page_directory;
    const char *frame_ancestors;
    const char *source_url;
    const char *keep;
    int64_t kept; /* the time of `keep` in nanoseconds, or 0 */
    const char *every;
    int64_t period; /* the time of `every` in nanoseconds, or 0 */
    struct series series;
    const char *perfetto_url;
    struct tabs tabs;
};

/* Serves until a signal comes. */
static int view_serve(const struct view *view, struct http_server *server, struct output *out)
{
    const struct serve_options options = {"Trace viewer", "view", "", view->no_open};
    if (view->tabs.may_open)
        http_server_accept_changes(server, view->tabs.upload_max);
    return serve_run(&options, server, out);
}

/* Reports why a trace cannot be opened. Returns false. */
static bool view_refuse(const struct view *view, const char *name, const gt_error *error)
{
    if (strstr(error->message, "options.source_url"))
        command_misused(&command_view, "not the address of an editor or a site:", view->source_url);
    else if (strstr(error->message, "options.perfetto_url"))
        command_misused(&command_view, "not the address of a page:", view->perfetto_url);
    else if (strstr(error->message, "options.frame_ancestors"))
        command_misused(&command_view, "not a list of sites:", view->frame_ancestors);
    else
        problem_report(name, "", error);
    return false;
}

/*
 * Opens the first trace, and checks that the others can be opened. The others are opened at the
 * first request for them, because an open trace is held in memory completely.
 */
static bool view_open_tabs(struct view *view)
{
    gt_error error = GT_ERROR_INIT;
    for (const char **name = view->names; *name; name++) {
        struct tab *tab = tabs_add(&view->tabs, *name);
        if (!tab) {
            problem_set_status(&error, GT_ERR_NO_MEMORY);
            return view_refuse(view, *name, &error);
        }
        gt_status status = tab->id == 1 ? tab_open(tab, &error) : tab_check(tab, &error);
        if (status != GT_OK)
            return view_refuse(view, *name, &error);
    }
    return true;
}

static void view_set_up(struct view *view)
{
    struct tab_settings *settings = &view->tabs.settings;
    settings->reader_flags = (view->in.as_recorded ? GT_READER_AS_RECORDED : 0) |
                             (input_reads_ahead(&view->in) ? GT_READER_AHEAD : 0);
    settings->page_directory = view->page_directory;
    settings->frame_ancestors = view->frame_ancestors;
    settings->source_url = view->source_url;
    settings->every = view->period / VIEW_NS_A_MS + (view->period % VIEW_NS_A_MS != 0);
    settings->perfetto_url = view->perfetto_url;
    settings->keep = view->kept;
    /* The times of notes in a file would be wrong as soon as something was let go. */
    settings->keeps_notes = !view->no_notes && view->kept == 0;
    settings->program = view->in.symbols.program;
    settings->intake = &view->in.settings;
    /* The command prints nothing while it waits. */
    view->in.settings.rules.before_wait = NULL;
}

static int view_show(struct view *view, struct output *out)
{
    char text[HTTP_TEXT_MAX];
    const char *address = view->address ? view->address : view_default_address;
    if (!input_check_binary(&view->in) || !view_open_tabs(view))
        return COMMAND_BAD;
    struct http_server *server = http_server_open(address, tabs_answer, &view->tabs, NULL, text);
    if (!server) {
        terminal_report("%s", text);
        return COMMAND_BAD;
    }
    view->tabs.may_open = view->allow_open || http_server_is_local(server);
    int code = COMMAND_BAD;
    if (view->period == 0 || series_start(&view->series, &view->tabs, view->names[0], view->period))
        code = view_serve(view, server, out);
    else
        terminal_report("%s: cannot start a thread", view->names[0]);
    series_stop(&view->series);
    http_server_close(server);
    return code;
}

static const struct option view_options[] = {
    {OPTION_VALUE(struct view, keep, "keep", "TIME",
                  "with --follow: show at least the newest TIME, such as 60s, and let go of what "
                  "is older than twice that"),
     .summary = "with --follow: show the newest TIME"},
    {OPTION_VALUE(struct view, every, "every", "TIME",
                  "take another trace from the URL each TIME, such as 60s, and keep the last ten"),
     .summary = "take another trace from the URL each TIME"},
    {OPTION_VALUE(struct view, address, "http", "ADDR",
                  "listen at HOST:PORT; the default is a free port of 127.0.0.1. Whoever can reach "
                  "that address can read the trace"),
     .summary = "listen at HOST:PORT"},
    {OPTION_FLAG(struct view, no_open, "no-open", "open no browser")},
    {OPTION_FLAG(struct view, allow_open, "allow-open",
                 "let the page open and close traces, and keep notes in files, even if other "
                 "machines can reach it"),
     .summary = "let the page open traces even if other machines can reach it"},
    {OPTION_FLAG(struct view, no_notes, "no-notes",
                 "neither read nor write FILE.notes.json, where the page keeps notes"),
     .summary = "keep no notes in files"},
    {OPTION_VALUE(struct view, upload_limit, "upload-limit", "SIZE",
                  "the largest trace that the page may open, compressed or not, in bytes or "
                  "with K, M or G; the default is 4G"),
     .summary = "the largest trace that the page may open"},
    {OPTION_VALUE(struct view, page_directory, "web", "DIR",
                  "take the files of the page from DIR, to work on them"),
     .summary = "take the files of the page from a directory", .words = OPTION_DIRECTORY},
    {OPTION_VALUE(struct view, frame_ancestors, "frame-ancestors", "SITES",
                  "let pages of these sites show the viewer in a frame, such as \"'self' "
                  "https://tools.example.com\"; the default is 'none'"),
     .summary = "let pages of these sites show the viewer in a frame"},
    {OPTION_VALUE(struct view, source_url, "source-url", "URL",
                  "make frames links to source files: {file}, {path} (without a first slash) "
                  "and {line} are replaced, as in vscode://file/{file}:{line}"),
     .summary = "make frames links to source files"},
    {OPTION_VALUE(struct view, perfetto_url, "perfetto-ui", "URL",
                  "let the page open timelines in the user interface of Perfetto at URL"),
     .summary = "let the page open timelines in Perfetto at URL"},
};

/* Parses a number of bytes, or of KiB, MiB or GiB with a letter. Returns false if it is none. */
static bool view_parse_size(const char *text, uint64_t *size)
{
    static const char units[] = "KMG";
    char *end;
    unsigned int shift = 0;
    if (text[0] < '0' || text[0] > '9')
        return false;
    errno = 0;
    *size = strtoull(text, &end, 10);
    const char *unit = *end != '\0' ? strchr(units, *end) : NULL;
    if (unit) {
        shift = 10 * (unsigned int) (unit - units + 1);
        end++;
    }
    if (errno != 0 || *end != '\0' || *size > UINT64_MAX >> shift)
        return false;
    *size <<= shift;
    return true;
}

/* Checks --every, with which traces are taken from one URL. */
static int view_check_every(struct view *view, const struct command *self)
{
    if (!view->every)
        return COMMAND_GO_ON;
    if (gt_duration_parse(view->every, &view->period) != GT_OK || view->period < VIEW_LEAST_PERIOD)
        return command_misused(self, "not a time of at least 100 ms:", view->every);
    if (!remote_is(view->names[0]) || view->names[1])
        return command_misused(self, "--every needs one URL", NULL);
    if (view->in.settings.follows || view->in.settings.keep)
        return command_misused(self, "--every excludes --follow and --save", NULL);
    return COMMAND_GO_ON;
}

/* Checks --keep, which says how much of a trace is kept that is followed. */
static int view_check_keep(struct view *view, const struct command *self)
{
    if (!view->keep)
        return COMMAND_GO_ON;
    if (gt_duration_parse(view->keep, &view->kept) != GT_OK || view->kept < VIEW_LEAST_KEPT ||
        view->kept > INT64_MAX / 4)
        return command_misused(self, "not a time of at least 1s:", view->keep);
    if (!view->in.settings.follows)
        return command_misused(self, "--keep needs --follow", NULL);
    return COMMAND_GO_ON;
}

static int view_run(const struct command *self, struct output *out, char **arguments)
{
    struct view view = {.upload_limit = view_default_limit};
    const struct operands operands = {.list = view.names, .min = 1, .max = TABS_MAX};
    uint64_t limit;
    int code = input_parse_operands(&view.in, self, out, arguments, &operands);
    if (code != COMMAND_GO_ON)
        return code;
    code = view_check_every(&view, self);
    if (code == COMMAND_GO_ON)
        code = view_check_keep(&view, self);
    if (code != COMMAND_GO_ON)
        return code;
    if (!view_parse_size(view.upload_limit, &limit))
        return command_misused(self, "not a size:", view.upload_limit);
    heap_return_large();
    tabs_init(&view.tabs);
    view.tabs.upload_max = limit;
    view_set_up(&view);
    code = view_show(&view, out);
    tabs_free(&view.tabs);
    return code;
}

const struct command command_view = {
    .name = "view",
    .usage = "view [OPTION...] FILE...",
    .summary = "show traces in a browser",
    .help = "Serves a timeline and all analyses of the traces to a browser, and opens one if\n"
            "there is a screen. The page can be used while the trace is still being read, and\n"
            "can open further traces. Ends with Ctrl-C.\n",
    COMMAND_OPTIONS(view_options),
    .notes = "Without --follow, standard input, any other pipe, a URL, and what is compressed\n"
             "by gzip or zstd is copied to a temporary file first. The second and further\n"
             "traces are read when they are first looked at. Notes that the user puts on a\n"
             "trace are kept beside it, in FILE.notes.json.\n",
    .shared = input_view_options,
    .run = view_run,
};
