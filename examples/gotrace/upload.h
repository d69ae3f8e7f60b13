/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef UPLOAD_H
#define UPLOAD_H

/* A trace that a client sends. */

#include <stdint.h>
#include <stdio.h>

#include <gotrace/status.h>

#include "http/server.h"

/* Why an upload is refused: the status of the answer, and the text for the user. */
struct upload_refusal {
    int status;
    char text[GT_ERROR_TEXT_SIZE];
};

/*
 * Receives the body of `request`, decompresses it if needed, and returns it in an unnamed temporary
 * file. It gives up when the client of `response` is gone. If there are more than `most` bytes, or
 * after another failure, it gives the reason and returns NULL. It sends no answer, so that the
 * caller can release what the upload has used before the client goes on.
 */
FILE *upload_receive(const struct http_request *request, uint64_t most,
                     const struct http_response *response, struct upload_refusal *refusal);

#endif
