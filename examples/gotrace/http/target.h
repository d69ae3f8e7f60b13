/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HTTP_TARGET_H
#define HTTP_TARGET_H

/* What a request line names: a path and a query, perhaps with the host before them. */

#include <stdbool.h>
#include <stddef.h>

#include "request.h"

/*
 * Takes `target`, which ends in NUL, apart into the path and query of `*request`; it is
 * written to, and must stay. `*host` becomes the host if it is named, else NULL. False where
 * the target is malformed.
 */
bool http_target_parse(char *target, struct http_request *request, const char **host);

#endif
