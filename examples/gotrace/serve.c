/* SPDX-License-Identifier: BSD-3-Clause */
#include "serve.h"

#include <signal.h>
#include <stdio.h>

#include "browser.h"
#include "command.h"
#include "interrupt.h"
#include "terminal.h"

/* For the signal handler. */
static struct http_server *serve_server;
static volatile sig_atomic_t serve_is_stopping;

static void serve_on_signal(int number)
{
    if (serve_is_stopping)
        interrupt_end(number);
    serve_is_stopping = 1;
    http_server_stop(serve_server);
}

static void serve_catch_signals(struct http_server *server)
{
    struct sigaction action = {.sa_handler = serve_on_signal};
    sigemptyset(&action.sa_mask);
    serve_server = server;
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
}

int serve_run(const struct serve_options *options, struct http_server *server, struct output *out)
{
    char url[HTTP_TEXT_MAX * 2];
    snprintf(url, sizeof(url), "%s%s", http_server_url(server), options->page);
    serve_catch_signals(server);
    output_text(out, options->what);
    output_text(out, " is listening on ");
    output_text(out, url);
    output_text(out, "\n");
    if (!output_flush(out))
        return COMMAND_BAD;
    if (http_server_is_public(server))
        terminal_report("%s: listening on all addresses of this machine; whoever can reach it "
                        "can read the trace",
                        options->command);
    if (!options->no_open)
        browser_open(url);
    http_server_run(server);
    return COMMAND_GOOD;
}
