/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_WEB_RESPONSE_H
#define GT_WEB_RESPONSE_H

/*
 * What a handler answers. Status and headers are set first, then the body is written in
 * any number of pieces. A body of up to GT_RESPONSE_BUFFER bytes is held back until the
 * handler returns and goes to the host with its length; a longer one goes out in pieces as it
 * comes, and from the first piece on status and headers are settled. No function here fails in
 * a way that a handler must deal with: where memory runs out before the first piece the client
 * gets a 503, after it a body that is visibly cut off.
 */

#include <stdbool.h>
#include <stddef.h>

#include <gotrace/status.h>
#include <gotrace/web.h>

enum {
    GT_RESPONSE_BUFFER = 256 * 1024,
    /* Headers that a handler may set, and the bytes that they have together. */
    GT_RESPONSE_HEADERS = 8,
    GT_RESPONSE_HEADER_BYTES = 2048
};

struct gt_response {
    const gt_web_client *client;
    /* The client wants the head alone. */
    bool head_only;
    uint32_t status;
    const char *type;
    /* The handler's own headers, and their texts. */
    gt_web_header headers[GT_RESPONSE_HEADERS];
    size_t header_count;
    char texts[GT_RESPONSE_HEADER_BYTES];
    size_t texts_used;
    /* Bytes of the body that were not handed on yet. */
    char *buffer;
    size_t used;
    size_t room;
    bool is_begun;
    /* The client went away. */
    bool is_gone;
    /* An error came after the answer had begun. */
    bool is_cut_off;
    /* There was no memory for the body. */
    bool is_short;
};

/* `client` must stay until gt_response_finish. */
void gt_response_init(struct gt_response *response, const gt_web_client *client, bool head_only);

/*
 * Hands on what is left, and frees the response.
 * GT_ERR_CALLBACK: the client went away. GT_ERR_NOT_AVAILABLE: the body was cut off.
 */
gt_status gt_response_finish(struct gt_response *response);

/* 200 if not set. */
void gt_response_set_status(struct gt_response *response, uint32_t status);

/* Content-Type; "application/octet-stream" if not set. `type` is not copied. */
void gt_response_set_type(struct gt_response *response, const char *type);

/*
 * One more header. Both texts are copied. A value with a control character in it, a header too
 * many or one that is too long makes the answer a 500. Content-Type and the headers that are
 * the same for all answers are not to be set.
 */
void gt_response_set_header(struct gt_response *response, const char *name, const char *value);

void gt_response_bytes(struct gt_response *response, const void *data, size_t size);

/* A string that ends in NUL. */
void gt_response_text(struct gt_response *response, const char *text);

/*
 * Whether nothing more of the answer is needed: the client went away, or all that it wants has
 * been written. Handlers that write much or work for long ask this from time to time.
 */
bool gt_response_is_over(struct gt_response *response);

/*
 * Makes the answer {"error":TEXT} with that status, in place of what was written so far.
 * Where some of that was handed on already, the body is cut off instead.
 */
void gt_response_error(struct gt_response *response, uint32_t status, const char *text);

#endif
