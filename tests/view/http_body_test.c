/* SPDX-License-Identifier: BSD-3-Clause */

/* Tests requests that change something: who may make them, and their bodies. */

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>

#include "client.h"
#include "serving.h"
#include "support/test.h"

/* Short enough for a test, but long enough for a slow machine. */
#define SHORT_MS 300
#define BODY_MAX 300000
#define ORIGIN   "Host: localhost\r\nOrigin: http://localhost\r\n"
#define BYTES    "Content-Type: application/octet-stream\r\n"
#define POST     "POST / HTTP/1.1\r\n" ORIGIN BYTES

static int start(void **state)
{
    const struct http_settings settings = {.body_timeout = SHORT_MS};
    struct serving *serving = malloc(sizeof(*serving));

    assert_non_null(serving);
    serving_start_changing(serving, "127.0.0.1:0", &settings, BODY_MAX);
    *state = serving;
    return 0;
}

static int stop(void **state)
{
    serving_stop(*state);
    free(*state);
    return 0;
}

/* Asserts the answer to a request. */
static void expect(const struct serving *serving, const char *request, int status, const char *body)
{
    struct client_reply reply;
    struct client client;

    client_open(&client, serving->url);
    client_send(&client, request);
    client_take(&client, &reply, 0);
    if (reply.status != status)
        print_error("%s", request);
    assert_int_equal(reply.status, status);
    if (body)
        assert_string_equal(reply.body, body);
    else
        assert_true(client_is_refusal(&reply) && client_has(&reply, "Connection", "close"));
    client_free(&reply);
    client_close(&client);
}

static void test_changes_come_from_pages_of_the_server(void **state)
{
    static const struct {
        const char *head;
        bool is_good;
    } cases[] = {
        {"Host: localhost\r\nOrigin: http://localhost\r\n", true},
        {"Host: LocalHost:80\r\nOrigin: HTTP://localhost:80\r\n", true},
        {"Host: 127.0.0.1:99\r\nOrigin: http://127.0.0.1:99\r\n", true},
        {"Host: [::1]:99\r\nOrigin: http://[::1]:99\r\n", true},
        {"Host: localhost\r\n", false},
        {"Host: localhost\r\nOrigin: null\r\n", false},
        {"Host: localhost\r\nOrigin: \r\n", false},
        {"Host: localhost\r\nOrigin: http://\r\n", false},
        {"Host: localhost\r\nOrigin: localhost\r\n", false},
        {"Host: localhost\r\nOrigin: https://localhost\r\n", false},
        {"Host: localhost\r\nOrigin: http://localhost:80\r\n", false},
        {"Host: localhost:81\r\nOrigin: http://localhost:80\r\n", false},
        {"Host: localhost\r\nOrigin: http://localhost.evil.example\r\n", false},
        {"Host: localhost\r\nOrigin: http://evil.example\r\n", false},
        {"Host: localhost\r\nReferer: http://localhost/\r\n", false},
        /* A name that a foreign site lets resolve to this machine. */
        {"Host: evil.example\r\nOrigin: http://evil.example\r\n", false},
        {"Host: \r\nOrigin: http://\r\n", false},
    };

    char request[400];

    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        snprintf(request, sizeof(request),
                 "POST / HTTP/1.1\r\n%s" BYTES "Content-Length: 2\r\n\r\n\1\2", cases[i].head);
        expect(*state, request, cases[i].is_good ? 201 : 403, cases[i].is_good ? "POST 2 3" : NULL);
        snprintf(request, sizeof(request), "DELETE / HTTP/1.1\r\n%s\r\n", cases[i].head);
        expect(*state, request, cases[i].is_good ? 201 : 403,
               cases[i].is_good ? "DELETE 0 0" : NULL);
    }
    expect(*state, "POST / HTTP/1.0\r\nOrigin: http://\r\n" BYTES "Content-Length: 0\r\n\r\n", 403,
           NULL);
}

static void test_wrong_bodies_are_refused(void **state)
{
    static const struct {
        const char *request;
        int status;
    } cases[] = {
        {POST "\r\n", 411},
        {POST "Content-Length: \r\n\r\n", 400},
        {POST "Content-Length: -1\r\n\r\n", 400},
        {POST "Content-Length: 0x1\r\n\r\n", 400},
        {POST "Content-Length: 1 1\r\n\r\n", 400},
        {POST "Content-Length: 1, 1\r\n\r\n", 400},
        {POST "Content-Length: 1\r\nContent-Length: 1\r\n\r\n", 400},
        {POST "Content-Length: 300001\r\n\r\n", 413},
        {POST "Content-Length: 999999999999999999\r\n\r\n", 413},
        {POST "Content-Length: 18446744073709551617\r\n\r\n", 413},
        {POST "Content-Length: 0000000000000000000001\r\n\r\n", 413},
        {POST "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 501},
        {POST "Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 501},
        {"POST / HTTP/1.1\r\n" ORIGIN "Content-Length: 1\r\n\r\nx", 415},
        {"POST / HTTP/1.1\r\n" ORIGIN "Content-Type: text/plain\r\nContent-Length: 1\r\n\r\nx",
         415},
        {"POST / HTTP/1.1\r\n" ORIGIN
         "Content-Type: multipart/form-data; boundary=x\r\nContent-Length: 1\r\n\r\nx",
         415},
        {POST "Origin: http://localhost\r\nContent-Length: 1\r\n\r\nx", 400},
        {POST BYTES "Content-Length: 1\r\n\r\nx", 400},
        {"DELETE / HTTP/1.1\r\n" ORIGIN "Content-Length: 1\r\n\r\nx", 413},
        {"GET / HTTP/1.1\r\n" ORIGIN "Content-Length: 1\r\n\r\nx", 413},
        {"PUT / HTTP/1.1\r\n" ORIGIN BYTES "Content-Length: 1\r\n\r\nx", 405},
        {"post / HTTP/1.1\r\n" ORIGIN BYTES "Content-Length: 1\r\n\r\nx", 405},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
        expect(*state, cases[i].request, cases[i].status, NULL);
}

/* Sends a body of 'a's in pieces and asserts what arrives. */
static void check_pieces(const struct serving *serving, size_t size, size_t first, size_t piece)
{
    char head[300], expected[100], *data = malloc(size + sizeof(head));
    struct client_reply reply;
    struct client client;
    size_t at, total;

    assert_non_null(data);
    total = (size_t) snprintf(data, sizeof(head), POST "Content-Length: %zu\r\n\r\n", size);
    memset(data + total, 'a', size);
    at = total + first;
    total += size;
    client_open(&client, serving->url);
    client_send_bytes(&client, data, at);
    for (; at < total; at += piece)
        client_send_bytes(&client, data + at, piece < total - at ? piece : total - at);
    client_take(&client, &reply, 0);
    snprintf(expected, sizeof(expected), "POST %zu %zu", size, size * 'a');
    assert_int_equal(reply.status, 201);
    assert_string_equal(reply.body, expected);
    assert_true(client_has(&reply, "Connection", "close"));
    assert_true(client_is_over(&client));
    client_free(&reply);
    client_close(&client);
    free(data);
}

static void test_body_may_come_in_any_pieces(void **state)
{
    check_pieces(*state, 0, 0, 1);
    check_pieces(*state, 500, 0, 1);
    check_pieces(*state, 500, 500, 1);
    check_pieces(*state, 500, 7, 13);
    check_pieces(*state, 16 * 1024, 16 * 1024, 1);
    check_pieces(*state, BODY_MAX, 20000, 777);
    check_pieces(*state, BODY_MAX, 0, BODY_MAX);
}

/* The rest of a body that the handler has not read would look like a request. */
static void test_rest_of_a_body_is_no_request(void **state)
{
    const struct serving *serving = *state;
    struct client_reply reply;
    struct client client;
    char request[20000];

    snprintf(request, sizeof(request),
             "POST /?n=1 HTTP/1.1\r\n" ORIGIN BYTES "Content-Length: 15000\r\n\r\n%14000s"
             "GET /under/smuggled HTTP/1.1\r\nHost: localhost\r\n\r\n",
             "");
    client_open(&client, serving->url);
    client_send(&client, request);
    client_take(&client, &reply, 0);
    assert_int_equal(reply.status, 201);
    assert_true(client_is_over(&client));
    client_free(&reply);
    client_close(&client);
}

static void test_slow_body_ends_in_time(void **state)
{
    const struct timespec pause = {0, SHORT_MS * 100000};
    const struct serving *serving = *state;
    struct client_reply reply;
    struct client client;

    client_open(&client, serving->url);
    client_send(&client, POST "Content-Length: 100000\r\n\r\n");
    /* A byte now and then does not help, as 16 KiB must come within the time. */
    for (int i = 0; i < 20; i++) {
        if (send(client.fd, "a", 1, MSG_NOSIGNAL) < 0)
            break;
        nanosleep(&pause, NULL);
    }
    client_take(&client, &reply, 0);
    assert_int_equal(reply.status, 408);
    client_free(&reply);
    client_close(&client);
}

static void test_broken_off_body_does_not_reach_the_end(void **state)
{
    const struct serving *serving = *state;
    struct client_reply reply;
    struct client client;

    client_open(&client, serving->url);
    client_send(&client, POST "Content-Length: 10\r\n\r\nabc");
    shutdown(client.fd, SHUT_WR);
    client_take(&client, &reply, 0);
    assert_int_equal(reply.status, 408);
    client_free(&reply);
    client_close(&client);
}

static void test_client_may_wait_to_be_told_to_continue(void **state)
{
    static const char go_on[] = "HTTP/1.1 100 Continue\r\n\r\n";
    const struct serving *serving = *state;
    char got[sizeof(go_on)] = "";
    struct client_reply reply;
    struct client client;

    client_open(&client, serving->url);
    client_send(&client, POST "Expect: 100-continue\r\nContent-Length: 3\r\n\r\n");
    assert_int_equal(recv(client.fd, got, strlen(go_on), MSG_WAITALL), strlen(go_on));
    assert_string_equal(got, go_on);
    client_send(&client, "abc");
    client_take(&client, &reply, 0);
    assert_string_equal(reply.body, "POST 3 294");
    client_free(&reply);
    client_close(&client);
}

static void test_stop_ends_a_body_at_once(void **state)
{
    const struct http_settings settings = {.body_timeout = 60000};
    struct serving serving;
    struct client client;
    (void) state;
    serving_start_changing(&serving, "127.0.0.1:0", &settings, BODY_MAX);
    client_open(&client, serving.url);
    client_send(&client, POST "Content-Length: 10\r\n\r\nabc");
    serving_stop(&serving);
    client_close(&client);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_changes_come_from_pages_of_the_server, start, stop),
        cmocka_unit_test_setup_teardown(test_wrong_bodies_are_refused, start, stop),
        cmocka_unit_test_setup_teardown(test_body_may_come_in_any_pieces, start, stop),
        cmocka_unit_test_setup_teardown(test_rest_of_a_body_is_no_request, start, stop),
        cmocka_unit_test_setup_teardown(test_slow_body_ends_in_time, start, stop),
        cmocka_unit_test_setup_teardown(test_broken_off_body_does_not_reach_the_end, start, stop),
        cmocka_unit_test_setup_teardown(test_client_may_wait_to_be_told_to_continue, start, stop),
        cmocka_unit_test(test_stop_ends_a_body_at_once),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
