/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HTTP_TARGET_H
#define HTTP_TARGET_H

/* The target of a request line: a path and a query, and possibly the host before them. */

#include <stdbool.h>
#include <stddef.h>

#include "request.h"

/*
 * Parses `target`, which ends in a NUL, into the path and query of `*request`. `target` is
 * modified, and must remain valid as long as `*request`, which points into it. Sets `*host` to the
 * host if the target contains one, otherwise to NULL. Returns false if the target is malformed.
 */
bool http_target_parse(char *target, struct http_request *request, const char **host);

/*
 * Copies the decoded value of the first parameter `name` of a query to `to`, cut off to the room
 * that is there. Returns false if there is none.
 */
bool http_query_value(const char *query, const char *name, char *to, size_t room);

#endif
