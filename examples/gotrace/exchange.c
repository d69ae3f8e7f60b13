/* SPDX-License-Identifier: BSD-3-Clause */
#include "exchange.h"

#include <stdlib.h>

#include "heap.h"
#include "http/clock.h"

enum {
    EXCHANGE_HEADERS_MAX = 32,
    /* The time in milliseconds after which an answer is assumed to have needed much memory. */
    EXCHANGE_LONG = 500
};

static const char *const exchange_methods[] = {
    [HTTP_GET] = "GET", [HTTP_HEAD] = "HEAD", [HTTP_POST] = "POST", [HTTP_DELETE] = "DELETE"};

static int exchange_begin(void *user_data, uint32_t status, const gt_web_header *headers,
                          size_t count, uint64_t length)
{
    struct http_response *response = user_data;
    struct http_header copies[EXCHANGE_HEADERS_MAX];
    if (count > EXCHANGE_HEADERS_MAX)
        count = EXCHANGE_HEADERS_MAX;
    for (size_t i = 0; i < count; i++)
        copies[i] = (struct http_header){headers[i].name, headers[i].value};
    if (length == GT_WEB_LENGTH_UNKNOWN)
        length = HTTP_LENGTH_UNKNOWN;
    http_begin(response, (int) status, copies, count, length);
    return 0;
}

static int exchange_write(void *user_data, const void *data, size_t size)
{
    return http_write(user_data, data, size) ? 0 : -1;
}

static int exchange_is_gone(void *user_data)
{
    return http_is_gone(user_data);
}

void exchange_prepare(const struct http_request *request, struct http_response *response,
                      gt_web_request *asked, gt_web_client *client)
{
    *asked = (gt_web_request) GT_WEB_REQUEST_INIT;
    asked->method = exchange_methods[request->method];
    asked->path = request->path;
    asked->query = request->query;
    *client = (gt_web_client) GT_WEB_CLIENT_INIT;
    client->user_data = response;
    client->begin = exchange_begin;
    client->write = exchange_write;
    client->is_gone = exchange_is_gone;
}

/* Passes an answer on until the viewer is to be closed. */
struct exchange_guard {
    const gt_web_client *client;
    const atomic_bool *is_over;
};

static int exchange_guard_begin(void *user_data, uint32_t status, const gt_web_header *headers,
                                size_t count, uint64_t length)
{
    const struct exchange_guard *guard = user_data;
    return guard->client->begin(guard->client->user_data, status, headers, count, length);
}

static int exchange_guard_write(void *user_data, const void *data, size_t size)
{
    const struct exchange_guard *guard = user_data;
    return guard->client->write(guard->client->user_data, data, size);
}

static int exchange_guard_is_gone(void *user_data)
{
    const struct exchange_guard *guard = user_data;
    return atomic_load(guard->is_over) || guard->client->is_gone(guard->client->user_data);
}

/* Receives the body of a request. Returns NULL after a failure, which it has reported to the
 * client. */
static char *exchange_receive(const struct http_request *request, struct http_response *response)
{
    if (request->body->left > GT_WEB_NOTES_MAX) {
        http_refuse(response, 413, "the body is too large");
        return NULL;
    }
    size_t size = (size_t) request->body->left, used = 0;
    char *body = malloc(size + 1);
    int64_t got = body ? 1 : -1;
    while (got > 0 && used < size) {
        got = http_read(request, body + used, size - used);
        used += got > 0 ? (size_t) got : 0;
    }
    if (used == size && body)
        return body;
    if (body)
        http_refuse(response, 408, "the body did not arrive in time, or not completely");
    else
        http_refuse(response, 503, "out of memory");
    free(body);
    return NULL;
}

/* Answers a request that changes something. */
static bool exchange_change(const struct exchange *exchange, const struct http_request *request,
                            gt_web_request *asked, const gt_web_client *client,
                            struct http_response *response)
{
    size_t size = (size_t) request->body->left;
    char *body = exchange_receive(request, response);
    if (!body)
        return true;
    asked->body = body;
    asked->body_size = size;
    pthread_mutex_lock(exchange->changing);
    bool is_whole = gt_web_answer(exchange->web, asked, client) == GT_OK;
    pthread_mutex_unlock(exchange->changing);
    free(body);
    return is_whole;
}

bool exchange_answer(void *user_data, const struct http_request *request,
                     struct http_response *response)
{
    const struct exchange *exchange = user_data;
    gt_web_request asked;
    gt_web_client client;
    int64_t start = http_clock();
    exchange_prepare(request, response, &asked, &client);
    asked.flags = exchange->may_change ? GT_WEB_MAY_CHANGE : 0;
    if (request->method == HTTP_POST)
        return exchange_change(exchange, request, &asked, &client, response);
    struct exchange_guard guard = {&client, exchange->is_over};
    const gt_web_client guarded = {sizeof(guarded), &guard, exchange_guard_begin,
                                   exchange_guard_write, exchange_guard_is_gone};
    bool good = gt_web_answer(exchange->web, &asked, &guarded) == GT_OK;
    if (http_clock() - start > EXCHANGE_LONG)
        heap_return_free();
    return good;
}
