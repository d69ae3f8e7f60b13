/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HTTP_SOCKET_H
#define HTTP_SOCKET_H

#include <stdbool.h>

/* Makes a descriptor one that never blocks, and that no program we start inherits. */
bool http_socket_prepare(int fd);

#endif
