/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef REPLY_H
#define REPLY_H

/* An answer in JSON of the command itself, rather than of libgotrace-web. */

#include "http/server.h"
#include "jsontext.h"

/* Ends the text, sends it as the answer, and frees it. */
void reply_send(struct jsontext *json, int status, struct http_response *response);

/* Answers {"error":TEXT}, where the text may need escapes. */
void reply_refuse(struct http_response *response, int status, const char *text);

#endif
