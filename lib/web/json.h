/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_WEB_JSON_H
#define GT_WEB_JSON_H

/*
 * Writes JSON without white space as the body of a response. Commas are added automatically, but
 * the caller must make keys and values alternate, and close every object and array. If memory runs
 * out, the response becomes an error, and the rest is dropped.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <gotrace/types.h>

#include "web/response.h"

struct gt_json {
    struct gt_response *out;
    /* The next value or key needs a comma before it. */
    bool comma;
    /*
     * Between gt_json_hold and gt_json_release `held` is true, and `data` has the JSON that was
     * written. `failed` means that there was not enough memory for it.
     */
    bool held;
    bool failed;
    char *data;
    size_t used, room;
};

/* Starts to write to `out`, which must remain valid, and sets its Content-Type to that of JSON. */
void gt_json_init(struct gt_json *json, struct gt_response *out);

/*
 * Keeps what is written from now on in memory until gt_json_release, which must follow and which
 * frees that memory. This allows to write while a lock is held without waiting for the client.
 */
void gt_json_hold(struct gt_json *json);
void gt_json_release(struct gt_json *json);

void gt_json_object(struct gt_json *json);
void gt_json_end_object(struct gt_json *json);
void gt_json_array(struct gt_json *json);
void gt_json_end_array(struct gt_json *json);

/*
 * Writes a key, whose value must follow. The key must be ASCII that needs no escapes; it is cut
 * after 253 bytes.
 */
void gt_json_key(struct gt_json *json, const char *key);

/*
 * Writes a string that may contain any bytes of the trace. What is not valid UTF-8 becomes U+FFFD.
 */
void gt_json_string(struct gt_json *json, gt_string string);
void gt_json_text(struct gt_json *json, const char *text);
void gt_json_int(struct gt_json *json, int64_t value);
void gt_json_uint(struct gt_json *json, uint64_t value);
/* Writes 0 in place of an infinity or NaN, which JSON cannot express. */
void gt_json_real(struct gt_json *json, double value);
void gt_json_bool(struct gt_json *json, bool value);
void gt_json_null(struct gt_json *json);

/* These functions write a key and its value. */
void gt_json_key_string(struct gt_json *json, const char *key, gt_string value);
void gt_json_key_text(struct gt_json *json, const char *key, const char *value);
void gt_json_key_int(struct gt_json *json, const char *key, int64_t value);
void gt_json_key_uint(struct gt_json *json, const char *key, uint64_t value);
void gt_json_key_real(struct gt_json *json, const char *key, double value);
void gt_json_key_bool(struct gt_json *json, const char *key, bool value);
void gt_json_key_null(struct gt_json *json, const char *key);

#endif
