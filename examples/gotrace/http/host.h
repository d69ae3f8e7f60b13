/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HTTP_HOST_H
#define HTTP_HOST_H

#include <stdbool.h>

/*
 * Whether a request for `host`, perhaps with a port, is to be answered: it is an address,
 * localhost, or `own`. Any other name may belong to a foreign site that had it resolve to
 * this machine, and whose page could then read what we answer. The port does not matter,
 * so that ssh may forward another one.
 */
bool http_host_is_good(const char *host, const char *own);

#endif
