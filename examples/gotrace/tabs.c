/* SPDX-License-Identifier: BSD-3-Clause */
#include "tabs.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "exchange.h"
#include "heap.h"
#include "http/target.h"
#include "problem.h"
#include "reply.h"
#include "upload.h"

enum {
    /* Room for the name of a file that a client sends. */
    TABS_NAME_ROOM = 256,
    /* Numbers of more digits are refused; a uint32_t holds all of these. */
    TABS_ID_DIGITS = 9
};

void tabs_init(struct tabs *tabs)
{
    *tabs = (struct tabs){.may_open = false};
    pthread_mutex_init(&tabs->lock, NULL);
    pthread_mutex_init(&tabs->changing, NULL);
}

void tabs_free(struct tabs *tabs)
{
    for (size_t i = 0; i < tabs->count; i++)
        tab_free(tabs->list[i]);
    pthread_mutex_destroy(&tabs->lock);
    pthread_mutex_destroy(&tabs->changing);
}

/* Adds a tab, which the list then owns. The lock is held. */
static void tabs_append(struct tabs *tabs, struct tab *tab)
{
    tabs->list[tabs->count++] = tab;
}

struct tab *tabs_add(struct tabs *tabs, const char *name)
{
    struct tab *tab = NULL;
    pthread_mutex_lock(&tabs->lock);
    if (tabs->count < TABS_MAX)
        tab = tab_new(&tabs->settings, ++tabs->last_id, name);
    if (tab)
        tabs_append(tabs, tab);
    pthread_mutex_unlock(&tabs->lock);
    return tab;
}

uint32_t tabs_add_file(struct tabs *tabs, const char *name, FILE *file)
{
    struct tab *tab = NULL;
    pthread_mutex_lock(&tabs->lock);
    if (tabs->count + tabs->uploads < TABS_MAX)
        tab = tab_new(&tabs->settings, tabs->last_id + 1, name);
    if (tab) {
        tabs->last_id++;
        tab->file = file;
        tabs_append(tabs, tab);
    }
    uint32_t id = tab ? tab->id : 0;
    pthread_mutex_unlock(&tabs->lock);
    return id;
}

/* Returns the index of a tab in the list, or `count` if there is no such tab. The lock is held. */
static size_t tabs_find(const struct tabs *tabs, uint32_t id)
{
    size_t i = 0;
    while (i < tabs->count && tabs->list[i]->id != id)
        i++;
    return i;
}

/* Returns a tab, which is not freed before tabs_give_back, or NULL. */
static struct tab *tabs_take(struct tabs *tabs, uint32_t id)
{
    pthread_mutex_lock(&tabs->lock);
    size_t at = tabs_find(tabs, id);
    struct tab *tab = at < tabs->count ? tabs->list[at] : NULL;
    if (tab)
        tab->users++;
    pthread_mutex_unlock(&tabs->lock);
    return tab;
}

/* The last request that uses a closed tab frees it. */
static void tabs_give_back(struct tabs *tabs, struct tab *tab)
{
    pthread_mutex_lock(&tabs->lock);
    bool is_over = --tab->users == 0 && tab->is_closed;
    pthread_mutex_unlock(&tabs->lock);
    if (!is_over)
        return;
    tab_free(tab);
    heap_return_free();
}

/*
 * Returns the number at the beginning of `text` and sets `*size` to the number of its digits.
 * Returns 0, which no tab has, if there is none or it is too large.
 */
static uint32_t tabs_parse_id(const char *text, size_t *size)
{
    *size = strspn(text, "0123456789");
    return *size > 0 && *size <= TABS_ID_DIGITS ? (uint32_t) strtoul(text, NULL, 10) : 0;
}

int tabs_close(struct tabs *tabs, uint32_t id, const char **why)
{
    struct tab *tab = tabs_take(tabs, id);
    int status = 404;
    *why = "there is no such trace";
    if (!tab)
        return status;
    pthread_mutex_lock(&tabs->lock);
    size_t at = tabs_find(tabs, id);
    if (at < tabs->count && tabs->count == 1) {
        status = 409;
        *why = "the last trace stays open";
    } else if (at < tabs->count) {
        tabs->count--;
        memmove(tabs->list + at, tabs->list + at + 1, (tabs->count - at) * sizeof(tabs->list[0]));
        tab->is_closed = true;
        status = 200;
    }
    pthread_mutex_unlock(&tabs->lock);
    tabs_give_back(tabs, tab);
    return status;
}

static void tab_describe(const struct tab *tab, struct jsontext *json)
{
    char address[TAB_ADDRESS_ROOM];
    tab_address(tab, address, sizeof(address));
    jsontext_print(json, "{\"id\":%" PRIu32 ",\"path\":\"%s\",\"name\":", tab->id, address);
    jsontext_put_text(json, tab->name);
    jsontext_print(json, "}");
}

/* Answers with the list of all traces, and whether more can be opened. */
static void tabs_serve_list(struct tabs *tabs, struct http_response *response)
{
    struct jsontext json;
    jsontext_begin(&json);
    jsontext_print(&json, "{\"traces\":[");
    pthread_mutex_lock(&tabs->lock);
    for (size_t i = 0; i < tabs->count; i++) {
        jsontext_print(&json, "%s", i > 0 ? "," : "");
        tab_describe(tabs->list[i], &json);
    }
    pthread_mutex_unlock(&tabs->lock);
    jsontext_print(&json, "],\"can_open\":%s,\"limit\":%" PRIu64 ",\"every\":%" PRId64 "}\n",
                   tabs->may_open ? "true" : "false", tabs->upload_max, tabs->settings.every);
    reply_send(&json, 200, response);
}

/* Reserves a place for a trace that a client sends. If there is none, answers with the reason and
 * returns false. */
static bool tabs_begin_upload(struct tabs *tabs, struct http_response *response)
{
    pthread_mutex_lock(&tabs->lock);
    bool is_full = tabs->count + tabs->uploads >= TABS_MAX;
    bool is_good = !is_full && tabs->uploads < TABS_UPLOADS;
    tabs->uploads += is_good;
    pthread_mutex_unlock(&tabs->lock);
    if (!is_good)
        http_refuse(response, 503,
                    is_full ? "too many traces are open; close one"
                            : "other traces are being opened; try again later");
    return is_good;
}

/* Returns a tab with a trace that was received, or NULL and the reason why there is none. */
static struct tab *tabs_open_file(struct tabs *tabs, const char *name, FILE *file,
                                  struct upload_refusal *refusal)
{
    gt_error error = GT_ERROR_INIT;
    pthread_mutex_lock(&tabs->lock);
    struct tab *tab = tab_new(&tabs->settings, ++tabs->last_id, name);
    pthread_mutex_unlock(&tabs->lock);
    if (!tab) {
        *refusal = (struct upload_refusal){503, "out of memory"};
        return NULL;
    }
    if (tab_open_file(tab, file, &error) == GT_OK)
        return tab;
    tab_free(tab);
    refusal->status = 400;
    gt_error_format(&error, refusal->text, sizeof(refusal->text));
    return NULL;
}

static void tabs_end_upload(struct tabs *tabs, struct tab *tab)
{
    pthread_mutex_lock(&tabs->lock);
    tabs->uploads--;
    if (tab)
        tabs_append(tabs, tab);
    pthread_mutex_unlock(&tabs->lock);
}

/* Returns a tab with the trace that is the body of the request, or NULL and the reason. */
static struct tab *tabs_receive(struct tabs *tabs, const struct http_request *request,
                                const struct http_response *response,
                                struct upload_refusal *refusal)
{
    char name[TABS_NAME_ROOM] = "";
    http_query_value(request->query, "name", name, sizeof(name));
    FILE *file = upload_receive(request, tabs->upload_max, response, refusal);
    if (!file)
        return NULL;
    struct tab *tab = tabs_open_file(tabs, name[0] != '\0' ? name : "trace", file, refusal);
    fclose(file);
    return tab;
}

/* Opens the trace that is the body of the request, and answers with its address. */
static void tabs_serve_open(struct tabs *tabs, const struct http_request *request,
                            struct http_response *response)
{
    struct upload_refusal refusal;
    struct jsontext json;
    if (!tabs_begin_upload(tabs, response))
        return;
    struct tab *tab = tabs_receive(tabs, request, response, &refusal);
    /* The answer is composed first, because another request may close the tab once it is in the
     * list. It is sent last, because the client may send the next trace as soon as it has it. */
    if (tab) {
        jsontext_begin(&json);
        tab_describe(tab, &json);
    }
    tabs_end_upload(tabs, tab);
    if (tab)
        reply_send(&json, 201, response);
    else
        reply_refuse(response, refusal.status, refusal.text);
}

static void tabs_serve_close(struct tabs *tabs, const struct http_request *request,
                             struct http_response *response)
{
    static const char done[] = "{}\n";
    char id[TAB_ADDRESS_ROOM] = "";
    const char *why;
    size_t size;
    http_query_value(request->query, "id", id, sizeof(id));
    int status = tabs_close(tabs, tabs_parse_id(id, &size), &why);
    if (status == 200)
        http_answer_json(response, status, done, strlen(done));
    else
        http_refuse(response, status, why);
}

static void tabs_serve(struct tabs *tabs, const struct http_request *request,
                       struct http_response *response)
{
    switch (request->method) {
    case HTTP_GET:
    case HTTP_HEAD:
        tabs_serve_list(tabs, response);
        break;
    case HTTP_POST:
        tabs_serve_open(tabs, request, response);
        break;
    case HTTP_DELETE:
        tabs_serve_close(tabs, request, response);
        break;
    }
}

/* Answers a request for a trace that was closed or never existed. */
static void tabs_serve_nothing(struct tabs *tabs, uint32_t id, const char *rest,
                               struct http_response *response)
{
    char address[TAB_ADDRESS_ROOM];
    if (strcmp(rest, "/") != 0) {
        http_refuse(response, 404, "there is no such trace");
        return;
    }
    pthread_mutex_lock(&tabs->lock);
    tab_address(tabs->list[0], address, sizeof(address));
    pthread_mutex_unlock(&tabs->lock);
    http_redirect(response, id == 1 ? address : "../../");
}

/* Answers a request for a trace. Its path below that of the trace is `rest`. */
static bool tabs_serve_trace(struct tabs *tabs, uint32_t id, const char *rest,
                             const struct http_request *request, struct http_response *response)
{
    struct http_request inner = *request;
    gt_error error = GT_ERROR_INIT;
    char text[GT_ERROR_TEXT_SIZE];
    bool is_whole = true;
    struct tab *tab = tabs_take(tabs, id);
    if (!tab) {
        tabs_serve_nothing(tabs, id, rest, response);
        return true;
    }
    inner.path = rest;
    if (tab_open(tab, &error) == GT_OK) {
        struct epoch *epoch = tab_take(tab, inner.query);
        struct exchange exchange = {epoch->web, tabs->may_open, &tabs->changing, &epoch->is_over};
        is_whole = exchange_answer(&exchange, &inner, response);
        tab_give_back(tab, epoch);
    } else {
        problem_report(tab->name, "", &error);
        gt_error_format(&error, text, sizeof(text));
        reply_refuse(response, 500, text);
    }
    tabs_give_back(tabs, tab);
    return is_whole;
}

bool tabs_answer(void *user_data, const struct http_request *request,
                 struct http_response *response)
{
    struct tabs *tabs = user_data;
    const char *path = request->path;
    if (strcmp(path, "/traces") == 0) {
        tabs_serve(tabs, request, response);
        return true;
    }
    if (strncmp(path, "/t/", 3) != 0)
        return tabs_serve_trace(tabs, 1, path, request, response);
    size_t digits;
    uint32_t id = tabs_parse_id(path + 3, &digits);
    /* The first trace has one address only. */
    if (id < 2 || path[3 + digits] != '/') {
        http_refuse(response, 404, "there is nothing here");
        return true;
    }
    return tabs_serve_trace(tabs, id, path + 3 + digits, request, response);
}
