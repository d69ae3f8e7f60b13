/* SPDX-License-Identifier: BSD-3-Clause */
#include "exchange.h"

#include "heap.h"
#include "http/clock.h"

enum {
    EXCHANGE_HEADERS_MAX = 32,
    /* An answer that took longer may have needed much memory. In milliseconds. */
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

bool exchange_answer(void *web, const struct http_request *request, struct http_response *response)
{
    gt_web_request asked;
    gt_web_client client;
    int64_t start = http_clock();
    exchange_prepare(request, response, &asked, &client);
    bool good = gt_web_answer(web, &asked, &client) == GT_OK;
    if (http_clock() - start > EXCHANGE_LONG)
        heap_return_free();
    return good;
}
