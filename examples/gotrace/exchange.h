/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EXCHANGE_H
#define EXCHANGE_H

/* Requests of the server in http/, answered by libgotrace-web. */

#include <pthread.h>
#include <stdatomic.h>

#include <gotrace/web.h>

#include "http/server.h"

/* The viewer that answers requests, and the permissions of the clients. */
struct exchange {
    gt_web *web;
    /* Clients may change the notes. */
    bool may_change;
    /* Held during a change, because several open traces may share one file of notes. */
    pthread_mutex_t *changing;
    /* Set when the viewer is to be closed, so that its answers must end. */
    const atomic_bool *is_over;
};

/* An http_handler whose user data is a struct exchange. */
bool exchange_answer(void *exchange, const struct http_request *request,
                     struct http_response *response);

/* Prepares the arguments of gt_web_answer for `request`. Both structures are valid as long as the
 * request. */
void exchange_prepare(const struct http_request *request, struct http_response *response,
                      gt_web_request *asked, gt_web_client *client);

#endif
