/* SPDX-License-Identifier: BSD-3-Clause */
#include "compareview.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "command.h"
#include "comparejson.h"
#include "comparetext.h"
#include "heap.h"
#include "http/target.h"
#include "problem.h"
#include "reply.h"
#include "serve.h"
#include "tabs.h"
#include "terminal.h"

enum {
    SIDES = 2,
    NUMBER_ROOM = 24,
    /* The most digits of a number in a query. */
    NUMBER_DIGITS = 9,
    /* How many differences one answer has at most. */
    DIFFERENCES_MOST = 2000
};

struct compareview {
    struct compareview_options options;
    struct tabs tabs;
    struct http_server *server;
    /* Guards the comparison, which several threads may not use at the same time. */
    pthread_mutex_t lock;
    const gt_compare *compare;
};

/* The viewer reads a trace several times, so a pipe will not do. */
static bool compareview_is_file(const char *name)
{
    struct stat about;
    if (stat(name, &about) == 0 && S_ISREG(about.st_mode))
        return true;
    terminal_report("%s: --http needs files", name);
    return false;
}

static bool compareview_add(struct compareview *view, const char *name, bool is_first)
{
    gt_error error = GT_ERROR_INIT;
    struct tab *tab = compareview_is_file(name) ? tabs_add(&view->tabs, name) : NULL;
    if (!tab)
        return false;
    gt_status status = is_first ? tab_open(tab, &error) : tab_check(tab, &error);
    if (status != GT_OK)
        problem_report(name, "", &error);
    return status == GT_OK;
}

static bool compareview_add_all(struct compareview *view)
{
    const struct compareview_options *options = &view->options;
    if (options->counts[0] + options->counts[1] > TABS_MAX) {
        terminal_report("--http shows at most %d traces", TABS_MAX);
        return false;
    }
    for (size_t side = 0; side < SIDES; side++) {
        for (size_t i = 0; i < options->counts[side]; i++) {
            if (!compareview_add(view, options->names[side][i], i == 0))
                return false;
        }
    }
    return true;
}

static void compareview_set_up(struct compareview *view)
{
    struct tab_settings *settings = &view->tabs.settings;
    tabs_init(&view->tabs);
    settings->reader_flags = view->options.reader_flags;
    settings->program = view->options.program;
    settings->intake = view->options.intake;
    settings->compares = true;
    /* The page shows two timelines in frames. */
    settings->frame_ancestors = "'self'";
}

static void put_side(struct jsontext *json, const struct compareview *view, size_t side)
{
    static const char *const keys[SIDES] = {"\"before_traces\": [", ",\n\"after_traces\": ["};
    size_t first = side == 0 ? 0 : view->options.counts[0];
    char path[TAB_ADDRESS_ROOM];
    jsontext_print(json, "%s", keys[side]);
    for (size_t i = 0; i < view->options.counts[side]; i++) {
        const struct tab *tab = view->tabs.list[first + i];
        tab_address(tab, path, sizeof(path));
        jsontext_print(json, "%s{\"path\": \"%s\", \"name\": ", i > 0 ? ", " : "", path);
        jsontext_put_text(json, tab->name);
        jsontext_print(json, "}");
    }
    jsontext_print(json, "]");
}

/* Sets `*number` to a parameter, if it is there. Returns false if it is no number. */
static bool query_number(const struct http_request *request, const char *name, size_t *number)
{
    char text[NUMBER_ROOM] = "";
    if (!http_query_value(request->query, name, text, sizeof(text)))
        return true;
    size_t digits = strspn(text, "0123456789");
    if (digits == 0 || digits > NUMBER_DIGITS || text[digits] != '\0')
        return false;
    *number = strtoul(text, NULL, 10);
    return true;
}

/* Answers with the differences from number `first` on. */
static void compareview_serve_list(struct compareview *view, const struct http_request *request,
                                   struct http_response *response)
{
    struct jsontext json;
    size_t first = 0, count = DIFFERENCES_MOST;
    if (!query_number(request, "first", &first) || !query_number(request, "count", &count)) {
        http_refuse(response, 400, "first and count are numbers of up to nine digits");
        return;
    }
    count = count < DIFFERENCES_MOST ? count : DIFFERENCES_MOST;
    jsontext_begin(&json);
    jsontext_print(&json, "{");
    for (size_t side = 0; side < SIDES; side++)
        put_side(&json, view, side);
    jsontext_print(&json, ",\n");
    comparejson_put_info(&json, view->compare);
    jsontext_print(&json, ",\n\"told\": %zu,\n\"total\": %zu,\n\"first\": %zu,\n\"differences\": [",
                   comparetext_count(view->compare, false), gt_compare_count(view->compare), first);
    for (size_t i = 0; i < count; i++) {
        gt_compare_difference difference = GT_COMPARE_DIFFERENCE_INIT;
        if (gt_compare_get(view->compare, first + i, &difference) != GT_OK)
            break;
        jsontext_print(&json, i == 0 ? "\n" : ",\n");
        comparejson_put_difference(&json, &difference);
    }
    jsontext_print(&json, "]}\n");
    reply_send(&json, 200, response);
}

static void put_distribution(struct jsontext *json, const gt_compare *compare, size_t index,
                             uint32_t side)
{
    gt_latency_bucket bucket = GT_LATENCY_BUCKET_INIT;
    jsontext_print(json, "%s[", side == 0 ? "\"before\": " : ",\n\"after\": ");
    for (bool is_first = true; gt_compare_next_bucket(compare, index, side, &bucket) == GT_OK;
         is_first = false)
        jsontext_print(json, "%s[%" PRId64 ",%" PRId64 ",%" PRIu64 "]", is_first ? "" : ",",
                       bucket.from, bucket.to, bucket.count);
    jsontext_print(json, "]");
}

/* Answers with the distributions to which a difference belongs. */
static void compareview_serve_buckets(struct compareview *view, const struct http_request *request,
                                      struct http_response *response)
{
    struct jsontext json;
    size_t index = SIZE_MAX;
    if (!query_number(request, "index", &index)) {
        http_refuse(response, 400, "index is a number of up to nine digits");
        return;
    }
    if (index >= gt_compare_count(view->compare)) {
        http_refuse(response, 404, "there is no such difference");
        return;
    }
    jsontext_begin(&json);
    jsontext_print(&json, "{");
    for (uint32_t side = 0; side < SIDES; side++)
        put_distribution(&json, view->compare, index, side);
    jsontext_print(&json, "}\n");
    reply_send(&json, 200, response);
}

/* An http_handler. */
static bool compareview_answer(void *user_data, const struct http_request *request,
                               struct http_response *response)
{
    struct compareview *view = user_data;
    bool is_list = strcmp(request->path, "/comparison") == 0;
    if (!is_list && strcmp(request->path, "/comparison/buckets") != 0)
        return tabs_answer(&view->tabs, request, response);
    pthread_mutex_lock(&view->lock);
    if (is_list)
        compareview_serve_list(view, request, response);
    else
        compareview_serve_buckets(view, request, response);
    pthread_mutex_unlock(&view->lock);
    return true;
}

struct compareview *compareview_open(const struct compareview_options *options)
{
    char text[HTTP_TEXT_MAX];
    struct compareview *view = calloc(1, sizeof(*view));
    if (!view) {
        terminal_report("%s", gt_status_text(GT_ERR_NO_MEMORY));
        return NULL;
    }
    view->options = *options;
    pthread_mutex_init(&view->lock, NULL);
    heap_return_large();
    compareview_set_up(view);
    view->server = http_server_open(options->address, compareview_answer, view, NULL, text);
    if (!view->server)
        terminal_report("%s", text);
    if (view->server && compareview_add_all(view))
        return view;
    compareview_close(view);
    return NULL;
}

int compareview_run(struct compareview *view, const gt_compare *compare, struct output *out)
{
    const struct serve_options options = {"Comparison", "compare", "/compare",
                                          view->options.no_open};
    view->compare = compare;
    return serve_run(&options, view->server, out);
}

void compareview_close(struct compareview *view)
{
    if (!view)
        return;
    http_server_close(view->server);
    tabs_free(&view->tabs);
    pthread_mutex_destroy(&view->lock);
    free(view);
}
