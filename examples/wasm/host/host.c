/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The parts of the command that WASI has nothing for: other programs, the network, and a few
 * functions of POSIX. All of them fail with a message that says so, except for temporary files,
 * which get a name.
 */
#include "host.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "child.h"
#include "command.h"
#include "compareview.h"
#include "http/address.h"
#include "http/client.h"
#include "terminal.h"
#include "thread.h"

enum {
    HOST_TRIES = 16
};

int child_start(char *const arguments[], const int streams[CHILD_STREAMS], pid_t *child)
{
    (void) arguments, (void) streams, (void) child;
    return ENOTSUP;
}

bool child_wait(pid_t child, int *status)
{
    (void) child, (void) status;
    errno = ENOTSUP;
    return false;
}

char *child_read_file(FILE *from)
{
    (void) from;
    return NULL;
}

void child_explain(const char *program, FILE *said, int status, char *text, size_t room)
{
    (void) said, (void) status;
    snprintf(text, room, "cannot run %s", program);
}

int dup(int fd)
{
    (void) fd;
    errno = ENOTSUP;
    return -1;
}

int pipe(int ends[2])
{
    (void) ends;
    errno = ENOTSUP;
    return -1;
}

int kill(int process, int number)
{
    (void) process, (void) number;
    errno = ENOTSUP;
    return -1;
}

bool thread_start(pthread_t *thread, void *(*run)(void *argument), void *argument)
{
    (void) thread, (void) run, (void) argument;
    errno = ENOTSUP;
    return false;
}

/* WASI has no permissions. */
int fchmod(int fd, mode_t mode)
{
    (void) fd, (void) mode;
    return 0;
}

/* Times of the wall clock are those of UTC. */
void tzset(void)
{
}

/* A file that has no name any more when this returns. */
FILE *tmpfile(void)
{
    static uint32_t count;
    const char *folder = getenv("TMPDIR");
    for (int i = 0; i < HOST_TRIES; i++) {
        char path[4096];
        struct timespec now;
        clock_gettime(CLOCK_MONOTONIC, &now);
        int size = snprintf(path, sizeof(path), "%s/gotrace-%lx-%x", folder ? folder : "/tmp",
                            (unsigned long) now.tv_nsec, (unsigned) count++);
        if (size < 0 || (size_t) size >= sizeof(path))
            return NULL;
        int fd = open(path, O_RDWR | O_CREAT | O_EXCL, 0600);
        if (fd < 0 && errno == EEXIST)
            continue;
        if (fd < 0)
            return NULL;
        unlink(path);
        return fdopen(fd, "w+b");
    }
    return NULL;
}

bool http_address_parse(const char *text, struct http_address *address, char *error)
{
    (void) text, (void) address;
    snprintf(error, HTTP_TEXT_MAX, "this gotrace has no network");
    return false;
}

void http_client_init(struct http_client *client)
{
    *client = (struct http_client){.fd = -1};
}

bool http_client_get(struct http_client *client, const struct http_url *url,
                     const struct http_patience *patience)
{
    (void) url, (void) patience;
    snprintf(client->error, sizeof(client->error), "this gotrace has no network");
    return false;
}

size_t http_client_read(struct http_client *client, void *buffer, size_t capacity)
{
    (void) client, (void) buffer, (void) capacity;
    return 0;
}

void http_client_stop(struct http_client *client)
{
    (void) client;
}

void http_client_abandon(struct http_client *client)
{
    (void) client;
}

void http_client_close(struct http_client *client)
{
    (void) client;
}

static void host_report_no_server(const char *command)
{
    terminal_report("%s: this gotrace has no server; the page in gotrace/viewer shows traces",
                    command);
}

static int host_refuse(const struct command *self, struct output *out, char **arguments)
{
    (void) out, (void) arguments;
    host_report_no_server(self->name);
    return COMMAND_BAD;
}

const struct command command_view = {
    .name = "view",
    .usage = "view FILE...",
    .summary = "show traces in a browser, which this gotrace cannot do",
    .help = "Needs a server, which this gotrace does not have.\n",
    .run = host_refuse,
};

static int host_refuse_to_record(const struct command *self, struct output *out, char **arguments)
{
    (void) out, (void) arguments;
    terminal_report("%s: this gotrace cannot run other programs", self->name);
    return COMMAND_BAD;
}

const struct command command_record = {
    .name = "record",
    .usage = "record PROGRAM...",
    .summary = "record a program in C or C++, which this gotrace cannot do",
    .help = "Needs to run other programs, which this gotrace cannot.\n",
    .run = host_refuse_to_record,
};

const struct command command_symbolize = {
    .name = "symbolize",
    .usage = "symbolize FILE",
    .summary = "add files and lines to stacks, which this gotrace cannot do",
    .help = "Needs to run other programs, which this gotrace cannot.\n",
    .run = host_refuse_to_record,
};

struct compareview *compareview_open(const struct compareview_options *options)
{
    (void) options;
    host_report_no_server("compare --http");
    return NULL;
}

int compareview_run(struct compareview *view, const gt_compare *compare, struct output *out)
{
    (void) view, (void) compare, (void) out;
    return COMMAND_BAD;
}

void compareview_close(struct compareview *view)
{
    (void) view;
}
