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

struct json {
    struct gt_response *out;
    /* The next value or key has one before it. */
    bool comma;
    /* Between json_hold and json_release: what is held back. */
    bool held;
    bool failed;
    char *data;
    size_t used, room;
};

/* Also says what type the body is of. */
void json_init(struct json *json, struct gt_response *out);

/*
 * What is written from now on stays in memory until json_release, which must follow: so
 * that no lock is held while a client takes its time.
 */
void json_hold(struct json *json);
void json_release(struct json *json);

void json_object(struct json *json);
void json_end_object(struct json *json);
void json_array(struct json *json);
void json_end_array(struct json *json);

/* A key, of plain ASCII; its value follows. */
void json_key(struct json *json, const char *key);

/* Bytes of the trace: what is not UTF-8 becomes U+FFFD. */
void json_string(struct json *json, gt_string string);
void json_text(struct json *json, const char *text);
void json_int(struct json *json, int64_t value);
void json_uint(struct json *json, uint64_t value);
/* JSON has no word for what is not finite: 0 stands for that. */
void json_real(struct json *json, double value);
void json_bool(struct json *json, bool value);
void json_null(struct json *json);

/* A key and its value. */
void json_key_string(struct json *json, const char *key, gt_string value);
void json_key_text(struct json *json, const char *key, const char *value);
void json_key_int(struct json *json, const char *key, int64_t value);
void json_key_uint(struct json *json, const char *key, uint64_t value);
void json_key_real(struct json *json, const char *key, double value);
void json_key_bool(struct json *json, const char *key, bool value);
void json_key_null(struct json *json, const char *key);

#endif
