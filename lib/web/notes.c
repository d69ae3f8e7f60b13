/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * /api/notes: the user's notes on the trace, which the host keeps. They are replaced as a whole,
 * and only by a client that knows what it replaces.
 */
#include "web/notes.h"

#include <stdio.h>

#include "base/hex.h"
#include "base/text.h"
#include "web/endpoints.h"
#include "web/json.h"
#include "web/notetext.h"
#include "web/web.h"

enum {
    /* The sizes of the buffers for a revision and for the reason why notes cannot be read. */
    NOTES_REVISION_ROOM = GT_HEX_MAX + 1,
    NOTES_WHY_ROOM = 400
};

/* The hash of notes needs no secret: a client that could craft a collision can replace the notes
 * anyway. */
#define NOTES_SECRET UINT64_C(0x6e6f746573)

/* The notes that the host keeps. */
struct kept_notes {
    struct gt_mem *mem;
    /* The text that the host has returned. NULL if memory has run out. */
    char *data;
    struct gt_notetext text;
    /* The revision, a hash of the notes. It is "" if the host keeps something other than notes,
     * which must not be replaced. */
    char revision[NOTES_REVISION_ROOM];
    /* The reason why the notes cannot be read, or "". */
    char why[NOTES_WHY_ROOM];
};

static void notes_explain(const struct gt_notetext *text, const char *name, char *why, size_t room)
{
    const char *separator = name[0] != '\0' ? ": " : "";
    if (text->note != 0)
        snprintf(why, room, "%s%snote %zu: %s", name, separator, text->note, text->why);
    else
        snprintf(why, room, "%s%s%s", name, separator, text->why);
}

static void notes_set_revision(char revision[NOTES_REVISION_ROOM], gt_string text)
{
    *gt_hex_put(revision, gt_text_hash(text, NOTES_SECRET)) = '\0';
}

/* Loads the notes that the host keeps. Returns false if memory has run out. The lock is held. */
static bool notes_load(struct gt_web *web, struct kept_notes *kept)
{
    const gt_web_options *options = &web->options;
    gt_error error = GT_ERROR_INIT;
    size_t size = 0;
    *kept = (struct kept_notes){.mem = &web->mem};
    kept->data = gt_mem_alloc(&web->mem, GT_WEB_NOTES_MAX);
    if (!kept->data)
        return false;
    gt_status status =
        options->load_notes(options->user_data, kept->data, GT_WEB_NOTES_MAX, &size, &error);
    if (status == GT_OK && size > GT_WEB_NOTES_MAX)
        status = GT_ERR_LIMIT;
    error.message[sizeof(error.message) - 1] = '\0';
    if (status != GT_OK) {
        snprintf(kept->why, sizeof(kept->why), "%s",
                 error.message[0] != '\0' ? error.message : gt_status_text(status));
        return true;
    }
    gt_string text = {kept->data, size};
    if (size == 0 || gt_notetext_check(text, &kept->text))
        notes_set_revision(kept->revision, text);
    else
        notes_explain(&kept->text, options->notes_name ? options->notes_name : "", kept->why,
                      sizeof(kept->why));
    return true;
}

static void notes_free(struct kept_notes *kept)
{
    gt_mem_free(kept->mem, kept->data, GT_WEB_NOTES_MAX);
}

/* Whether the client of a request may change the notes. */
static bool notes_may_change(const struct gt_web *web, const struct gt_query *query)
{
    return web->options.load_notes && web->options.store_notes && query->may_change;
}

void gt_web_serve_notes(struct gt_web *web, struct gt_query *query)
{
    struct kept_notes kept = {.data = NULL};
    struct gt_json json;
    bool is_good = true;
    if (web->options.load_notes) {
        pthread_mutex_lock(&web->notes.lock);
        is_good = notes_load(web, &kept);
        pthread_mutex_unlock(&web->notes.lock);
    }
    if (!is_good) {
        gt_query_no_memory(query);
        return;
    }
    bool has_notes = kept.text.list.size != 0 && kept.revision[0] != '\0';
    gt_json_start(&json, query->response);
    gt_json_key_bool(&json, "is_kept", web->options.load_notes);
    gt_json_key_text(&json, "name", web->options.notes_name ? web->options.notes_name : "");
    gt_json_key_bool(&json, "can_change", notes_may_change(web, query) && kept.why[0] == '\0');
    gt_json_key_text(&json, "revision", kept.revision);
    if (kept.why[0] != '\0')
        gt_json_key_text(&json, "error", kept.why);
    else
        gt_json_key_null(&json, "error");
    gt_json_key_raw(&json, "notes", has_notes ? kept.text.list : (gt_string){"[]", 2});
    gt_json_finish(&json);
    if (kept.data)
        notes_free(&kept);
}

/* Replaces `kept` by the body of the request, and answers. */
static void notes_store(struct gt_web *web, struct gt_query *query, const struct kept_notes *kept)
{
    const gt_web_options *options = &web->options;
    gt_error error = GT_ERROR_INIT;
    gt_string wanted = {"", 0};
    struct gt_json json;
    char revision[NOTES_REVISION_ROOM];
    gt_query_text(query, "revision", &wanted);
    if (kept->why[0] != '\0' || !gt_text_is(wanted, kept->revision)) {
        gt_response_error(query->response, 409,
                          kept->why[0] != '\0' ? kept->why : "the notes have changed meanwhile");
        return;
    }
    gt_status status =
        options->store_notes(options->user_data, query->body.data, query->body.size, &error);
    error.message[sizeof(error.message) - 1] = '\0';
    if (status != GT_OK) {
        gt_response_error(query->response, 507,
                          error.message[0] != '\0' ? error.message : gt_status_text(status));
        return;
    }
    notes_set_revision(revision, query->body);
    gt_json_start(&json, query->response);
    gt_json_key_text(&json, "revision", revision);
    gt_json_finish(&json);
}

/* Returns whether the body can be stored, and otherwise answers with the reason. */
static bool notes_accept_body(struct gt_query *query)
{
    struct gt_notetext text;
    char why[NOTES_WHY_ROOM];
    if (query->body.size > GT_WEB_NOTES_MAX) {
        gt_response_error(query->response, 413, "the notes have more than 1 MiB");
        return false;
    }
    if (gt_notetext_check(query->body, &text))
        return true;
    notes_explain(&text, "", why, sizeof(why));
    gt_response_error(query->response, 400, why);
    return false;
}

void gt_web_change_notes(struct gt_web *web, struct gt_query *query)
{
    struct kept_notes kept;
    if (!notes_may_change(web, query)) {
        gt_response_error(query->response, 403, "notes cannot be changed here");
        return;
    }
    gt_query_need(query, "revision");
    if (query->failed || !notes_accept_body(query))
        return;
    pthread_mutex_lock(&web->notes.lock);
    if (notes_load(web, &kept)) {
        notes_store(web, query, &kept);
        notes_free(&kept);
    } else {
        gt_query_no_memory(query);
    }
    pthread_mutex_unlock(&web->notes.lock);
}

bool gt_web_notes_init(struct gt_web_notes *notes)
{
    return pthread_mutex_init(&notes->lock, NULL) == 0;
}

void gt_web_notes_free(struct gt_web_notes *notes)
{
    pthread_mutex_destroy(&notes->lock);
}
