/* SPDX-License-Identifier: BSD-3-Clause */
#include "view/web_client.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "support/files.h"
#include "support/grow.h"
#include "support/test.h"

static int begin(void *user_data, uint32_t status, const gt_web_header *headers, size_t count,
                 uint64_t length)
{
    struct web_reply *reply = user_data;
    size_t used = 0;
    reply->status = status;
    reply->length = length;
    reply->begins++;
    for (size_t i = 0; i < count; i++)
        used += (size_t) snprintf(reply->headers + used, sizeof(reply->headers) - used, "%s: %s\n",
                                  headers[i].name, headers[i].value);
    assert_true(used < sizeof(reply->headers));
    return reply->refuses_begin;
}

static int write_body(void *user_data, const void *data, size_t size)
{
    struct web_reply *reply = user_data;
    assert_int_equal(reply->begins, 1);
    assert_true(size > 0);
    reply->body = grow(reply->body, reply->size, size + 1);
    memcpy(reply->body + reply->size, data, size);
    reply->size += size;
    reply->body[reply->size] = '\0';
    reply->writes++;
    return reply->refuses_write;
}

static int is_gone(void *user_data)
{
    const struct web_reply *reply = user_data;
    return reply->is_gone;
}

gt_web_client web_client_of(struct web_reply *reply)
{
    gt_web_client client = GT_WEB_CLIENT_INIT;
    client.user_data = reply;
    client.begin = begin;
    client.write = write_body;
    client.is_gone = is_gone;
    return client;
}

/* Sends a request for a target, whose other members are set. */
static gt_status send_request(gt_web *web, gt_web_request *request, const char *target,
                              struct web_reply *reply)
{
    char path[500];
    gt_web_client client = web_client_of(reply);
    size_t size = strcspn(target, "?");
    assert_true(size < sizeof(path));
    memcpy(path, target, size);
    path[size] = '\0';
    request->path = path;
    request->query = target[size] == '?' ? target + size + 1 : NULL;
    return gt_web_answer(web, request, &client);
}

gt_status web_ask(gt_web *web, const char *method, const char *target, struct web_reply *reply)
{
    gt_web_request request = GT_WEB_REQUEST_INIT;
    request.method = method;
    return send_request(web, &request, target, reply);
}

gt_status web_post(gt_web *web, const char *target, const void *body, size_t size, uint64_t flags,
                   struct web_reply *reply)
{
    gt_web_request request = GT_WEB_REQUEST_INIT;
    request.method = "POST";
    request.body = body;
    request.body_size = size;
    request.flags = flags;
    return send_request(web, &request, target, reply);
}

void web_reply_free(struct web_reply *reply)
{
    free(reply->body);
    memset(reply, 0, sizeof(*reply));
}

struct web_reply web_get(gt_web *web, const char *target)
{
    struct web_reply reply = {0};
    assert_status(web_ask(web, "GET", target, &reply), GT_OK);
    assert_int_equal(reply.begins, 1);
    if (reply.length != GT_WEB_LENGTH_UNKNOWN)
        assert_int_equal(reply.length, reply.size);
    return reply;
}

struct web_reply web_get_made(gt_web *web, const char *target)
{
    struct web_reply reply = web_get(web, target);
    while (reply.status == 202) {
        const struct timespec moment = {0, 5000000};
        web_reply_free(&reply);
        if (gt_web_step(web, 1000000) == GT_ERR_INVALID_ARGUMENT)
            nanosleep(&moment, NULL);
        reply = web_get(web, target);
    }
    return reply;
}

char *web_trace_path(const char *name)
{
    return files_join(files_testdata(), name);
}

gt_web *web_open_trace(const char *name, const gt_web_options *options)
{
    char *path = web_trace_path(name);
    gt_web *web;
    gt_error error = GT_ERROR_INIT;
    if (gt_web_open_file(&web, path, options, &error) != GT_OK)
        fail_msg("%s: %s", path, error.message);
    free(path);
    return web;
}

gt_web *web_open_without_threads(const char *name)
{
    gt_web_options options = GT_WEB_OPTIONS_INIT;
    options.flags = GT_WEB_NO_THREADS;
    options.name = name;
    return web_open_trace(name, &options);
}

gt_web_progress web_progress(gt_web *web)
{
    gt_web_progress progress = GT_WEB_PROGRESS_INIT;
    assert_status(gt_web_get_progress(web, &progress), GT_OK);
    return progress;
}

void web_await_loaded(gt_web *web)
{
    const struct timespec moment = {0, 1000000};
    while (!web_progress(web).done)
        nanosleep(&moment, NULL);
}

void web_load_in_steps(gt_web *web)
{
    while (gt_web_step(web, 0) == GT_OK)
        continue;
    assert_int_equal(web_progress(web).done, 1);
}
