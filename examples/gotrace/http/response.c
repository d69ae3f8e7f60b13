/* SPDX-License-Identifier: BSD-3-Clause */
#include "response.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

enum {
    /* Room for a line of the head that is made here, such as the one with the date. */
    RESPONSE_DATE_ROOM = 64,
    /* Room for the line with the size of a chunk. */
    RESPONSE_CHUNK_ROOM = 24
};

static const struct {
    int status;
    const char *text;
} response_reasons[] = {
    {200, "OK"},
    {201, "Created"},
    {202, "Accepted"},
    {204, "No Content"},
    {302, "Found"},
    {400, "Bad Request"},
    {403, "Forbidden"},
    {404, "Not Found"},
    {405, "Method Not Allowed"},
    {408, "Request Timeout"},
    {409, "Conflict"},
    {411, "Length Required"},
    {413, "Content Too Large"},
    {414, "URI Too Long"},
    {415, "Unsupported Media Type"},
    {431, "Request Header Fields Too Large"},
    {500, "Internal Server Error"},
    {501, "Not Implemented"},
    {503, "Service Unavailable"},
    {505, "HTTP Version Not Supported"},
    {507, "Insufficient Storage"},
};

/* The headers of an answer that the server itself makes, like those of the viewer's answers. */
static const struct http_header response_own_headers[] = {
    {"Cache-Control", "no-store"},
    {"Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'"},
    {"Cross-Origin-Resource-Policy", "same-origin"},
    {"Referrer-Policy", "no-referrer"},
    {"X-Content-Type-Options", "nosniff"},
    /* The headers from here on are only sent with a body. */
    {"Content-Type", "application/json"},
    /* The last header is only sent with the status 405. */
    {"Allow", "GET, HEAD"},
};

enum {
    RESPONSE_OWN = sizeof(response_own_headers) / sizeof(response_own_headers[0]),
    RESPONSE_OWN_WITHOUT_BODY = RESPONSE_OWN - 2
};

static const char *response_reason(int status)
{
    for (size_t i = 0; i < sizeof(response_reasons) / sizeof(response_reasons[0]); i++) {
        if (response_reasons[i].status == status)
            return response_reasons[i].text;
    }
    return "Other";
}

void http_response_init(struct http_response *response, const struct http_sink *sink)
{
    memset(response, 0, sizeof(*response));
    response->sink = sink;
}

/*
 * Writes the current time in the form of RFC 9110, 5.6.7. Its names of days and months are English,
 * while those of strftime depend on the locale.
 */
static void date_line_put(char *to, size_t room)
{
    static const char days[][4] = {"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
    static const char months[][4] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                     "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
    time_t now = time(NULL);
    struct tm when;
    to[0] = '\0';
    if (gmtime_r(&now, &when))
        snprintf(to, room, "Date: %s, %02d %s %d %02d:%02d:%02d GMT\r\n", days[when.tm_wday],
                 when.tm_mday, months[when.tm_mon], when.tm_year + 1900, when.tm_hour, when.tm_min,
                 when.tm_sec);
}

/* Adds a text to the head. Returns false if there is no room for it. */
static bool head_add(struct http_response *response, const char *text)
{
    size_t size = strlen(text);
    if (size >= sizeof(response->head) - response->head_size)
        return false;
    memcpy(response->head + response->head_size, text, size + 1);
    response->head_size += size;
    return true;
}

static bool head_add_header(struct http_response *response, const struct http_header *header)
{
    return head_add(response, header->name) && head_add(response, ": ") &&
           head_add(response, header->value) && head_add(response, "\r\n");
}

/* Makes the head. Returns false if it is too long. */
static bool head_make(struct http_response *response, int status, const struct http_header *headers,
                      size_t count, uint64_t length)
{
    char line[RESPONSE_DATE_ROOM];
    bool is_good = true;
    response->head_size = 0;
    snprintf(line, sizeof(line), "HTTP/1.1 %d %s\r\n", status, response_reason(status));
    head_add(response, line);
    date_line_put(line, sizeof(line));
    head_add(response, line);
    if (length != HTTP_LENGTH_UNKNOWN)
        snprintf(line, sizeof(line), "Content-Length: %" PRIu64 "\r\n", length);
    else
        snprintf(line, sizeof(line), "%s",
                 response->is_chunked ? "Transfer-Encoding: chunked\r\n" : "");
    head_add(response, line);
    if (!response->keep_alive)
        head_add(response, "Connection: close\r\n");
    for (size_t i = 0; i < count && is_good; i++)
        is_good = head_add_header(response, &headers[i]);
    return is_good && head_add(response, "\r\n");
}

void http_begin(struct http_response *response, int status, const struct http_header *headers,
                size_t count, uint64_t length)
{
    response->is_begun = true;
    response->is_chunked = length == HTTP_LENGTH_UNKNOWN && response->can_chunk;
    /* The end of a body that has neither a length nor chunks is the end of the connection. */
    if (length == HTTP_LENGTH_UNKNOWN && !response->can_chunk)
        response->keep_alive = false;
    if (head_make(response, status, headers, count, length))
        return;
    response->keep_alive = false;
    response->head_only = true;
    head_make(response, 500, response_own_headers, RESPONSE_OWN_WITHOUT_BODY, 0);
}

static void response_send(struct http_response *response, struct iovec *parts, size_t count)
{
    if (!response->is_broken && !response->sink->send(response->sink->user_data, parts, count))
        response->is_broken = true;
    response->head_size = 0;
}

bool http_write(struct http_response *response, const void *data, size_t size)
{
    char line[RESPONSE_CHUNK_ROOM] = "", end[] = "\r\n";
    if (response->head_only || size == 0)
        return !response->is_broken;
    if (response->is_chunked)
        snprintf(line, sizeof(line), "%zx\r\n", size);
    /* All parts are sent in one call, so that a short answer fits into one packet. */
    struct iovec parts[] = {
        {response->head, response->head_size},
        {line, strlen(line)},
        {(void *) (uintptr_t) data, size},
        {end, response->is_chunked ? 2 : 0},
    };
    response_send(response, parts, sizeof(parts) / sizeof(parts[0]));
    return !response->is_broken;
}

bool http_is_gone(const struct http_response *response)
{
    return response->is_broken || response->sink->is_gone(response->sink->user_data);
}

void http_answer_json(struct http_response *response, int status, const char *body, size_t size)
{
    const size_t count = status == 405 ? RESPONSE_OWN : RESPONSE_OWN - 1;
    http_begin(response, status, response_own_headers, count, size);
    http_write(response, body, size);
}

void http_refuse(struct http_response *response, int status, const char *text)
{
    char body[256];
    int size = snprintf(body, sizeof(body), "{\"error\":\"%s\"}\n", text);
    http_answer_json(response, status, body, (size_t) size);
}

void http_redirect(struct http_response *response, const char *address)
{
    struct http_header headers[RESPONSE_OWN_WITHOUT_BODY + 1];
    memcpy(headers, response_own_headers, RESPONSE_OWN_WITHOUT_BODY * sizeof(headers[0]));
    headers[RESPONSE_OWN_WITHOUT_BODY] = (struct http_header){"Location", address};
    http_begin(response, 302, headers, RESPONSE_OWN_WITHOUT_BODY + 1, 0);
}

bool http_response_finish(struct http_response *response, bool is_whole)
{
    char end[] = "0\r\n\r\n";
    bool has_end = response->is_chunked && is_whole && !response->head_only;
    struct iovec parts[] = {{response->head, response->head_size}, {end, has_end ? 5 : 0}};
    if (response->head_size > 0 || has_end)
        response_send(response, parts, 2);
    return response->keep_alive && is_whole && !response->is_broken;
}
