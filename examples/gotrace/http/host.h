/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HTTP_HOST_H
#define HTTP_HOST_H

#include <stdbool.h>

/*
 * Returns whether a request for `host`, which may include a port, is to be answered: it is an IP
 * address, localhost, or `own`. Any other name may belong to a foreign site that lets it resolve to
 * this machine, so that a page of that site could read the answers (DNS rebinding). The port is not
 * compared, so that ssh may forward another one.
 */
bool http_host_is_good(const char *host, const char *own);

/*
 * Returns whether `origin`, the value of the header of that name, is that of a page of this server,
 * which the client addresses as `host`. Browsers send it with each request that changes something,
 * and pages cannot set it.
 */
bool http_origin_is_same(const char *origin, const char *host);

#endif
