/* SPDX-License-Identifier: BSD-3-Clause */
#include "web/repairkinds.h"

#include <string.h>

#include "base/text.h"

/* Stands for a number. */
static const char repairkind_ellipsis[] = "\xe2\x80\xa6";

enum {
    /* A digit may become an ellipsis of three bytes. */
    REPAIRKIND_TEXT_MAX = 3 * GT_ERROR_MESSAGE_SIZE
};

static bool repairkind_is_digit(char byte)
{
    return byte >= '0' && byte <= '9';
}

/* Copies a message to `text`, with ellipses instead of numbers. */
static gt_string repairkind_generalise(const char *message, char text[REPAIRKIND_TEXT_MAX])
{
    size_t size = 0;
    for (size_t i = 0; message[i] != '\0'; i++) {
        if (!repairkind_is_digit(message[i])) {
            text[size++] = message[i];
        } else if (i == 0 || !repairkind_is_digit(message[i - 1])) {
            memcpy(text + size, repairkind_ellipsis, sizeof(repairkind_ellipsis) - 1);
            size += sizeof(repairkind_ellipsis) - 1;
        }
    }
    return (gt_string){text, size};
}

static struct gt_repairkind *repairkind_find(struct gt_repairkinds *repairs, gt_string text)
{
    for (size_t i = 0; i < repairs->kind_count; i++) {
        if (gt_text_equal(repairs->kinds[i].text, text))
            return &repairs->kinds[i];
    }
    return NULL;
}

bool gt_repairkinds_note(struct gt_repairkinds *repairs, struct gt_arena *texts, struct gt_mem *mem,
                         const gt_error *repair, int64_t time)
{
    char room[REPAIRKIND_TEXT_MAX];
    gt_string text = repairkind_generalise(repair->message, room);
    struct gt_repairkind *kind = repairkind_find(repairs, text);
    if (!kind && repairs->kind_count == GT_REPAIRKINDS_MAX) {
        repairs->others++;
        return true;
    }
    if (!kind) {
        if (gt_arena_copy(texts, mem, &text) != GT_OK)
            return false;
        kind = &repairs->kinds[repairs->kind_count++];
        *kind = (struct gt_repairkind){text, 0, time, time};
    }
    kind->count++;
    kind->last = time;
    return true;
}

void gt_repairkinds_write(struct gt_json *json, const struct gt_repairkinds *repairs)
{
    gt_json_key_array(json, "repair_kinds");
    for (size_t i = 0; i < repairs->kind_count; i++) {
        const struct gt_repairkind *kind = &repairs->kinds[i];
        gt_json_object(json);
        gt_json_key_string(json, "text", kind->text);
        gt_json_key_uint(json, "count", kind->count);
        gt_json_key_int(json, "first", kind->first);
        gt_json_key_int(json, "last", kind->last);
        gt_json_end(json);
    }
    gt_json_end(json);
    gt_json_key_uint(json, "repairs_others", repairs->others);
}
