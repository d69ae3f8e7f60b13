/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_WEB_RESPONSE_H
#define GT_WEB_RESPONSE_H

/*
 * The answer of a handler. A handler first sets status and headers, then writes the body in any
 * number of pieces. The body is held back until the handler returns and is passed to the host with
 * its length. It has at most GT_RESPONSE_MOST bytes; if a handler writes more, the client gets
 * status 400. Downloads are exempt: see gt_response_stream. Handlers need not check for errors: if
 * memory runs out before the first piece was passed on, the client gets status 503, otherwise a
 * body that is visibly cut off.
 */

#include <stdbool.h>
#include <stddef.h>

#include <gotrace/status.h>
#include <gotrace/web.h>

#include "base/mem.h"

enum {
    GT_RESPONSE_MOST = 4000 * 1000,
    /* The size of the buffer of a download, in bytes. */
    GT_RESPONSE_BUFFER = 256 * 1024,
    /* The number of headers that a handler may set, and the bytes of all their texts. */
    GT_RESPONSE_HEADERS = 8,
    GT_RESPONSE_HEADER_BYTES = 2048
};

/*
 * The beginning of the Content-Security-Policy of all answers, which the list of sites that may
 * embed the page in a frame completes. It forbids the page to load anything from other sites.
 */
#define GT_RESPONSE_POLICY                                                                         \
    "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; "           \
    "frame-ancestors "

struct gt_response {
    /* For the buffer, and for everything that a handler needs in order to answer. */
    struct gt_mem *mem;
    /* GT_RESPONSE_POLICY and what follows it. */
    const char *policy;
    const gt_web_client *client;
    /* The client wants status and headers only. */
    bool head_only;
    uint32_t status;
    const char *type;
    /* Of Cache-Control. */
    const char *caching;
    /* The headers that the handler has set, and their texts. */
    gt_web_header headers[GT_RESPONSE_HEADERS];
    size_t header_count;
    char texts[GT_RESPONSE_HEADER_BYTES];
    size_t texts_used;
    /* The part of the body that was not passed to the host yet. */
    char *buffer;
    size_t used;
    size_t room;
    bool is_begun;
    /* It is a download. */
    bool is_streamed;
    /* The handler wrote too much, and the client gets an error instead. */
    bool is_too_long;
    /* The client has closed the connection. */
    bool is_gone;
    /* An error occurred after the answer had begun. */
    bool is_cut_off;
    /* Memory for the body ran out. */
    bool is_short;
    /* The body is that of an error. What a handler has yet to write does not belong to it. */
    bool is_refused;
};

/* `policy` and `client` are borrowed and must stay valid until gt_response_finish. */
void gt_response_init(struct gt_response *response, struct gt_mem *mem, const char *policy,
                      const gt_web_client *client, bool head_only);

/*
 * Passes the rest to the host and frees the response. Returns GT_ERR_CALLBACK if the client has
 * gone away, and GT_ERR_NOT_AVAILABLE if the body was cut off.
 */
gt_status gt_response_finish(struct gt_response *response);

/* The default is 200. */
void gt_response_set_status(struct gt_response *response, uint32_t status);

/*
 * Allows everybody to keep the answer for good: what is at this address never changes. Otherwise
 * nobody may keep it, as it belongs to one trace, and may change while that is loaded.
 */
void gt_response_keep(struct gt_response *response);

/*
 * Sets Content-Type, whose default is "application/octet-stream". `type` is borrowed, not copied.
 */
void gt_response_set_type(struct gt_response *response, const char *type);

/*
 * Adds a header. Both texts are copied. A control character in either text, or too many or too
 * long headers, make the answer a 500. Do not set Content-Type or the headers that all answers
 * have.
 */
void gt_response_set_header(struct gt_response *response, const char *name, const char *value);

/*
 * Makes the answer a download, whose size has no bound: only a body of up to GT_RESPONSE_BUFFER
 * bytes is held back, and a longer one is passed on in pieces. Status and headers cannot change
 * after the first piece.
 */
void gt_response_stream(struct gt_response *response);

void gt_response_bytes(struct gt_response *response, const void *data, size_t size);

/* Appends a string that ends in NUL. */
void gt_response_text(struct gt_response *response, const char *text);

/*
 * Returns whether nothing more of the answer is needed, because the client has gone away or has
 * got all that it wants. Handlers that write much or work for long call this from time to time.
 */
bool gt_response_is_over(struct gt_response *response);

/*
 * Replaces what was written so far by the body {"error":TEXT} with this status. If a part of the
 * body was passed on already, the body is cut off instead.
 */
void gt_response_error(struct gt_response *response, uint32_t status, const char *text);

/* Replaces the body like gt_response_error, with status 503, because memory has run out. */
void gt_response_no_memory(struct gt_response *response);

#endif
