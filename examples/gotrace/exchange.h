/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EXCHANGE_H
#define EXCHANGE_H

/* Requests of the server in http/, answered by libgotrace-web. */

#include <pthread.h>

#include <gotrace/web.h>

#include "http/server.h"

/* Who answers requests, and what they may do. */
struct exchange {
    gt_web *web;
    /* They may change the notes. */
    bool may_change;
    /* Held while they do: several traces may have the same notes. */
    pthread_mutex_t *changing;
};

/* An http_handler whose user data is a struct exchange. */
bool exchange_answer(void *exchange, const struct http_request *request,
                     struct http_response *response);

/* Where a gt_web_answer for `request` goes: fills both, which are good as long as the request. */
void exchange_prepare(const struct http_request *request, struct http_response *response,
                      gt_web_request *asked, gt_web_client *client);

#endif
