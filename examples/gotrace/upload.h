/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef UPLOAD_H
#define UPLOAD_H

/* A trace that a client sends. */

#include <stdint.h>
#include <stdio.h>

#include "http/server.h"

/*
 * Receives the body of `request`, decompresses it if needed, and returns it in an unnamed temporary
 * file. If there are more than `most` bytes, or after another failure, it answers with the reason
 * and returns NULL.
 */
FILE *upload_receive(const struct http_request *request, uint64_t most,
                     struct http_response *response);

#endif
