/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_WEB_JSON_H
#define GT_WEB_JSON_H

/*
 * JSON as the body of a response, without blanks. Commas come by themselves; that keys
 * and values alternate, and that all is closed, is for the caller to see to. Where memory
 * runs out the response knows, and what follows is dropped.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <gotrace/types.h>

#include "web/response.h"

struct gt_json {
    struct gt_response *out;
    /* The next value or key has one before it. */
    bool comma;
    /* Between gt_json_hold and gt_json_release: what is held back. */
    bool held;
    bool failed;
    char *data;
    size_t used, room;
};

/* Also says what type the body is of. */
void gt_json_init(struct gt_json *json, struct gt_response *out);

/*
 * What is written from now on stays in memory until gt_json_release, which must follow: so
 * that no lock is held while a client takes its time.
 */
void gt_json_hold(struct gt_json *json);
void gt_json_release(struct gt_json *json);

void gt_json_object(struct gt_json *json);
void gt_json_end_object(struct gt_json *json);
void gt_json_array(struct gt_json *json);
void gt_json_end_array(struct gt_json *json);

/* A key, of plain ASCII; its value follows. */
void gt_json_key(struct gt_json *json, const char *key);

/* Bytes of the trace: what is not UTF-8 becomes U+FFFD. */
void gt_json_string(struct gt_json *json, gt_string string);
void gt_json_text(struct gt_json *json, const char *text);
void gt_json_int(struct gt_json *json, int64_t value);
void gt_json_uint(struct gt_json *json, uint64_t value);
/* JSON has no word for what is not finite: 0 stands for that. */
void gt_json_real(struct gt_json *json, double value);
void gt_json_bool(struct gt_json *json, bool value);
void gt_json_null(struct gt_json *json);

/* A key and its value. */
void gt_json_key_string(struct gt_json *json, const char *key, gt_string value);
void gt_json_key_text(struct gt_json *json, const char *key, const char *value);
void gt_json_key_int(struct gt_json *json, const char *key, int64_t value);
void gt_json_key_uint(struct gt_json *json, const char *key, uint64_t value);
void gt_json_key_real(struct gt_json *json, const char *key, double value);
void gt_json_key_bool(struct gt_json *json, const char *key, bool value);
void gt_json_key_null(struct gt_json *json, const char *key);

#endif
