/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TESTS_VIEW_WEB_CLIENT_H
#define TESTS_VIEW_WEB_CLIENT_H

/* A client of libgotrace-web. It asserts everything that must not fail. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <gotrace/web.h>

/* What gt_web_answer returned, and how the client behaves. */
struct web_reply {
    uint32_t status;
    /* The headers, as lines "NAME: VALUE". */
    char headers[4096];
    uint64_t length;
    char *body;
    size_t size;
    int begins, writes;
    /* Which of the client's functions report that it has gone away. */
    bool refuses_begin, refuses_write, is_gone;
};

/* Returns a client that keeps the answer in `*reply`. */
gt_web_client web_client_of(struct web_reply *reply);

/* Sends a request for a target such as "/api/rows?view=proc". */
gt_status web_ask(gt_web *web, const char *method, const char *target, struct web_reply *reply);

/* Sends a POST with a body. `flags` are those of gt_web_request. */
gt_status web_post(gt_web *web, const char *target, const void *body, size_t size, uint64_t flags,
                   struct web_reply *reply);

/* Frees what the members of a reply own. */
void web_reply_free(struct web_reply *reply);

/* Returns the answer to a GET, which must be complete. The caller frees it with reply_free. */
struct web_reply web_get(gt_web *web, const char *target);

/* The same, after waiting until the analysis that it needs is done. */
struct web_reply web_get_made(gt_web *web, const char *target);

/* Returns the path of a trace of testdata. The caller frees it with free. */
char *web_trace_path(const char *name);

/* Opens a trace of testdata, which must succeed. */
gt_web *web_open_trace(const char *name, const gt_web_options *options);

/* The same without a thread that loads: the caller does that by gt_web_step. */
gt_web *web_open_without_threads(const char *name);

/* Returns how far loading has come. */
gt_web_progress web_progress(gt_web *web);

/* Waits until another thread has loaded the trace. */
void web_await_loaded(gt_web *web);

/* Loads all of a trace that was opened without threads. */
void web_load_in_steps(gt_web *web);

#endif
