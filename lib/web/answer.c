/* SPDX-License-Identifier: BSD-3-Clause */
#include "web/answer.h"

#include <string.h>

#include "base/decimal.h"
#include "web/put.h"

const char *const answer_classes[STORE_CLASSES] = {
    "running",  "running_gc", "syscall", "syscall_blocked", "runnable", "wait_chan", "wait_sync",
    "wait_net", "wait_sleep", "wait_gc", "wait_other",      "region",   "task",      "range",
    "gc",       "stw",
};

const char *const answer_views[STORE_VIEWS] = {"proc", "thread", "goroutine", "task"};

bool answer_is_waiting(uint32_t cls)
{
    return cls >= CLASS_WAIT_CHAN && cls <= CLASS_WAIT_OTHER;
}

size_t answer_fitting(gt_string text, size_t room)
{
    size_t size = text.size < room ? text.size : room;
    if (size == text.size)
        return size;
    while (size > 0 && ((unsigned char) text.data[size] & 0xc0) == 0x80)
        size--;
    return size;
}

static char *put_name(char *to, const char *end, gt_string name)
{
    if (name.size == 0)
        return to;
    *to++ = ' ';
    return gt_web_put_bytes(to, name.data, answer_fitting(name, (size_t) (end - to)));
}

size_t answer_title(const struct store_row *row, char title[ANSWER_TITLE_MAX])
{
    static const char *const words[STORE_VIEWS] = {"Proc ", "Thread ", "G", "Task "};
    char *to = gt_web_put_text(title, row->view < STORE_VIEWS ? words[row->view] : "");
    to = gt_decimal_put_signed(to, row->id);
    return (size_t) (put_name(to, title + ANSWER_TITLE_MAX, row->name) - title);
}

void answer_key_title(struct json *json, const char *key, const struct store_row *row)
{
    char title[ANSWER_TITLE_MAX];
    size_t size = answer_title(row, title);
    json_key_string(json, key, (gt_string){title, size});
}

void answer_times(struct json *json, const char *key, const int64_t time[STORE_CLASSES])
{
    json_key(json, key);
    json_object(json);
    for (uint32_t i = 0; i < STORE_CLASSES; i++) {
        if (time[i] != 0)
            json_key_int(json, answer_classes[i], time[i]);
    }
    json_end_object(json);
}

static void write_pc(struct json *json, uint64_t pc)
{
    char text[2 + 16];
    char *end = gt_web_put_hex(gt_web_put_text(text, "0x"), pc);
    json_key_string(json, "pc", (gt_string){text, (size_t) (end - text)});
}

void answer_stack(struct json *json, const char *key, const struct store *store, uint32_t stack)
{
    struct store_frame frame;
    json_key(json, key);
    json_array(json);
    for (size_t i = 0; i < ANSWER_FRAMES_MAX && store_frame(store, stack, &frame); i++) {
        json_object(json);
        json_key_string(json, "function", store_text(store, frame.function));
        json_key_string(json, "file", store_text(store, frame.file));
        json_key_uint(json, "line", frame.line);
        write_pc(json, frame.pc);
        json_end_object(json);
        stack = frame.parent;
    }
    json_end_array(json);
}

void answer_goroutine(struct json *json, const char *key, const struct store *store,
                      uint32_t ordinal)
{
    struct store_row row;
    json_key(json, key);
    if (!store_get_row_brief(store, VIEW_GOROUTINE, ordinal, &row)) {
        json_null(json);
        return;
    }
    json_object(json);
    json_key_int(json, "id", row.id);
    json_key_uint(json, "ordinal", row.ordinal);
    answer_key_title(json, "title", &row);
    json_end_object(json);
}

void answer_place(struct json *json, const char *key, uint32_t track, uint32_t index)
{
    json_key(json, key);
    if (track == STORE_NONE) {
        json_null(json);
        return;
    }
    json_object(json);
    json_key_uint(json, "track", track);
    json_key_uint(json, "index", index);
    json_end_object(json);
}

uint32_t answer_states(const struct store *store, uint32_t goroutine)
{
    struct store_row row;
    if (!store_get_row_brief(store, VIEW_GOROUTINE, goroutine, &row) || row.lane_count == 0 ||
        row.lanes[0].kind != LANE_STATE)
        return STORE_NONE;
    return row.lanes[0].track;
}

uint32_t answer_state_at(const struct store *store, uint32_t goroutine, int64_t time,
                         struct span *span)
{
    uint32_t id = answer_states(store, goroutine);
    const struct track *track = store_track(store, id);
    if (track == NULL || !track_get(track, track_find(track, time), span) || span->start > time)
        return STORE_NONE;
    return id;
}

/* What states are called in words, where no reason is known. */
static const char *const states[STORE_CLASSES] = {
    "Running", "Running", "Syscall", "Syscall, blocked", "Runnable", "Waiting",
    "Waiting", "Waiting", "Waiting", "Waiting",          "Waiting",  "",
    "",        "",        "GC",      "Stop the world",
};

size_t answer_span_name(const struct store *store, uint32_t view, const struct span *span,
                        char title[ANSWER_TITLE_MAX])
{
    struct store_row row;
    bool is_run = view == VIEW_PROC || view == VIEW_THREAD;
    if (is_run && store_get_row_brief(store, VIEW_GOROUTINE, span->goroutine, &row))
        return answer_title(&row, title);
    gt_string name = store_text(store, span->name);
    if (name.size == 0 && span->cls < STORE_CLASSES)
        name = (gt_string){states[span->cls], strlen(states[span->cls])};
    size_t size = answer_fitting(name, ANSWER_TITLE_MAX);
    memcpy(title, name.data, size);
    return size;
}
