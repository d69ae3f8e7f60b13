/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_WEB_JSON_H
#define GT_WEB_JSON_H

/*
 * Writes a JSON object without white space as the body of a response. Commas are added
 * automatically, but the caller must give each value of an object a key, and none to the values of
 * an array. If memory runs out, the response becomes an error, and the rest is dropped.
 *
 * If the object would become longer than an answer may be, the members in which that happens are
 * cut: a list or an object keeps its first elements, and a member with a single value is left out.
 * Later members follow as far as there is room. The object then ends with "truncated":true.
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
     * The number of objects and arrays that are open, and which of them are arrays: a bit for each,
     * of which the lowest is that of the innermost.
     */
    unsigned depth;
    uint64_t arrays;
    /*
     * The state after the last complete value that is a member of the outermost object, or an
     * element of such a member: what was written by then, and what was open.
     */
    size_t complete_size;
    unsigned complete_depth;
    /* The rest of the current member of the outermost object is dropped. */
    bool is_dropping;
    /* Something was dropped. */
    bool is_truncated;
};

/*
 * Begins the object that is the body of `out`, which must remain valid, and sets its Content-Type
 * to that of JSON. gt_json_finish must follow.
 */
void gt_json_start(struct gt_json *json, struct gt_response *out);

/* Ends all objects and arrays that are open. */
void gt_json_finish(struct gt_json *json);

/* Begin an object or an array within an array. At most 64 may be open at a time. */
void gt_json_object(struct gt_json *json);
void gt_json_array(struct gt_json *json);
/* Ends the innermost object or array. */
void gt_json_end(struct gt_json *json);

/*
 * Writes a string that may contain any bytes of the trace. What is not valid UTF-8 becomes U+FFFD.
 */
void gt_json_string(struct gt_json *json, gt_string string);
void gt_json_text(struct gt_json *json, const char *text);
void gt_json_int(struct gt_json *json, int64_t value);
void gt_json_uint(struct gt_json *json, uint64_t value);
/* Writes 0 in place of an infinity or NaN, which JSON cannot express. */
void gt_json_real(struct gt_json *json, double value);

/* Writes a key, which like a string may contain any bytes. Its value must follow. */
void gt_json_key(struct gt_json *json, gt_string key);

/* These functions write a key and its value, or the begin of its value. */
void gt_json_key_object(struct gt_json *json, const char *key);
void gt_json_key_array(struct gt_json *json, const char *key);
void gt_json_key_string(struct gt_json *json, const char *key, gt_string value);
void gt_json_key_text(struct gt_json *json, const char *key, const char *value);
void gt_json_key_int(struct gt_json *json, const char *key, int64_t value);
void gt_json_key_uint(struct gt_json *json, const char *key, uint64_t value);
void gt_json_key_real(struct gt_json *json, const char *key, double value);
/* Does not round the number, as gt_json_key_real does after 12 digits. */
void gt_json_key_exact(struct gt_json *json, const char *key, double value);
void gt_json_key_bool(struct gt_json *json, const char *key, bool value);
void gt_json_key_null(struct gt_json *json, const char *key);
/* Writes a value that is JSON already. */
void gt_json_key_raw(struct gt_json *json, const char *key, gt_string value);

/* Writes null as the value if it is not known. */
void gt_json_key_int_if(struct gt_json *json, const char *key, bool is_known, int64_t value);
/* Begins an object and returns true, or writes null and returns false if nothing is known. */
bool gt_json_key_object_if(struct gt_json *json, const char *key, bool is_known);

#endif
