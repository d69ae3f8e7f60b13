/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_WEB_ROUTE_H
#define GT_WEB_ROUTE_H

/* From a request to the handler of its path. */

#include <gotrace/web.h>

#include "web/request.h"
#include "web/response.h"

/* May be called by several threads at once. */
typedef void gt_web_handler(void *user_data, const struct gt_request *request,
                            struct gt_response *response);

struct gt_web_route {
    /* This path, or those that begin with it if it ends in '/'. "/" alone is that path only. */
    const char *path;
    gt_web_handler *handle;
};

/*
 * Answers a request by the first of `routes` that matches; they end with one without a path.
 * Returns as gt_web_answer does. The two structures of the host are valid ones.
 */
gt_status gt_routes_answer(const struct gt_web_route *routes, void *user_data,
                           const gt_web_request *request, const gt_web_client *client);

#endif
