/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef REPLY_H
#define REPLY_H

/* An answer in JSON of the command itself, rather than of libgotrace-web. */

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "http/server.h"

struct reply {
    char *text;
    size_t size;
    /* The stream to which reply_print prints; NULL if memory has run out. */
    FILE *stream;
};

void reply_begin(struct reply *reply);

/* Prints as printf does. Does nothing if memory has run out. */
__attribute__((format(printf, 2, 3))) void reply_print(struct reply *reply, const char *format,
                                                       ...);

/* Prints a text in quotes, with escapes. */
void reply_put_text(struct reply *reply, const char *text);

/* Sends the answer and frees it. */
void reply_send(struct reply *reply, int status, struct http_response *response);

/* Answers {"error":TEXT}, where the text may need escapes. */
void reply_refuse(struct http_response *response, int status, const char *text);

#endif
