/* SPDX-License-Identifier: BSD-3-Clause */
#include "web/route.h"

#include <string.h>

static bool route_matches(const char *route, const char *path)
{
    size_t length = strlen(route);
    if (length > 1 && route[length - 1] == '/')
        return strncmp(route, path, length) == 0;
    return strcmp(route, path) == 0;
}

/* Returns the route of a path, or the last one of the list, which has no path, if none matches. */
static const struct gt_web_route *route_find(const struct gt_web_route *route, const char *path)
{
    while (route->path && !route_matches(route->path, path))
        route++;
    return route;
}

/*
 * Whether the request is for what another gt_web has shown of the recording, whose ids mean other
 * things here. Answers it then.
 */
static bool route_refuse_stale(uint64_t epoch, struct gt_query *query)
{
    uint64_t asked = epoch;
    gt_query_uint(query, "epoch", 0, UINT64_MAX, &asked);
    if (query->failed || epoch == 0 || asked == epoch)
        return query->failed;
    gt_response_error(query->response, 410,
                      "this part of the recording was let go; load the page again");
    return true;
}

static void route_handle(const struct gt_web_route *route, uint64_t epoch, struct gt_web *web,
                         struct gt_query *query)
{
    if (!route->path)
        gt_response_error(query->response, 404, "there is nothing here");
    else if (!route_refuse_stale(epoch, query))
        route->handle(web, query);
    if (query->release)
        query->release(query->held);
}

/* Returns the list of routes for a request, or NULL if its method is not for its path. */
static const struct gt_web_route *route_list_find(const struct gt_web_routes *routes,
                                                  const gt_web_request *request)
{
    bool is_reading = strcmp(request->method, "GET") == 0 || strcmp(request->method, "HEAD") == 0;
    if (is_reading)
        return routes->reading;
    bool is_changing =
        strcmp(request->method, "POST") == 0 && route_find(routes->changing, request->path)->path;
    return is_changing ? routes->changing : NULL;
}

gt_status gt_routes_answer(const struct gt_web_routes *routes, struct gt_web *web,
                           struct gt_mem *mem, const char *policy, const gt_web_request *request,
                           const gt_web_client *client)
{
    struct gt_request parsed;
    struct gt_response response;
    struct gt_query query = {
        .request = &parsed,
        .response = &response,
        .body = {request->body, request->body ? request->body_size : 0},
        .may_change = (request->flags & GT_WEB_MAY_CHANGE) != 0,
    };
    const struct gt_web_route *list = route_list_find(routes, request);
    gt_response_init(&response, mem, policy, client, strcmp(request->method, "HEAD") == 0);
    if (!list) {
        gt_response_error(&response, 405, "only GET and HEAD");
        gt_response_set_header(&response, "Allow", "GET, HEAD");
        return gt_response_finish(&response);
    }
    gt_status status =
        gt_request_init(&parsed, mem, request->path, request->query ? request->query : "");
    if (status == GT_OK) {
        route_handle(route_find(list, parsed.path), routes->epoch, web, &query);
        gt_request_free(&parsed);
    } else if (status == GT_ERR_NO_MEMORY) {
        gt_response_no_memory(&response);
    } else {
        gt_response_error(&response, 400, "malformed query");
    }
    return gt_response_finish(&response);
}
