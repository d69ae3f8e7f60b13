/* SPDX-License-Identifier: BSD-3-Clause */
#include "reply.h"

#include <stdlib.h>

void reply_send(struct jsontext *json, int status, struct http_response *response)
{
    if (!jsontext_end(json)) {
        http_refuse(response, 503, "out of memory");
        return;
    }
    http_answer_json(response, status, json->text, json->size);
    free(json->text);
}

void reply_refuse(struct http_response *response, int status, const char *text)
{
    struct jsontext json;
    jsontext_begin(&json);
    jsontext_print(&json, "{\"error\":");
    jsontext_put_text(&json, text);
    jsontext_print(&json, "}\n");
    reply_send(&json, status, response);
}
