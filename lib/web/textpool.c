/* SPDX-License-Identifier: BSD-3-Clause */
#include "web/textpool.h"

#include <stdlib.h>
#include <string.h>

enum {
    FIRST_CAPACITY = 4096
};

bool gt_textpool_add(struct gt_textpool *pool, gt_string text, struct gt_textpool_text *out)
{
    if (text.size > pool->capacity - pool->used) {
        size_t capacity = pool->capacity == 0 ? FIRST_CAPACITY : 2 * pool->capacity;
        if (text.size > capacity - pool->used)
            capacity = pool->used + text.size;
        char *data = realloc(pool->data, capacity);
        if (!data)
            return false;
        pool->data = data;
        pool->capacity = capacity;
    }
    if (text.size > 0)
        memcpy(pool->data + pool->used, text.data, text.size);
    *out = (struct gt_textpool_text){pool->used, text.size};
    pool->used += text.size;
    return true;
}

gt_string gt_textpool_get(const struct gt_textpool *pool, struct gt_textpool_text text)
{
    return text.size == 0 ? (gt_string){"", 0} : (gt_string){pool->data + text.at, text.size};
}

void gt_textpool_free(struct gt_textpool *pool)
{
    free(pool->data);
    *pool = (struct gt_textpool){0};
}
