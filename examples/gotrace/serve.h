/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SERVE_H
#define SERVE_H

/* Serves pages until the user ends the program. */

#include <stdbool.h>

#include "http/server.h"
#include "output.h"

struct serve_options {
    /* What is served, as the line says that names the address, such as "Trace viewer". */
    const char *what;
    /* The name of the command, for messages. */
    const char *command;
    /* The page to open, such as "/". */
    const char *page;
    /* Open no browser. */
    bool no_open;
};

/*
 * Prints the address of the server, opens a browser, and serves until SIGINT or SIGTERM comes. The
 * first signal ends the server in order, and the second one ends the program. Returns the exit code
 * of the program.
 */
int serve_run(const struct serve_options *options, struct http_server *server, struct output *out);

#endif
