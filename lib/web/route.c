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

static void route_handle(const struct gt_web_route *route, struct gt_web *web,
                         struct gt_query *query)
{
    while (route->path && !route_matches(route->path, query->request->path))
        route++;
    if (route->path)
        route->handle(web, query);
    else
        gt_response_error(query->response, 404, "there is nothing here");
    if (query->release)
        query->release(query->held);
}

gt_status gt_routes_answer(const struct gt_web_route *routes, struct gt_web *web,
                           struct gt_mem *mem, const char *policy, const gt_web_request *request,
                           const gt_web_client *client)
{
    struct gt_request parsed;
    struct gt_response response;
    bool is_head = strcmp(request->method, "HEAD") == 0;
    gt_response_init(&response, mem, policy, client, is_head);
    if (!is_head && strcmp(request->method, "GET") != 0) {
        gt_response_error(&response, 405, "only GET and HEAD");
        gt_response_set_header(&response, "Allow", "GET, HEAD");
        return gt_response_finish(&response);
    }
    gt_status status =
        gt_request_init(&parsed, mem, request->path, request->query ? request->query : "");
    if (status == GT_OK) {
        route_handle(routes, web, &(struct gt_query){.request = &parsed, .response = &response});
        gt_request_free(&parsed);
    } else if (status == GT_ERR_NO_MEMORY) {
        gt_response_no_memory(&response);
    } else {
        gt_response_error(&response, 400, "malformed query");
    }
    return gt_response_finish(&response);
}
