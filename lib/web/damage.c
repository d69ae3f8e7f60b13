/* SPDX-License-Identifier: BSD-3-Clause */
#include "web/damage.h"

#include <string.h>

#include "base/text.h"

/* Stands for a number. */
static const char damage_ellipsis[] = "\xe2\x80\xa6";

enum {
    /* A digit may become an ellipsis of three bytes. */
    DAMAGE_TEXT_MAX = 3 * GT_ERROR_MESSAGE_SIZE
};

static bool damage_is_digit(char byte)
{
    return byte >= '0' && byte <= '9';
}

/* Copies a message to `text`, with ellipses instead of numbers. */
static gt_string damage_generalise(const char *message, char text[DAMAGE_TEXT_MAX])
{
    size_t size = 0;
    for (size_t i = 0; message[i] != '\0'; i++) {
        if (!damage_is_digit(message[i])) {
            text[size++] = message[i];
        } else if (i == 0 || !damage_is_digit(message[i - 1])) {
            memcpy(text + size, damage_ellipsis, sizeof(damage_ellipsis) - 1);
            size += sizeof(damage_ellipsis) - 1;
        }
    }
    return (gt_string){text, size};
}

static struct gt_damage_kind *damage_find(struct gt_damage *damage, gt_string text)
{
    for (size_t i = 0; i < damage->kind_count; i++) {
        if (gt_text_equal(damage->kinds[i].text, text))
            return &damage->kinds[i];
    }
    return NULL;
}

bool gt_damage_note(struct gt_damage *damage, struct gt_arena *texts, struct gt_mem *mem,
                    const gt_error *repair, int64_t time)
{
    char room[DAMAGE_TEXT_MAX];
    gt_string text = damage_generalise(repair->message, room);
    struct gt_damage_kind *kind = damage_find(damage, text);
    if (!kind && damage->kind_count == GT_DAMAGE_KINDS_MAX) {
        damage->others++;
        return true;
    }
    if (!kind) {
        if (gt_arena_copy(texts, mem, &text) != GT_OK)
            return false;
        kind = &damage->kinds[damage->kind_count++];
        *kind = (struct gt_damage_kind){text, 0, time, time};
    }
    kind->count++;
    kind->last = time;
    return true;
}

void gt_damage_write(struct gt_json *json, const struct gt_damage *damage)
{
    gt_json_key_array(json, "damage");
    for (size_t i = 0; i < damage->kind_count; i++) {
        const struct gt_damage_kind *kind = &damage->kinds[i];
        gt_json_object(json);
        gt_json_key_string(json, "text", kind->text);
        gt_json_key_uint(json, "count", kind->count);
        gt_json_key_int(json, "first", kind->first);
        gt_json_key_int(json, "last", kind->last);
        gt_json_end(json);
    }
    gt_json_end(json);
    gt_json_key_uint(json, "damage_others", damage->others);
}
