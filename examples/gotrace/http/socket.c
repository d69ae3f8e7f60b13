/* SPDX-License-Identifier: BSD-3-Clause */
#include "socket.h"

#include <fcntl.h>

bool http_socket_prepare(int fd)
{
    int flags = fcntl(fd, F_GETFL);
    return flags >= 0 && fcntl(fd, F_SETFL, flags | O_NONBLOCK) == 0 &&
           fcntl(fd, F_SETFD, FD_CLOEXEC) == 0;
}
