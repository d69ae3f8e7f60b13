/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Mounts the viewer at /debug/trace/ of the HTTP server that a program already has, which is
 * libmicrohttpd in this example. Ends at the end of its standard input or when Enter is pressed.
 *
 *     web_embed TRACE
 */
#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <microhttpd.h>

#include <gotrace/web.h>

struct answer {
    struct MHD_Connection *connection;
    FILE *body;
};

/* The server sends the body when `handle` has returned. It reads the file as if it was a pipe. */
static int begin(void *user_data, uint32_t status, const gt_web_header *headers, size_t count,
                 uint64_t length)
{
    const struct answer *answer = user_data;
    struct MHD_Response *response = MHD_create_response_from_pipe(dup(fileno(answer->body)));
    (void) length;
    if (!response)
        return -1;
    for (size_t i = 0; i < count; i++)
        MHD_add_response_header(response, headers[i].name, headers[i].value);
    enum MHD_Result queued = MHD_queue_response(answer->connection, status, response);
    MHD_destroy_response(response);
    return queued == MHD_YES ? 0 : -1;
}

static int write_body(void *user_data, const void *data, size_t size)
{
    const struct answer *answer = user_data;
    return fwrite(data, 1, size, answer->body) != size;
}

/* `*query` is the query of the request as it was sent: see main. */
static enum MHD_Result handle(void *web, struct MHD_Connection *connection, const char *path,
                              const char *method, const char *version, const char *data,
                              size_t *data_size, void **query)
{
    static const gt_web_header to_page = {"Location", "/debug/trace/"};
    struct answer answer = {connection, tmpfile()};
    gt_web_request request = GT_WEB_REQUEST_INIT;
    gt_web_client client = {sizeof(client), &answer, begin, write_body, NULL};
    int failed = 1; /* closes the connection */
    (void) version, (void) data, (void) data_size;
    request.method = method;
    request.path = path + strlen("/debug/trace");
    request.query = *query;
    if (!answer.body)
        return MHD_NO;
    if (strcmp(path, "/debug/trace") == 0)
        failed = begin(&answer, MHD_HTTP_FOUND, &to_page, 1, 0);
    else if (strncmp(path, to_page.value, strlen(to_page.value)) == 0)
        failed = gt_web_answer(web, &request, &client);
    failed |= fseek(answer.body, 0, SEEK_SET);
    fclose(answer.body);
    return failed ? MHD_NO : MHD_YES;
}

/* The server decodes the query too, but the viewer needs it as it was sent. */
static void *find_query(void *web, const char *target, struct MHD_Connection *connection)
{
    (void) web, (void) connection;
    const char *mark = strchr(target, '?');
    return mark ? strdup(mark + 1) : NULL;
}

static void free_query(void *web, struct MHD_Connection *connection, void **query,
                       enum MHD_RequestTerminationCode why)
{
    (void) web, (void) connection, (void) why;
    free(*query);
}

int main(int argc, char **argv)
{
    gt_web *web;
    gt_error error = GT_ERROR_INIT;
    if (gt_web_open_file(&web, argc > 1 ? argv[1] : "", NULL, &error) != GT_OK) {
        fprintf(stderr, "%s\n", error.message);
        return 1;
    }
    /* Whoever can reach the server can read the trace, so it listens on the loopback address. */
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    struct MHD_Daemon *server = MHD_start_daemon(
        MHD_USE_INTERNAL_POLLING_THREAD | MHD_USE_THREAD_PER_CONNECTION, 0, NULL, NULL, handle, web,
        MHD_OPTION_SOCK_ADDR, &address, MHD_OPTION_URI_LOG_CALLBACK, find_query, NULL,
        MHD_OPTION_NOTIFY_COMPLETED, free_query, NULL, MHD_OPTION_END);
    if (server) {
        printf("http://127.0.0.1:%u/debug/trace/\n",
               MHD_get_daemon_info(server, MHD_DAEMON_INFO_BIND_PORT)->port);
        fflush(stdout);
        getchar();
        MHD_stop_daemon(server);
    }
    gt_web_close(&web);
    return server ? 0 : 1;
}
