/* SPDX-License-Identifier: BSD-3-Clause */
#include "client.h"

#include <fcntl.h>
#include <stdbool.h>
#include <unistd.h>

/* An answer, as the library gave it. */
struct reply {
    struct sink body;
    unsigned status;
    size_t headers;
    int calls;
};

static int begin(void *user_data, uint32_t status, const gt_web_header *headers, size_t count,
                 uint64_t length)
{
    struct reply *reply = user_data;
    reply->status = status;
    reply->headers = count;
    say("begin %u", (unsigned) status);
    for (size_t i = 0; i < count; i++)
        say("  %s: %s", headers[i].name, headers[i].value);
    say("  length known %d", length != GT_WEB_LENGTH_UNKNOWN);
    return 0;
}

static int write_body(void *user_data, const void *data, size_t size)
{
    struct reply *reply = user_data;
    return take_bytes(&reply->body, data, size);
}

static int client_is_gone(void *user_data)
{
    struct reply *reply = user_data;
    reply->calls++;
    return 0;
}

static void answer(gt_web *web, const char *method, const char *path, const char *query)
{
    struct reply reply;
    gt_web_request request = GT_WEB_REQUEST_INIT;
    gt_web_client client = GT_WEB_CLIENT_INIT;
    memset(&reply, 0, sizeof(reply));
    request.method = method;
    request.path = path;
    request.query = query;
    client.user_data = &reply;
    client.begin = begin;
    client.write = write_body;
    client.is_gone = client_is_gone;
    says(path, gt_web_answer(web, &request, &client));
    say_sink("body", &reply.body);
}

static void count_repair(void *user_data, const gt_error *repair)
{
    (void) user_data;
    say_error("repair", repair);
}

static int symbolize(void *user_data, gt_symbol *symbols, size_t count)
{
    (void) user_data;
    (void) symbols;
    say("symbols %d", count > 0);
    return 0;
}

static void on_loaded(void *user_data, gt_error *error, uint64_t repairs)
{
    say("loaded %d %llu", user_data != NULL, (unsigned long long) repairs);
    say_error("loaded", error);
}

static gt_status open_again(void *user_data, const gt_reader_options *options, gt_reader **reader,
                            gt_error *error)
{
    const struct trace *from = user_data;
    return gt_reader_open_memory(reader, from->data, from->size, options, error);
}

/* Loads what was opened, and asks for something of it. */
static void use(gt_status status, gt_web **opened, const gt_error *error)
{
    gt_web *web = *opened;
    FILLED(gt_web_progress, progress, GT_WEB_PROGRESS_INIT);
    FILLED(gt_error, ended, GT_ERROR_INIT);
    must("open", status);
    say_error("open", error);
    while ((status = gt_web_step(web, 1000000)) == GT_OK)
        continue;
    says("step", status);
    must("progress", gt_web_get_progress(web, &progress.value));
    NUMBER(progress.value, bytes);
    NUMBER(progress.value, total);
    NUMBER(progress.value, events);
    NUMBER(progress.value, repairs);
    NUMBER(progress.value, done);
    NUMBER(progress.value, status);
    NUMBER(progress.value, live);
    INTACT(gt_web_progress, progress);
    must("error", gt_web_error(web, &ended.value));
    say_error("error", &ended.value);
    INTACT(gt_error, ended);
    answer(web, "GET", "/api/rows", "view=proc");
    answer(web, "HEAD", "/api/rows", "view=goroutine");
    answer(web, "PUT", "/", NULL);
    answer(web, "GET", "/nothing", NULL);
    gt_web_close(opened);
}

void use_web(void)
{
    gt_web *web = NULL;
    gt_error error = GT_ERROR_INIT;
    gt_web_options options = GT_WEB_OPTIONS_INIT;
    options.flags = GT_WEB_NO_THREADS;
    options.name = "name";
    options.user_data = &options;
    options.on_repair = count_repair;
    options.symbolize = symbolize;
    options.on_loaded = on_loaded;
    use(gt_web_open_memory(&web, trace.data, trace.size, &options, &error), &web, &error);
    use(gt_web_open_callback(&web, open_again, &trace, trace.size, &options, &error), &web, &error);
    options.reader_flags = GT_READER_AS_RECORDED;
    use(gt_web_open_file(&web, trace.path, &options, &error), &web, &error);
    int fd = open(trace.path, O_RDONLY);
    use(gt_web_open_fd(&web, fd, &options, &error), &web, &error);
    close(fd);
}
