/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_WEB_ROUTE_H
#define GT_WEB_ROUTE_H

/* Dispatches requests to handlers by path. */

#include <gotrace/web.h>

#include "web/query.h"

struct gt_web;

/* Answers the request of a query. A handler may be called by several threads at once. */
typedef void gt_web_handler(struct gt_web *web, struct gt_query *query);

struct gt_web_route {
    /* The path, or a prefix of paths if it ends in '/'. "/" matches only itself. */
    const char *path;
    gt_web_handler *handle;
};

/* The lists of routes, each of which ends with a route whose path is NULL. */
struct gt_web_routes {
    /* For GET and HEAD. */
    const struct gt_web_route *reading;
    /* For POST. */
    const struct gt_web_route *changing;
    /* As in gt_web_options. */
    uint64_t epoch;
};

/*
 * Answers a request by the first route for its method that matches. `mem` provides the memory for
 * the answer, and `policy` is its Content-Security-Policy. Returns what gt_web_answer returns. The
 * two structures of the host must be valid.
 */
gt_status gt_routes_answer(const struct gt_web_routes *routes, struct gt_web *web,
                           struct gt_mem *mem, const char *policy, const gt_web_request *request,
                           const gt_web_client *client);

#endif
