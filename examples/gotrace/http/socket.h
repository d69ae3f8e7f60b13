/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HTTP_SOCKET_H
#define HTTP_SOCKET_H

#include <stdbool.h>

/*
 * Makes a descriptor non-blocking, and closes it in programs that this one starts. Returns false on
 * failure, with errno set.
 */
bool http_socket_prepare(int fd);

#endif
