/* SPDX-License-Identifier: BSD-3-Clause */
/* gotrace view: shows a trace in a browser. */
#include "view.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

#include "../command.h"
#include "../input.h"
#include "../problem.h"
#include "analysis.h"
#include "browser.h"
#include "build.h"
#include "endpoints.h"
#include "listings.h"
#include "minimap.h"

static const char default_address[] = "127.0.0.1:0";

struct request {
    struct input in;
    const char *address;
    bool no_open;
    const char *web;
};

/* For the signal handler. */
static struct http_server *running;

static void on_signal(int number)
{
    (void) number;
    http_server_stop(running);
}

/* The first signal ends the server in order, and the second one just ends it. */
static void catch_signals(struct http_server *server)
{
    struct sigaction action = {.sa_handler = on_signal};
    action.sa_flags = (int) SA_RESETHAND;
    sigemptyset(&action.sa_mask);
    running = server;
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
}

static void init(struct view *view, const struct input *in, const struct request *request)
{
    *view = (struct view){.web = request->web};
    view->source.name = in->name;
    view->source.lenient = in->lenient;
    view->source.as_recorded = in->as_recorded;
    view->source.reads_ahead = input_reads_ahead(in);
    view->source.program = in->symbols.program;
    pthread_mutex_init(&view->progress.lock, NULL);
    atomic_init(&view->stopping, false);
}

/* After the server has ended. */
static void clean_up(struct view *view)
{
    for (size_t i = 0; i < view->progress.repair_count; i++)
        free(view->progress.repairs[i]);
    pthread_mutex_destroy(&view->progress.lock);
}

/* Serves until a signal comes. */
static int serve(struct view *view, const struct request *request, struct http_server *server,
                 struct output *out)
{
    const char *url = http_server_url(server);
    catch_signals(server);
    output_text(out, "Trace viewer is listening on ");
    output_text(out, url);
    output_text(out, "\n");
    if (!output_flush(out))
        return COMMAND_BAD;
    /* Before there are other threads, as it forks. */
    if (!request->no_open)
        browser_open(url);
    if (!view_build_start(view)) {
        fputs("gotrace: no memory for the timeline\n", stderr);
        return COMMAND_BAD;
    }
    http_server_run(server);
    atomic_store(&view->stopping, true);
    analysis_close(view);
    listings_close(view);
    minimap_close(view);
    view_build_stop(view);
    return COMMAND_GOOD;
}

static int show(struct view *view, const struct request *request, struct output *out)
{
    char text[HTTP_TEXT_MAX];
    const char *address = request->address != NULL ? request->address : default_address;
    gt_error error = GT_ERROR_INIT;
    if (!view_source_prepare(&view->source, &error)) {
        problem_add_system_error(&error);
        problem_report(view->source.name, "", &error);
        return COMMAND_BAD;
    }
    int code = COMMAND_BAD;
    struct http_server *server = http_server_open(address, view_routes, view, NULL, text);
    if (server == NULL)
        fprintf(stderr, "gotrace: %s\n", text);
    else
        code = serve(view, request, server, out);
    http_server_close(server);
    view_source_close(&view->source);
    return code;
}

static const struct option view_options[] = {
    {OPTION_VALUE(struct request, address, "http", "ADDR",
                  "listen at HOST:PORT; the default is a free port of 127.0.0.1. Whoever can reach "
                  "that address can read the trace"),
     .summary = "listen at HOST:PORT"},
    {OPTION_FLAG(struct request, no_open, "no-open", "open no browser")},
    {OPTION_VALUE(struct request, web, "web", "DIR",
                  "take the files of the page from DIR, to work on them"),
     .summary = "take the files of the page from a directory", .words = OPTION_DIRECTORY},
};

static int view_run(const struct command *self, struct output *out, char **arguments)
{
    struct request request = {.address = NULL};
    struct view view;
    int code = input_parse(&request.in, self, out, arguments);
    if (code != COMMAND_GO_ON)
        return code;
    init(&view, &request.in, &request);
    code = show(&view, &request, out);
    clean_up(&view);
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
    .notes = "Standard input, or any other pipe, is copied to a temporary file first.\n",
    .shared = input_options,
    .run = view_run,
};
