/* SPDX-License-Identifier: BSD-3-Clause */
#include "recorder/texts.h"

#include <string.h>

#include "recorder/memory.h"

/* With the lock of the registry. */
static gt_status text_add(gt_recorder *recorder, gt_string text, gt_rec_text *id)
{
    if (gt_texts_find(&recorder->texts, text, id))
        return GT_OK;
    if (recorder->texts.list.count > GT_RECORDER_TEXTS)
        return GT_ERR_LIMIT;
    gt_status status;
    do
        status = gt_texts_add(&recorder->texts, text, id);
    while (gt_recorder_memory_try_again(recorder, status));
    if (status == GT_OK)
        gt_atomic_set(&recorder->text_count, *id);
    return status;
}

size_t gt_recorder_text_cut(const char *text, size_t size)
{
    if (size <= GT_RECORDER_TEXT_SIZE)
        return size;
    size_t cut = GT_RECORDER_TEXT_SIZE;
    while (cut > GT_RECORDER_TEXT_SIZE - 4 && (text[cut] & 0xc0) == 0x80)
        cut--;
    return cut;
}

gt_status gt_recorder_text(gt_recorder *recorder, const char *text, size_t size, gt_rec_text *id)
{
    if (!id)
        return GT_ERR_INVALID_ARGUMENT;
    *id = 0;
    if (!recorder || !text)
        return GT_ERR_INVALID_ARGUMENT;
    gt_rec_text found = 0;
    gt_system_lock(&recorder->registry);
    gt_status status =
        text_add(recorder, (gt_string){text, gt_recorder_text_cut(text, size)}, &found);
    gt_system_unlock(&recorder->registry);
    if (status == GT_OK)
        *id = found;
    return status;
}

/* With the lock of the registry. */
static gt_status text_add_of_frame(gt_recorder *recorder, gt_string text, gt_rec_text *id)
{
    gt_rec_text found = GT_RECORDER_TEXT_NO_FILE;
    bool is_known = text.size == 0 || gt_texts_find(&recorder->texts, text, &found);
    bool has_room = recorder->frames.text_count < GT_RECORDER_FRAME_TEXTS &&
                    recorder->texts.list.count <= GT_RECORDER_TEXTS;
    if (!is_known && has_room) {
        gt_status status = text_add(recorder, text, &found);
        if (status != GT_OK)
            return status;
        recorder->frames.text_count++;
    }
    *id = found;
    return GT_OK;
}

gt_status gt_recorder_text_of_frame(gt_recorder *recorder, const char *name, gt_rec_text *id)
{
    gt_string text = {name, gt_recorder_text_cut(name, strlen(name))};
    gt_system_lock(&recorder->registry);
    gt_status status = text_add_of_frame(recorder, text, id);
    gt_system_unlock(&recorder->registry);
    return status;
}

gt_string gt_recorder_text_get(gt_recorder *recorder, gt_rec_text text)
{
    gt_system_lock(&recorder->registry);
    gt_string found = recorder->texts.list.items[text];
    gt_system_unlock(&recorder->registry);
    return found;
}

gt_status gt_recorder_texts_init(gt_recorder *recorder)
{
    /*
     * In the order of the constants GT_REC_. Go's tools classify waits by these texts. The last one
     * is GT_RECORDER_TEXT_NO_FILE.
     */
    static const char *const texts[] = {
        "unspecified",
        "forever",
        "network",
        "select",
        "sync.(*Cond).Wait",
        "sync",
        "chan send",
        "chan receive",
        "GC mark assist wait for work",
        "GC background sweeper wait",
        "system goroutine wait",
        "preempted",
        "wait for debug call",
        "wait until GC ends",
        "sleep",
        "GC weak to strong wait",
        "synctest",
        "runtime.Gosched",
        "??",
    };
    gt_status status = gt_texts_init(&recorder->texts, &recorder->mem);
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]) && status == GT_OK; i++) {
        gt_rec_text id;
        status = text_add(recorder, (gt_string){texts[i], strlen(texts[i])}, &id);
    }
    return status;
}
