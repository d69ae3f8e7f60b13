/* SPDX-License-Identifier: BSD-3-Clause */
/* gotrace view: shows a trace in a browser. */
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <gotrace/web.h>

#include "browser.h"
#include "command.h"
#include "exchange.h"
#include "heap.h"
#include "input.h"
#include "problem.h"
#include "process.h"

static const char view_default_address[] = "127.0.0.1:0";

/* What the command was told, and what its callbacks need. */
struct view {
    struct input in;
    const char *address;
    bool no_open;
    const char *page_directory;
    const char *frame_ancestors;
    const char *source_url;
    /* Used by the engine, never by two threads at once. */
    struct symbols symbols;
    /* A repair was told of. */
    bool has_repairs;
};

/* For the signal handler. */
static struct http_server *view_server;

static void view_on_signal(int number)
{
    (void) number;
    http_server_stop(view_server);
}

/* The first signal ends the server in order, and the second one just ends it. */
static void view_catch_signals(struct http_server *server)
{
    struct sigaction action = {.sa_handler = view_on_signal};
    action.sa_flags = (int) SA_RESETHAND;
    sigemptyset(&action.sa_mask);
    view_server = server;
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
}

static void view_on_repair(void *user_data, const gt_error *repair)
{
    struct view *view = user_data;
    /* A damaged trace may take thousands. */
    if (!view->has_repairs)
        problem_report(view->in.name, "repaired: ", repair);
    view->has_repairs = true;
}

static void view_on_loaded(void *user_data, gt_error *error, uint64_t repairs)
{
    struct view *view = user_data;
    if (error->status == GT_ERR_SYMBOLS && view->symbols.error[0] != '\0')
        memcpy(error->message, view->symbols.error, sizeof(error->message));
    if (repairs > 1)
        terminal_report("%s: repaired: %" PRIu64 " faults in all", view->in.name, repairs);
    if (error->status != GT_OK)
        problem_report(view->in.name, "", error);
}

static int view_symbolize(void *user_data, gt_symbol *list, size_t count)
{
    struct view *view = user_data;
    /* What an attempt before this one left. */
    symbols_free(&view->symbols);
    return symbols_find(&view->symbols, list, count);
}

static uint64_t view_measure(void *user_data)
{
    (void) user_data;
    return process_memory();
}

/* Serves until a signal comes. */
static int view_serve(const struct view *view, struct http_server *server, struct output *out)
{
    const char *url = http_server_url(server);
    view_catch_signals(server);
    output_text(out, "Trace viewer is listening on ");
    output_text(out, url);
    output_text(out, "\n");
    if (!output_flush(out))
        return COMMAND_BAD;
    if (http_server_is_public(server))
        terminal_report("view: listening on all addresses of this machine; whoever can reach it "
                        "can read the trace");
    if (!view->no_open)
        browser_open(url);
    http_server_run(server);
    return COMMAND_GOOD;
}

/* Whether the program that was traced can be read, if one is named. */
static bool view_check_program(const struct view *view)
{
    if (!view->symbols.program || access(view->symbols.program, R_OK) == 0)
        return true;
    terminal_report("%s: cannot open the program that was traced: %s", view->in.name,
                    strerror(errno));
    return false;
}

/* Opens the trace; what is no file, or is compressed, is copied to a temporary file. */
static gt_status view_open_intake(struct view *view, gt_web **web, gt_web_options *options,
                                  gt_error *error)
{
    struct intake *intake = &view->in.intake;
    *web = NULL;
    if (!intake_open(intake, view->in.name, error))
        return GT_ERR_IO;
    if (intake->is_plain_file) {
        intake_close(intake);
        return gt_web_open_file(web, view->in.name, options, error);
    }
    FILE *copy = intake_save(intake, UINT64_MAX, error);
    intake_close(intake);
    if (!copy)
        return GT_ERR_IO;
    options->flags |= GT_WEB_MAP_FD;
    gt_status status = gt_web_open_fd(web, fileno(copy), options, error);
    fclose(copy);
    return status;
}

static gt_web *view_open(struct view *view)
{
    gt_web_options options = GT_WEB_OPTIONS_INIT;
    gt_error error = GT_ERROR_INIT;
    gt_web *web;
    options.reader_flags = (view->in.as_recorded ? GT_READER_AS_RECORDED : 0) |
                           (input_reads_ahead(&view->in) ? GT_READER_AHEAD : 0);
    options.name = view->in.name;
    options.page_directory = view->page_directory;
    options.frame_ancestors = view->frame_ancestors;
    options.source_url = view->source_url;
    options.user_data = view;
    options.on_repair = view_on_repair;
    options.on_loaded = view_on_loaded;
    options.process_memory = view_measure;
    if (view->symbols.program)
        options.symbolize = view_symbolize;
    gt_status status = view_open_intake(view, &web, &options, &error);
    if (status == GT_ERR_INVALID_ARGUMENT && view->source_url)
        command_misused(&command_view, "not the address of an editor or a site:", view->source_url);
    else if (status == GT_ERR_INVALID_ARGUMENT && view->frame_ancestors)
        command_misused(&command_view, "not a list of sites:", view->frame_ancestors);
    else if (status != GT_OK)
        problem_report(view->in.name, "", &error);
    return web;
}

static int view_show(struct view *view, struct output *out)
{
    char text[HTTP_TEXT_MAX];
    const char *address = view->address ? view->address : view_default_address;
    gt_web *web = view_check_program(view) ? view_open(view) : NULL;
    if (!web)
        return COMMAND_BAD;
    int code = COMMAND_BAD;
    struct http_server *server = http_server_open(address, exchange_answer, web, NULL, text);
    if (!server)
        terminal_report("%s", text);
    else
        code = view_serve(view, server, out);
    http_server_close(server);
    gt_web_close(&web);
    return code;
}

static const struct option view_options[] = {
    {OPTION_VALUE(struct view, address, "http", "ADDR",
                  "listen at HOST:PORT; the default is a free port of 127.0.0.1. Whoever can reach "
                  "that address can read the trace"),
     .summary = "listen at HOST:PORT"},
    {OPTION_FLAG(struct view, no_open, "no-open", "open no browser")},
    {OPTION_VALUE(struct view, page_directory, "web", "DIR",
                  "take the files of the page from DIR, to work on them"),
     .summary = "take the files of the page from a directory", .words = OPTION_DIRECTORY},
    {OPTION_VALUE(struct view, frame_ancestors, "frame-ancestors", "SITES",
                  "let pages of these sites show the viewer in a frame, such as \"'self' "
                  "https://tools.example.com\"; the default is 'none'"),
     .summary = "let pages of these sites show the viewer in a frame"},
    {OPTION_VALUE(struct view, source_url, "source-url", "URL",
                  "make frames links to source files: {file}, {path} (without a first slash)\n"
                  "and {line} are replaced, as in vscode://file/{file}:{line}"),
     .summary = "make frames links to source files"},
};

static int view_run(const struct command *self, struct output *out, char **arguments)
{
    struct view view = {.address = NULL};
    int code = input_parse(&view.in, self, out, arguments);
    if (code != COMMAND_GO_ON)
        return code;
    heap_return_large();
    view.symbols.program = view.in.symbols.program;
    code = view_show(&view, out);
    symbols_free(&view.symbols);
    return code;
}

const struct command command_view = {
    .name = "view",
    .usage = "view [OPTION...] FILE",
    .summary = "show the trace in a browser",
    .help = "Serves a timeline and all analyses of the trace to a browser, and opens one if\n"
            "there is a screen. The page can be used while the trace is still being read. Ends\n"
            "with Ctrl-C.\n",
    COMMAND_OPTIONS(view_options),
    .notes = "Standard input, any other pipe, and what is compressed by gzip or zstd is copied to\n"
             "a temporary file first.\n",
    .shared = input_view_options,
    .run = view_run,
};
