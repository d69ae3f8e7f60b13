/* SPDX-License-Identifier: BSD-3-Clause */
#include "request.h"

int64_t http_read(const struct http_request *request, void *to, size_t size)
{
    struct http_body *body = request->body;
    if (!body || body->left == 0 || size == 0)
        return 0;
    int64_t got =
        body->receive(body->user_data, to, body->left < size ? (size_t) body->left : size);
    if (got > 0)
        body->left -= (uint64_t) got;
    return got;
}
