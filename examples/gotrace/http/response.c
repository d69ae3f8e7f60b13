/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "reply.h"

enum {
    HEAD_ROOM = 4096,
    /* A chunk's size. */
    NUMBER_ROOM = 24,
    /* In front of the body, ... */
    FRONT_ROOM = HEAD_ROOM + NUMBER_ROOM,
    /* ... and behind it: the ends of two chunks. */
    END_ROOM = 8,
    /* What there is for the body at first. */
    FIRST_ROOM = 4096
};

static const char common_headers[] =
    "Cache-Control: no-store\r\n"
    "Content-Security-Policy: default-src 'self'; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data: blob:\r\n"
    "Cross-Origin-Resource-Policy: same-origin\r\n"
    "Referrer-Policy: no-referrer\r\n"
    "X-Content-Type-Options: nosniff\r\n";

static const struct {
    int status;
    const char *reason;
} reasons[] = {
    {200, "OK"},
    {202, "Accepted"},
    {302, "Found"},
    {400, "Bad Request"},
    {403, "Forbidden"},
    {404, "Not Found"},
    {405, "Method Not Allowed"},
    {408, "Request Timeout"},
    {413, "Content Too Large"},
    {414, "URI Too Long"},
    {431, "Request Header Fields Too Large"},
    {500, "Internal Server Error"},
    {501, "Not Implemented"},
    {503, "Service Unavailable"},
    {505, "HTTP Version Not Supported"},
};

static const char *find_reason(int status)
{
    for (size_t i = 0; i < sizeof(reasons) / sizeof(reasons[0]); i++) {
        if (reasons[i].status == status)
            return reasons[i].reason;
    }
    return "Other";
}

void http_response_init(struct http_response *response, const struct http_sink *sink)
{
    *response =
        (struct http_response){.sink = sink, .status = 200, .type = "application/octet-stream"};
}

void http_set_status(struct http_response *response, int status)
{
    response->status = status;
}

void http_set_type(struct http_response *response, const char *type)
{
    response->type = type;
}

static bool has_control(const char *text)
{
    for (; *text != '\0'; text++) {
        if ((unsigned char) *text < ' ' || *text == 0x7f)
            return true;
    }
    return false;
}

void http_set_header(struct http_response *response, const char *name, const char *value)
{
    size_t room = sizeof(response->extra) - response->extra_size;
    int size =
        has_control(name) || has_control(value)
            ? -1
            : snprintf(response->extra + response->extra_size, room, "%s: %s\r\n", name, value);
    if (size < 0 || (size_t) size >= room)
        http_error(response, 500, "a header cannot be sent");
    else
        response->extra_size += (size_t) size;
}

/* The time in the one form of RFC 9110, 5.6.7, which strftime has in English only by chance. */
static void put_date(char *to, size_t room)
{
    static const char days[][4] = {"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
    static const char months[][4] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                     "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
    time_t now = time(NULL);
    struct tm when;
    to[0] = '\0';
    if (gmtime_r(&now, &when) != NULL)
        snprintf(to, room, "Date: %s, %02d %s %d %02d:%02d:%02d GMT\r\n", days[when.tm_wday],
                 when.tm_mday, months[when.tm_mon], when.tm_year + 1900, when.tm_hour, when.tm_min,
                 when.tm_sec);
}

static char *put_text(char *to, const char *text)
{
    size_t size = strlen(text);
    memcpy(to, text, size + 1);
    return to + size;
}

/* Writes the head to the HEAD_ROOM bytes at `to`. Returns its size. */
static size_t put_head(const struct http_response *response, char *to, bool is_whole)
{
    char date[64], length[64] = "";
    put_date(date, sizeof(date));
    if (is_whole)
        snprintf(length, sizeof(length), "Content-Length: %zu\r\n", response->used);
    else if (response->can_chunk)
        snprintf(length, sizeof(length), "Transfer-Encoding: chunked\r\n");
    int size = snprintf(to, HEAD_ROOM, "HTTP/1.1 %d %s\r\n%sContent-Type: %s\r\n%s%s%s%s\r\n",
                        response->status, find_reason(response->status), date, response->type,
                        length, response->keep_alive ? "" : "Connection: close\r\n", common_headers,
                        response->extra);
    return (size_t) size;
}

/* Makes a chunk of the `used` bytes at `data`; its size goes to `line`. Returns its end. */
static size_t frame(char *line, char *data, size_t used, bool is_last)
{
    line[0] = '\0';
    if (used != 0) {
        snprintf(line, NUMBER_ROOM, "%zx\r\n", used);
        used = (size_t) (put_text(data + used, "\r\n") - data);
    }
    if (is_last)
        used = (size_t) (put_text(data + used, "0\r\n\r\n") - data);
    return used;
}

/*
 * Sends what the buffer holds, and the head before it if that is still to come: as all of
 * the body, as its last part, or as one of others that follow. In one piece, so that a
 * short answer is one packet.
 */
static void flush(struct http_response *response, bool is_last)
{
    char front[FRONT_ROOM] = "", *data = front;
    bool is_whole = is_last && !response->is_head_sent;
    size_t size = 0, used = response->head_only ? 0 : response->used;
    if (!is_whole && !response->can_chunk)
        response->keep_alive = false;
    if (!response->is_head_sent)
        size = put_head(response, front, is_whole);
    if (response->buffer != NULL) {
        data = response->buffer + FRONT_ROOM;
        if (!is_whole && response->can_chunk && !response->head_only)
            used = frame(front + size, data, used, is_last);
        size += strlen(front + size);
        data = memcpy(data - size, front, size);
    }
    if (!response->sink->send(response->sink->user_data, data, size + used))
        response->is_broken = true;
    response->is_head_sent = true;
    response->used = 0;
}

/* Makes room for at least one more byte. False where there is none. */
static bool grow(struct http_response *response)
{
    size_t room = response->room == 0 ? FIRST_ROOM : response->room * 2;
    if (response->room >= HTTP_BUFFER_MAX) {
        flush(response, false);
        return !response->is_broken;
    }
    char *buffer = realloc(response->buffer, FRONT_ROOM + room + END_ROOM);
    if (buffer == NULL) {
        response->is_short = true;
        return false;
    }
    response->buffer = buffer;
    response->room = room;
    return true;
}

static bool is_over(const struct http_response *response)
{
    return response->is_broken || response->is_short ||
           (response->head_only && response->is_head_sent);
}

void http_bytes(struct http_response *response, const void *data, size_t size)
{
    const char *from = data;
    while (size > 0 && !is_over(response)) {
        size_t part = response->room - response->used;
        if (part == 0) {
            if (!grow(response))
                return;
            continue;
        }
        if (part > size)
            part = size;
        memcpy(response->buffer + FRONT_ROOM + response->used, from, part);
        response->used += part;
        from += part;
        size -= part;
    }
}

void http_text(struct http_response *response, const char *text)
{
    http_bytes(response, text, strlen(text));
}

bool http_failed(const struct http_response *response)
{
    return is_over(response) || response->sink->is_gone(response->sink->user_data);
}

static void write_json_string(struct http_response *response, const char *text)
{
    http_text(response, "\"");
    for (; *text != '\0'; text++) {
        char escape[8];
        unsigned int c = (unsigned char) *text;
        bool is_plain = c >= ' ' && c < 0x7f && c != '"' && c != '\\' && c != '<';
        int size =
            snprintf(escape, sizeof(escape), is_plain ? "%c" : "\\u%04x", c < 0x80 ? c : 0xfffd);
        http_bytes(response, escape, (size_t) size);
    }
    http_text(response, "\"");
}

/* What was said so far is not to be said. */
static void forget(struct http_response *response)
{
    response->used = 0;
    response->extra_size = 0;
    response->extra[0] = '\0';
}

void http_error(struct http_response *response, int status, const char *text)
{
    if (response->is_head_sent) {
        response->is_broken = true;
        return;
    }
    forget(response);
    http_set_status(response, status);
    http_set_type(response, "application/json");
    http_text(response, "{\"error\":");
    write_json_string(response, text);
    http_text(response, "}\n");
}

/* What can be said without memory. */
static void send_short(struct http_response *response)
{
    free(response->buffer);
    response->buffer = NULL;
    forget(response);
    http_set_status(response, 503);
    flush(response, true);
}

bool http_response_finish(struct http_response *response)
{
    if (response->is_short)
        send_short(response);
    else if (!response->is_broken && !(response->head_only && response->is_head_sent))
        flush(response, true);
    free(response->buffer);
    response->buffer = NULL;
    return response->keep_alive && !response->is_broken;
}
