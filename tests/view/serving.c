/* SPDX-License-Identifier: BSD-3-Clause */
#include "serving.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "exchange.h"
#include "http/target.h"
#include "support/test.h"
#include "support/waiting.h"
#include "web/json.h"
#include "web/query.h"
#include "web/route.h"

static void count(struct serving *serving, int *counter)
{
    pthread_mutex_lock(&serving->lock);
    (*counter)++;
    pthread_cond_broadcast(&serving->changed);
    pthread_mutex_unlock(&serving->lock);
}

static void await(struct serving *serving, const int *counter, int value)
{
    struct timespec end;
    bool is_there = true;

    clock_gettime(CLOCK_REALTIME, &end);
    end.tv_sec += (time_t) waiting_patience();
    pthread_mutex_lock(&serving->lock);
    while (*counter < value && is_there)
        is_there = pthread_cond_timedwait(&serving->changed, &serving->lock, &end) == 0;
    is_there = *counter >= value;
    pthread_mutex_unlock(&serving->lock);
    if (!is_there)
        fail_msg("waited %.0f s for %d handlers", waiting_patience(), value);
}

static void handle_root(struct gt_web *web, struct gt_query *query)
{
    (void) web;
    gt_response_set_type(query->response, "text/plain");
    gt_response_text(query->response, "root");
}

/* The query of the request that this thread is answering, as it was sent, and its server. */
static _Thread_local const char *serving_query;
static _Thread_local struct serving *serving_now;

static void handle_echo(struct gt_web *web, struct gt_query *query)
{
    const char *a = gt_request_value(query->request, "a");
    int64_t n = -7;
    uint64_t u = 7;
    int n_good = gt_request_i64(query->request, "n", &n),
        u_good = gt_request_u64(query->request, "u", &u);
    char text[200];

    (void) web;
    gt_response_text(query->response, query->response->head_only ? "HEAD " : "GET ");
    gt_response_text(query->response, query->request->path);
    gt_response_text(query->response, "?");
    gt_response_text(query->response, serving_query);
    snprintf(text, sizeof(text), " n=%d:%" PRId64 " u=%d:%" PRIu64 " a=", n_good, n, u_good, u);
    gt_response_text(query->response, text);
    gt_response_text(query->response, a ? a : "(none)");
}

static void handle_under(struct gt_web *web, struct gt_query *query)
{
    (void) web;
    gt_response_text(query->response, query->request->path + strlen("/under/"));
}

char serving_byte(size_t index)
{
    return (char) ('a' + index % 23);
}

static void write_big(const struct gt_request *request, struct gt_response *response)
{
    char piece[1000];
    uint64_t size = 0;

    assert_true(gt_request_u64(request, "n", &size));
    for (uint64_t i = 0; i < size; i++) {
        piece[i % sizeof(piece)] = serving_byte(i);
        if (i % sizeof(piece) == sizeof(piece) - 1 || i == size - 1)
            gt_response_bytes(response, piece, i % sizeof(piece) + 1);
    }
}

static void handle_big(struct gt_web *web, struct gt_query *query)
{
    (void) web;
    gt_response_stream(query->response);
    write_big(query->request, query->response);
}

/* The same, but not as a download. */
static void handle_bounded(struct gt_web *web, struct gt_query *query)
{
    (void) web;
    gt_response_set_header(query->response, "X-Test", "big");
    write_big(query->request, query->response);
}

/*
 * JSON with a list of `n` pairs of numbers and texts of `size` bytes, between other members; a
 * text of `long` bytes is the member before the list.
 */
static void handle_list(struct gt_web *web, struct gt_query *query)
{
    static char text[GT_RESPONSE_MOST];
    uint64_t count = 0, size = 0, before = 0;
    struct gt_json json;
    (void) web;
    memset(text, 'x', sizeof(text));
    gt_query_uint(query, "n", 0, UINT32_MAX, &count);
    gt_query_uint(query, "size", 0, sizeof(text), &size);
    gt_query_uint(query, "long", 0, sizeof(text), &before);
    gt_json_start(&json, query->response);
    gt_json_key_int(&json, "first", 1);
    gt_json_key_string(&json, "long", (gt_string){text, before});
    gt_json_key_array(&json, "list");
    for (uint64_t i = 0; i < count; i++) {
        gt_json_object(&json);
        gt_json_key_uint(&json, "i", i);
        gt_json_key_array(&json, "texts");
        gt_json_string(&json, (gt_string){text, size});
        gt_json_end(&json);
        gt_json_end(&json);
    }
    gt_json_end(&json);
    gt_json_key_object(&json, "empty");
    gt_json_end(&json);
    gt_json_key_int(&json, "last", 2);
    gt_json_finish(&json);
}

static void handle_cut(struct gt_web *web, struct gt_query *query)
{
    (void) web;
    gt_response_stream(query->response);
    write_big(query->request, query->response);
    gt_response_error(query->response, 500, "it \"broke\" <\n\xff");
    /* As a handler does that ends what it has begun. */
    gt_response_text(query->response, "]}");
}

static void handle_header(struct gt_web *web, struct gt_query *query)
{
    (void) web;
    gt_response_set_header(query->response, "X-Test", gt_request_value(query->request, "v"));
}

static void handle_hold(struct gt_web *web, struct gt_query *query)
{
    const struct timespec pause = {0, 5000000};
    struct serving *serving = serving_now;
    int may_go = 0;

    (void) web;
    count(serving, &serving->begun);
    while (!may_go && !gt_response_is_over(query->response)) {
        nanosleep(&pause, NULL);
        pthread_mutex_lock(&serving->lock);
        may_go = serving->released > 0;
        serving->released -= may_go;
        pthread_mutex_unlock(&serving->lock);
    }
    gt_response_text(query->response, "released");
    count(serving, &serving->ended);
}

static void handle_endless(struct gt_web *web, struct gt_query *query)
{
    struct serving *serving = serving_now;
    char piece[1000];

    (void) web;
    gt_response_stream(query->response);
    memset(piece, 'x', sizeof(piece));
    count(serving, &serving->begun);
    while (!gt_response_is_over(query->response))
        gt_response_bytes(query->response, piece, sizeof(piece));
    count(serving, &serving->ended);
}

static const struct gt_web_route routes[] = {
    {"/", handle_root},
    {"/echo", handle_echo},
    {"/under/", handle_under},
    {"/big", handle_big},
    {"/bounded", handle_bounded},
    {"/list", handle_list},
    {"/cut", handle_cut},
    {"/header", handle_header},
    {"/hold", handle_hold},
    {"/endless", handle_endless},
    {NULL, NULL},
};

/* Answers with the size and the sum of the bytes of the body, which it reads up to `n` bytes of. */
static bool answer_change(const struct http_request *request, struct http_response *response)
{
    unsigned char piece[1000];
    char text[100] = "";
    uint64_t size = 0, sum = 0, most = UINT64_MAX;
    int64_t got = 0;

    if (http_query_value(request->query, "n", text, sizeof(text)))
        most = strtoull(text, NULL, 10);
    while (size < most && (got = http_read(request, piece, sizeof(piece))) > 0) {
        for (int64_t i = 0; i < got; i++)
            sum += piece[i];
        size += (uint64_t) got;
    }
    snprintf(text, sizeof(text), "%s %" PRIu64 " %" PRIu64,
             request->method == HTTP_POST ? "POST" : "DELETE", size, sum);
    if (got < 0)
        http_refuse(response, 408, "cut");
    else
        http_answer_json(response, 201, text, strlen(text));
    return true;
}

static bool answer(void *user_data, const struct http_request *request,
                   struct http_response *response)
{
    gt_web_request asked;
    gt_web_client client;
    struct gt_mem mem;

    if (request->method == HTTP_POST || request->method == HTTP_DELETE)
        return answer_change(request, response);
    gt_mem_init(&mem, NULL, 0);
    exchange_prepare(request, response, &asked, &client);
    serving_query = request->query;
    serving_now = user_data;
    const struct gt_web_routes all = {routes, &routes[sizeof(routes) / sizeof(routes[0]) - 1], 0};
    return gt_routes_answer(&all, NULL, &mem, GT_RESPONSE_POLICY "'none'", &asked, &client) ==
           GT_OK;
}

static void *run(void *user_data)
{
    http_server_run(user_data);
    return NULL;
}

void serving_start(struct serving *serving, const char *address,
                   const struct http_settings *settings)
{
    serving_start_changing(serving, address, settings, 0);
}

void serving_start_changing(struct serving *serving, const char *address,
                            const struct http_settings *settings, uint64_t most)
{
    char error[HTTP_TEXT_MAX] = "";

    memset(serving, 0, sizeof(*serving));
    pthread_mutex_init(&serving->lock, NULL);
    pthread_cond_init(&serving->changed, NULL);
    serving->server = http_server_open(address, answer, serving, settings, error);
    assert_string_equal(error, "");
    assert_non_null(serving->server);
    serving->url = http_server_url(serving->server);
    if (most > 0)
        http_server_accept_changes(serving->server, most);
    assert_int_equal(pthread_create(&serving->thread, NULL, run, serving->server), 0);
}

void serving_stop(struct serving *serving)
{
    http_server_stop(serving->server);
    pthread_join(serving->thread, NULL);
    http_server_close(serving->server);
    pthread_cond_destroy(&serving->changed);
    pthread_mutex_destroy(&serving->lock);
}

void serving_await_begun(struct serving *serving, int value)
{
    await(serving, &serving->begun, value);
}

void serving_await_ended(struct serving *serving, int value)
{
    await(serving, &serving->ended, value);
}

void serving_release(struct serving *serving)
{
    pthread_mutex_lock(&serving->lock);
    serving->released++;
    pthread_mutex_unlock(&serving->lock);
}
