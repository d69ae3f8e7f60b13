/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_RECORDER_TEXTS_H
#define GT_RECORDER_TEXTS_H

#include "recorder/inside.h"

/* Texts, which have the same numbers in all generations. */

enum {
    GT_RECORDER_TEXT_NO_FILE = 19,   /* the file of functions of which only the name is known */
    GT_RECORDER_TEXTS = 65535,       /* the most texts */
    GT_RECORDER_FRAME_TEXTS = 32767, /* the most of these that frames add */
    GT_RECORDER_TEXT_SIZE = 1024     /* the longest text */
};

/* Initialises the texts with those that are always there. */
gt_status gt_recorder_texts_init(gt_recorder *recorder);

static inline bool gt_recorder_text_is_known(const gt_recorder *recorder, gt_rec_text text)
{
    return text <= gt_atomic_get(&recorder->text_count);
}

/* The length of the longest beginning of a text that can be written and ends with a character. */
size_t gt_recorder_text_cut(const char *text, size_t size);

/*
 * Sets `*id` to the text of the name of a function or file. It is GT_RECORDER_TEXT_NO_FILE for an
 * empty name, and for a new one if there is no room left for those of frames. Failures are those of
 * memory; then `*id` is unchanged. Used by the thread that ends a generation.
 */
gt_status gt_recorder_text_of_frame(gt_recorder *recorder, const char *name, gt_rec_text *id);

/* The text with a number, which is known. */
gt_string gt_recorder_text_get(gt_recorder *recorder, gt_rec_text text);

#endif
