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

struct gt_flame {
    struct gt_scope scope;
    struct gt_stackweights weights;
    struct gt_store_frame *frames;
    size_t frame_count;
    /* Those texts that the answer has; by text. */
    struct gt_textpool pool;
    struct gt_textpool_text *texts;
    bool *is_used;
    size_t text_count;
};

/* False where there is no answer but an error, which is then given. gt_flame_free in any case. */
bool gt_flame_take(struct gt_flame *flame, struct gt_web *web, const struct gt_request *request,
                   struct gt_response *response);
void gt_flame_free(struct gt_flame *flame);

/* Says that the answer has a text. What is no text's id is fine. */
void gt_flame_use_text(struct gt_flame *flame, uint32_t text);
/* Copies all that it has. False where there is no memory. */
bool gt_flame_copy_texts(struct gt_flame *flame, struct gt_store *store);
/* One that was copied. */
gt_string gt_flame_text(const struct gt_flame *flame, uint32_t text);

#endif
