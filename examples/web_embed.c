/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Mounts the viewer at /debug/trace/ of the HTTP server that a program already has, which is
 * libmicrohttpd in this example. Ends at the end of its standard input.
 *
 *     web_embed TRACE
 */
#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <microhttpd.h>

#include <gotrace/web.h>

struct answer {
    unsigned int status;
    struct MHD_Response *response;
    FILE *body;
};

static ssize_t read_body(void *body, uint64_t position, char *buffer, size_t room)
{
    size_t size = fread(buffer, 1, room, body);
    (void) position;
    return size > 0 ? (ssize_t) size : MHD_CONTENT_READER_END_OF_STREAM;
}

static void close_body(void *body)
{
    fclose(body);
}

/* `length` is passed on unchanged, because GT_WEB_LENGTH_UNKNOWN equals MHD_SIZE_UNKNOWN. */
static int begin(void *user_data, uint32_t status, const gt_web_header *headers, size_t count,
                 uint64_t length)
{
    struct answer *answer = user_data;
    answer->status = status;
    answer->body = tmpfile();
    if (!answer->body)
        return -1;
    answer->response =
        MHD_create_response_from_callback(length, 65536, read_body, answer->body, close_body);
    if (!answer->response) {
        fclose(answer->body);
        return -1;
    }
    for (size_t i = 0; i < count; i++)
        MHD_add_response_header(answer->response, headers[i].name, headers[i].value);
    return 0;
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
    struct answer answer = {0, NULL, NULL};
    gt_web_request request = {sizeof(request), method, path + strlen("/debug/trace"), *query};
    gt_web_client client = {sizeof(client), &answer, begin, write_body, NULL};
    gt_status status = GT_OK;
    (void) version, (void) data, (void) data_size;
    if (strcmp(path, "/debug/trace") == 0)
        begin(&answer, MHD_HTTP_FOUND, &to_page, 1, 0);
    else if (strncmp(path, to_page.value, strlen(to_page.value)) == 0)
        status = gt_web_answer(web, &request, &client);
    if (!answer.response)
        return MHD_NO; /* ends the connection */
    rewind(answer.body);
    enum MHD_Result result = MHD_NO;
    if (status == GT_OK)
        result = MHD_queue_response(connection, answer.status, answer.response);
    /* This also closes the body, once it was sent. */
    MHD_destroy_response(answer.response);
    return result;
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
        while (getchar() != EOF)
            continue;
        MHD_stop_daemon(server);
    }
    gt_web_close(&web);
    return server ? 0 : 1;
}
