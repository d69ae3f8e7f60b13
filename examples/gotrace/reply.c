/* SPDX-License-Identifier: BSD-3-Clause */
#include "reply.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <gotrace/types.h>

void reply_begin(struct reply *reply)
{
    *reply = (struct reply){.text = NULL};
    reply->stream = open_memstream(&reply->text, &reply->size);
}

void reply_print(struct reply *reply, const char *format, ...)
{
    va_list arguments;
    if (!reply->stream)
        return;
    va_start(arguments, format);
    vfprintf(reply->stream, format, arguments);
    va_end(arguments);
}

void reply_put_text(struct reply *reply, const char *text)
{
    gt_string rest = {text, strlen(text)};
    char escaped[256];
    if (!reply->stream)
        return;
    fputc('"', reply->stream);
    while (rest.size > 0)
        fwrite(escaped, 1, gt_string_escape_json(&rest, escaped, sizeof(escaped)), reply->stream);
    fputc('"', reply->stream);
}

void reply_send(struct reply *reply, int status, struct http_response *response)
{
    bool is_good = reply->stream && !ferror(reply->stream);
    is_good = reply->stream && fclose(reply->stream) == 0 && is_good;
    if (is_good)
        http_answer_json(response, status, reply->text, reply->size);
    else
        http_refuse(response, 503, "out of memory");
    free(reply->text);
}

void reply_refuse(struct http_response *response, int status, const char *text)
{
    struct reply reply;
    reply_begin(&reply);
    reply_print(&reply, "{\"error\":");
    reply_put_text(&reply, text);
    reply_print(&reply, "}\n");
    reply_send(&reply, status, response);
}
