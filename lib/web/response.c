/* SPDX-License-Identifier: BSD-3-Clause */
#include "web/response.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum {
    /* The initial size of the body's buffer. */
    RESPONSE_ROOM_MIN = 4096
};

static const char response_not_kept[] = "no-store";

/* The headers of every answer. */
static const gt_web_header response_common_headers[] = {
    {"Cross-Origin-Resource-Policy", "same-origin"},
    {"Referrer-Policy", "no-referrer"},
    {"X-Content-Type-Options", "nosniff"},
};

enum {
    RESPONSE_COMMON = sizeof(response_common_headers) / sizeof(response_common_headers[0]),
    /* The headers that differ between answers or viewers, and these with the common ones. */
    RESPONSE_OWN = 3,
    RESPONSE_USUAL = RESPONSE_OWN + RESPONSE_COMMON
};

void gt_response_init(struct gt_response *response, struct gt_mem *mem, const char *policy,
                      const gt_web_client *client, bool head_only)
{
    *response = (struct gt_response){
        .mem = mem,
        .policy = policy,
        .client = client,
        .head_only = head_only,
        .status = 200,
        .type = "application/octet-stream",
        .caching = response_not_kept,
    };
}

void gt_response_set_status(struct gt_response *response, uint32_t status)
{
    response->status = status;
}

void gt_response_set_type(struct gt_response *response, const char *type)
{
    response->type = type;
}

void gt_response_keep(struct gt_response *response)
{
    response->caching = "max-age=31536000, immutable";
}

static bool header_text_is_good(const char *text)
{
    for (; *text != '\0'; text++) {
        if ((unsigned char) *text < ' ' || *text == 0x7f)
            return false;
    }
    return true;
}

/* Copies a text to `texts`, where the caller has made sure that there is room. */
static const char *header_text_copy(struct gt_response *response, const char *text)
{
    char *copy = response->texts + response->texts_used;
    size_t size = strlen(text) + 1;
    memcpy(copy, text, size);
    response->texts_used += size;
    return copy;
}

void gt_response_set_header(struct gt_response *response, const char *name, const char *value)
{
    size_t room = sizeof(response->texts) - response->texts_used;
    if (!header_text_is_good(name) || !header_text_is_good(value) ||
        response->header_count == GT_RESPONSE_HEADERS || strlen(name) + strlen(value) + 2 > room) {
        gt_response_error(response, 500, "a header cannot be sent");
        return;
    }
    gt_web_header *header = &response->headers[response->header_count++];
    header->name = header_text_copy(response, name);
    header->value = header_text_copy(response, value);
}

/* Passes status and headers to the host. */
static void response_begin(struct gt_response *response, uint64_t length)
{
    gt_web_header headers[RESPONSE_USUAL + GT_RESPONSE_HEADERS];
    const gt_web_client *client = response->client;
    headers[0] = (gt_web_header){"Content-Type", response->type};
    headers[1] = (gt_web_header){"Content-Security-Policy", response->policy};
    headers[2] = (gt_web_header){"Cache-Control", response->caching};
    memcpy(headers + RESPONSE_OWN, response_common_headers, sizeof(response_common_headers));
    memcpy(headers + RESPONSE_USUAL, response->headers,
           response->header_count * sizeof(response->headers[0]));
    response->is_begun = true;
    if (client->begin(client->user_data, response->status, headers,
                      RESPONSE_USUAL + response->header_count, length) != 0)
        response->is_gone = true;
}

/* Passes the content of the buffer to the host. */
static void response_flush(struct gt_response *response)
{
    const gt_web_client *client = response->client;
    if (!response->head_only && response->used > 0 && !response->is_gone &&
        client->write(client->user_data, response->buffer, response->used) != 0)
        response->is_gone = true;
    response->used = 0;
}

/* Empties the full buffer of a download. Returns false if the client has gone away. */
static bool response_pass_on(struct gt_response *response)
{
    if (!response->is_begun)
        response_begin(response, GT_WEB_LENGTH_UNKNOWN);
    response_flush(response);
    return !response->is_gone;
}

/* Replaces an answer that is too long by an error. Returns false. */
static bool response_refuse(struct gt_response *response)
{
    gt_response_error(response, 400,
                      "the answer would have more than 4 MB; ask for a shorter range, or for fewer "
                      "bins, tracks or rows");
    response->is_too_long = true;
    return false;
}

/*
 * Makes room for at least one more byte of the body, by growing or flushing the buffer. Returns
 * false if that fails.
 */
static bool response_make_room(struct gt_response *response)
{
    const size_t most = response->is_streamed ? GT_RESPONSE_BUFFER : GT_RESPONSE_MOST;
    size_t room = response->room == 0 ? RESPONSE_ROOM_MIN : response->room * 2;
    if (response->room >= most)
        return response->is_streamed ? response_pass_on(response) : response_refuse(response);
    room = room < most ? room : most;
    char *buffer = gt_mem_realloc(response->mem, response->buffer, response->room, room);
    if (!buffer) {
        response->is_short = true;
        return false;
    }
    response->buffer = buffer;
    response->room = room;
    return true;
}

/* Whether anything more that a handler writes would be discarded. */
static bool response_is_closed(const struct gt_response *response)
{
    return response->is_gone || response->is_cut_off || response->is_short ||
           response->is_too_long || response->is_refused ||
           (response->head_only && response->is_begun);
}

void gt_response_stream(struct gt_response *response)
{
    response->is_streamed = true;
}

void gt_response_bytes(struct gt_response *response, const void *data, size_t size)
{
    const char *from = data;
    while (size > 0 && !response_is_closed(response)) {
        size_t part = response->room - response->used;
        if (part == 0) {
            if (!response_make_room(response))
                return;
            continue;
        }
        if (part > size)
            part = size;
        memcpy(response->buffer + response->used, from, part);
        response->used += part;
        from += part;
        size -= part;
    }
}

void gt_response_text(struct gt_response *response, const char *text)
{
    gt_response_bytes(response, text, strlen(text));
}

bool gt_response_is_over(struct gt_response *response)
{
    const gt_web_client *client = response->client;
    if (!response_is_closed(response) && client->is_gone && client->is_gone(client->user_data) != 0)
        response->is_gone = true;
    return response_is_closed(response);
}

static void error_text_write(struct gt_response *response, const char *text)
{
    for (; *text != '\0'; text++) {
        char escape[8];
        unsigned int c = (unsigned char) *text;
        bool is_plain = c >= ' ' && c < 0x7f && c != '"' && c != '\\' && c != '<';
        int size =
            snprintf(escape, sizeof(escape), is_plain ? "%c" : "\\u%04x", c < 0x80 ? c : 0xfffd);
        gt_response_bytes(response, escape, (size_t) size);
    }
}

/* Discards the body and the headers that the handler has set so far. */
static void response_reset(struct gt_response *response, uint32_t status)
{
    response->used = 0;
    response->header_count = 0;
    response->texts_used = 0;
    response->is_refused = false;
    response->caching = response_not_kept;
    response->status = status;
}

void gt_response_error(struct gt_response *response, uint32_t status, const char *text)
{
    if (response->is_begun) {
        response->is_cut_off = !response->head_only;
        return;
    }
    response_reset(response, status);
    gt_response_set_type(response, "application/json");
    gt_response_text(response, "{\"error\":\"");
    error_text_write(response, text);
    gt_response_text(response, "\"}\n");
    response->is_refused = true;
}

void gt_response_no_memory(struct gt_response *response)
{
    gt_response_error(response, 503, "out of memory");
}

gt_status gt_response_finish(struct gt_response *response)
{
    /* There is no memory for the body, so the answer is a status without one. */
    if (response->is_short && !response->is_begun)
        response_reset(response, 503);
    if (!response->is_begun && !response->is_gone)
        response_begin(response, response->used);
    if (!response->is_cut_off)
        response_flush(response);
    gt_mem_free(response->mem, response->buffer, response->room);
    response->buffer = NULL;
    if (response->is_gone)
        return GT_ERR_CALLBACK;
    return response->is_cut_off ? GT_ERR_NOT_AVAILABLE : GT_OK;
}
