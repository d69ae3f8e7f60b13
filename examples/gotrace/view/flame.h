/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef VIEW_FLAME_H
#define VIEW_FLAME_H

/* What a request for stacks is about, for both forms of the answer. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../http/request.h"
#include "../http/response.h"
#include "scope.h"
#include "stackweights.h"
#include "textpool.h"
#include "view.h"

struct flame {
    struct scope scope;
    struct stackweights weights;
    struct store_frame *frames;
    size_t frame_count;
    /* Those texts that the answer has; by text. */
    struct textpool pool;
    struct textpool_text *texts;
    bool *is_used;
    size_t text_count;
};

/* False where there is no answer but an error, which is then given. flame_free in any case. */
bool flame_take(struct flame *flame, struct view *view, const struct http_request *request,
                struct http_response *response);
void flame_free(struct flame *flame);

/* Says that the answer has a text. What is no text's id is fine. */
void flame_use_text(struct flame *flame, uint32_t text);
/* Copies all that it has. False where there is no memory. */
bool flame_copy_texts(struct flame *flame, struct store *store);
/* One that was copied. */
gt_string flame_text(const struct flame *flame, uint32_t text);

#endif
