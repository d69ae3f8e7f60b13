/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_WEB_FLAME_H
#define GT_WEB_FLAME_H

/* What a request for stacks is about, for both forms of the answer. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "web/request.h"
#include "web/response.h"
#include "web/scope.h"
#include "web/stackweights.h"
#include "web/textpool.h"
#include "web/web.h"

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
bool flame_take(struct flame *flame, struct gt_web *web, const struct gt_request *request,
                struct gt_response *response);
void flame_free(struct flame *flame);

/* Says that the answer has a text. What is no text's id is fine. */
void flame_use_text(struct flame *flame, uint32_t text);
/* Copies all that it has. False where there is no memory. */
bool flame_copy_texts(struct flame *flame, struct store *store);
/* One that was copied. */
gt_string flame_text(const struct flame *flame, uint32_t text);

#endif
