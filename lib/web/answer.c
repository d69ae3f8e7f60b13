/* SPDX-License-Identifier: BSD-3-Clause */
#include "web/answer.h"

#include <string.h>

#include "base/decimal.h"
#include "base/hex.h"
#include "base/text.h"
#include "base/time.h"

const char *const gt_answer_classes[GT_STORE_CLASSES] = {
    "running",  "running_gc", "syscall", "syscall_blocked", "runnable", "wait_chan", "wait_sync",
    "wait_net", "wait_sleep", "wait_gc", "wait_other",      "region",   "task",      "range",
    "gc",       "stw",
};

const char *const gt_answer_views[GT_STORE_VIEWS] = {"proc", "thread", "goroutine", "task"};

bool gt_answer_is_waiting(uint32_t cls)
{
    return cls >= GT_CLASS_WAIT_CHAN && cls <= GT_CLASS_WAIT_OTHER;
}

size_t gt_answer_fitting(gt_string text, size_t room)
{
    size_t size = text.size < room ? text.size : room;
    if (size == text.size)
        return size;
    while (size > 0 && ((unsigned char) text.data[size] & 0xc0) == 0x80)
        size--;
    return size;
}

static char *answer_put_name(char *to, const char *end, gt_string name)
{
    if (name.size == 0)
        return to;
    *to++ = ' ';
    return gt_text_put_bytes(to, name.data, gt_answer_fitting(name, (size_t) (end - to)));
}

size_t gt_answer_title(const struct gt_store_row *row, char title[GT_ANSWER_TITLE_MAX])
{
    static const char *const words[GT_STORE_VIEWS] = {"Proc ", "Thread ", "G", "Task "};
    char *to = gt_text_put(title, row->view < GT_STORE_VIEWS ? words[row->view] : "");
    to = gt_decimal_put_signed(to, row->id);
    return (size_t) (answer_put_name(to, title + GT_ANSWER_TITLE_MAX, row->name) - title);
}

void gt_answer_key_title(struct gt_json *json, const char *key, const struct gt_store_row *row)
{
    char title[GT_ANSWER_TITLE_MAX];
    size_t size = gt_answer_title(row, title);
    gt_json_key_string(json, key, (gt_string){title, size});
}

void gt_answer_row(struct gt_json *json, const struct gt_store_row *row)
{
    gt_json_key_text(json, "view", gt_answer_views[row->view]);
    gt_json_key_uint(json, "ordinal", row->ordinal);
    gt_json_key_int(json, "id", row->id);
    gt_answer_key_title(json, "title", row);
}

int64_t gt_answer_all_time(const int64_t time[GT_STORE_CLASSES])
{
    int64_t sum = 0;
    for (size_t cls = 0; cls < GT_STORE_CLASSES; cls++)
        gt_time_add_to(&sum, time[cls]);
    return sum;
}

void gt_answer_times(struct gt_json *json, const char *key, const int64_t time[GT_STORE_CLASSES])
{
    gt_json_key_object(json, key);
    for (uint32_t i = 0; i < GT_STORE_CLASSES; i++) {
        if (time[i] != 0)
            gt_json_key_int(json, gt_answer_classes[i], time[i]);
    }
    gt_json_end(json);
}

void gt_answer_pc(struct gt_json *json, const char *key, uint64_t pc)
{
    char text[2 + GT_HEX_MAX];
    char *end = gt_hex_put(gt_text_put(text, "0x"), pc);
    gt_json_key_string(json, key, (gt_string){text, (size_t) (end - text)});
}

void gt_answer_frame(struct gt_json *json, gt_string function, gt_string file, uint64_t line,
                     uint64_t pc)
{
    gt_json_object(json);
    gt_json_key_string(json, "function", function);
    gt_json_key_string(json, "file", file);
    gt_json_key_uint(json, "line", line);
    gt_answer_pc(json, "pc", pc);
    gt_json_end(json);
}

void gt_answer_stack(struct gt_json *json, const char *key, const struct gt_store *store,
                     uint32_t stack)
{
    struct gt_store_frame frame;
    gt_json_key_array(json, key);
    for (size_t i = 0; i < GT_ANSWER_FRAMES_MAX && gt_store_frame(store, stack, &frame); i++) {
        gt_answer_frame(json, gt_store_text(store, frame.function),
                        gt_store_text(store, frame.file), frame.line, frame.pc);
        stack = frame.parent;
    }
    gt_json_end(json);
}

void gt_answer_goroutine(struct gt_json *json, const char *key, const struct gt_store *store,
                         uint32_t ordinal)
{
    struct gt_store_row row;
    bool is_known = gt_store_get_row_brief(store, GT_STORE_VIEW_GOROUTINE, ordinal, &row);
    if (!gt_json_key_object_if(json, key, is_known))
        return;
    gt_json_key_int(json, "id", row.id);
    gt_json_key_uint(json, "ordinal", row.ordinal);
    gt_answer_key_title(json, "title", &row);
    gt_json_end(json);
}

void gt_answer_place(struct gt_json *json, const char *key, uint32_t track, uint32_t index)
{
    if (!gt_json_key_object_if(json, key, track != GT_STORE_NONE))
        return;
    gt_json_key_uint(json, "track", track);
    gt_json_key_uint(json, "index", index);
    gt_json_end(json);
}

uint32_t gt_answer_states(const struct gt_store *store, uint32_t goroutine)
{
    struct gt_store_row row;
    if (!gt_store_get_row_brief(store, GT_STORE_VIEW_GOROUTINE, goroutine, &row) ||
        row.lane_count == 0 || row.lanes[0].kind != GT_LANE_STATE)
        return GT_STORE_NONE;
    return row.lanes[0].track;
}

uint32_t gt_answer_state_at(const struct gt_store *store, uint32_t goroutine, int64_t time,
                            struct gt_span *span)
{
    uint32_t id = gt_answer_states(store, goroutine);
    const struct gt_track *track = gt_store_track(store, id);
    if (!track || !gt_track_get(track, gt_track_find(track, time), span) || span->start > time)
        return GT_STORE_NONE;
    return id;
}

uint32_t gt_answer_row_at(const struct gt_store *store, uint32_t view, uint32_t goroutine,
                          int64_t time)
{
    struct gt_span state;
    if (view == GT_STORE_VIEW_GOROUTINE)
        return goroutine;
    if (view == GT_VIEW_TASK || gt_answer_state_at(store, goroutine, time, &state) == GT_STORE_NONE)
        return GT_STORE_NONE;
    return view == GT_STORE_VIEW_PROC ? state.proc : state.thread;
}

/* The names of states for which the trace gives no reason. */
static const char *const states[GT_STORE_CLASSES] = {
    "Running", "Running", "Syscall", "Syscall, blocked", "Runnable", "Waiting",
    "Waiting", "Waiting", "Waiting", "Waiting",          "Waiting",  "",
    "",        "",        "GC",      "Stop the world",
};

size_t gt_answer_span_name(const struct gt_store *store, uint32_t view, const struct gt_span *span,
                           char title[GT_ANSWER_TITLE_MAX])
{
    struct gt_store_row row;
    bool is_run = view == GT_STORE_VIEW_PROC || view == GT_STORE_VIEW_THREAD;
    if (is_run && gt_store_get_row_brief(store, GT_STORE_VIEW_GOROUTINE, span->goroutine, &row))
        return gt_answer_title(&row, title);
    gt_string name = gt_store_text(store, span->name);
    if (name.size == 0 && span->cls < GT_STORE_CLASSES)
        name = (gt_string){states[span->cls], strlen(states[span->cls])};
    size_t size = gt_answer_fitting(name, GT_ANSWER_TITLE_MAX);
    memcpy(title, name.data, size);
    return size;
}
