/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EXCHANGE_H
#define EXCHANGE_H

/* Requests of the server in http/, answered by libgotrace-web. */

#include <gotrace/web.h>

#include "http/server.h"

/* An http_handler whose user data is a gt_web. */
bool exchange_answer(void *web, const struct http_request *request, struct http_response *response);

/* Where a gt_web_answer for `request` goes: fills both, which are good as long as the request. */
void exchange_prepare(const struct http_request *request, struct http_response *response,
                      gt_web_request *asked, gt_web_client *client);

#endif
