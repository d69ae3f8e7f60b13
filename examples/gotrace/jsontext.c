/* SPDX-License-Identifier: BSD-3-Clause */
#include "jsontext.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

void jsontext_begin(struct jsontext *json)
{
    *json = (struct jsontext){.text = NULL};
    json->stream = open_memstream(&json->text, &json->size);
}

void jsontext_print(struct jsontext *json, const char *format, ...)
{
    va_list arguments;
    if (!json->stream)
        return;
    va_start(arguments, format);
    vfprintf(json->stream, format, arguments);
    va_end(arguments);
}

void jsontext_put_string(struct jsontext *json, gt_string string)
{
    char escaped[256];
    if (!json->stream)
        return;
    fputc('"', json->stream);
    while (string.size > 0)
        fwrite(escaped, 1, gt_string_escape_json(&string, escaped, sizeof(escaped)), json->stream);
    fputc('"', json->stream);
}

void jsontext_put_text(struct jsontext *json, const char *text)
{
    jsontext_put_string(json, (gt_string){text, strlen(text)});
}

bool jsontext_end(struct jsontext *json)
{
    bool is_good = json->stream && !ferror(json->stream);
    is_good = json->stream && fclose(json->stream) == 0 && is_good;
    json->stream = NULL;
    if (!is_good)
        free(json->text);
    return is_good;
}
