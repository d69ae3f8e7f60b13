/* SPDX-License-Identifier: BSD-3-Clause */

/* Tests how the server handles requests: ordinary ones, unusual ones, and those it must refuse. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>

#include "client.h"
#include "serving.h"
#include "support/test.h"

static int start(void **state)
{
    struct serving *serving = malloc(sizeof(*serving));

    assert_non_null(serving);
    serving_start(serving, "127.0.0.1:0", NULL);
    *state = serving;
    return 0;
}

static int stop(void **state)
{
    serving_stop(*state);
    free(*state);
    return 0;
}

/* Asserts the answer to one GET. */
static void expect(const struct serving *serving, const char *path, int status, const char *body)
{
    struct client_reply reply;

    client_ask(serving->url, path, &reply);
    assert_int_equal(reply.status, status);
    if (body)
        assert_string_equal(reply.body, body);
    client_free(&reply);
}

static void test_paths_reach_their_handlers(void **state)
{
    expect(*state, "/", 200, "root");
    expect(*state, "/?x=1", 200, "root");
    expect(*state, "/under/a/b", 200, "a/b");
    expect(*state, "/under/", 200, "");
    expect(*state, "/%75nder/%2e%2E/", 200, "../");
    expect(*state, "/under", 404, "{\"error\":\"there is nothing here\"}\n");
    expect(*state, "/echo/", 404, NULL);
    expect(*state, "/ech", 404, NULL);
    expect(*state, "//", 404, NULL);
    expect(*state, "/nothing", 404, NULL);
}

static void test_queries_are_decoded(void **state)
{
    static const struct {
        const char *query, *answer;
    } cases[] = {
        {"", " n=1:-7 u=1:7 a=(none)"},
        {"a", " n=1:-7 u=1:7 a="},
        {"a=", " n=1:-7 u=1:7 a="},
        {"a=1+2%2B3%26%3d&a=later", " n=1:-7 u=1:7 a=1 2+3&="},
        {"aa=1&&=&%61=x=y", " n=1:-7 u=1:7 a=x=y"},
        {"a=%C3%A9%ff", " n=1:-7 u=1:7 a=\xc3\xa9\xff"},
        {"n=9223372036854775807&u=18446744073709551615",
         " n=1:9223372036854775807 u=1:18446744073709551615 a=(none)"},
        {"n=-9223372036854775808&u=0", " n=1:-9223372036854775808 u=1:0 a=(none)"},
        {"n=9223372036854775808&u=18446744073709551616", " n=0:-7 u=0:7 a=(none)"},
        {"n=-9223372036854775809&u=-1", " n=0:-7 u=0:7 a=(none)"},
        {"n=-0&u=+1", " n=1:0 u=0:7 a=(none)"},
        {"n=&u=", " n=0:-7 u=0:7 a=(none)"},
        {"n=-&u=0x1", " n=0:-7 u=0:7 a=(none)"},
        {"n=1e3&u=1%20", " n=0:-7 u=0:7 a=(none)"},
    };

    char path[200], answer[400];

    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        snprintf(path, sizeof(path), "/echo?%s", cases[i].query);
        snprintf(answer, sizeof(answer), "GET /echo?%s%s", cases[i].query, cases[i].answer);
        expect(*state, path, 200, answer);
    }
}

static void test_request_may_come_in_pieces(void **state)
{
    static const char text[] = "\r\nGET /echo?a=1 HTTP/1.1\r\nHost: localhost\r\n\r\n";
    const struct serving *serving = *state;
    struct client_reply reply;
    struct client client;

    client_open(&client, serving->url);
    for (size_t i = 0; i < strlen(text); i++)
        client_send_bytes(&client, text + i, 1);
    client_take(&client, &reply, 0);
    assert_string_equal(reply.body, "GET /echo?a=1 n=1:-7 u=1:7 a=1");
    client_free(&reply);
    client_close(&client);
}

static void test_pipelined_requests_are_answered_in_order(void **state)
{
    const struct serving *serving = *state;
    char text[10000] = "", expected[100];
    struct client_reply reply;
    struct client client;

    client_open(&client, serving->url);
    for (int i = 0; i < 100; i++)
        snprintf(text + strlen(text), sizeof(text) - strlen(text),
                 "GET /under/%d HTTP/1.1\r\nHost: [::1]:80\r\n\r\n", i);
    /* The last request is sent in two parts. */
    client_send_bytes(&client, text, strlen(text) - 10);
    client_send(&client, text + strlen(text) - 10);
    for (int i = 0; i < 100; i++) {
        snprintf(expected, sizeof(expected), "%d", i);
        client_take(&client, &reply, 0);
        assert_string_equal(reply.body, expected);
        client_free(&reply);
    }
    client_close(&client);
}

static void test_connection_stays_open_if_the_client_wants(void **state)
{
    static const struct {
        const char *request;
        int goes_on;
    } cases[] = {
        {"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n", 1},
        {"GET / HTTP/1.9\r\nHost: localhost\r\nConnection: keep-alive\r\n\r\n", 1},
        {"GET / HTTP/1.1\r\nhost: localhost\r\nConnection: foo, CLOSE\r\n\r\n", 0},
        {"GET / HTTP/1.1\r\nHost: localhost\r\nConnection: closed\r\n\r\n", 1},
        {"GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n", 1},
        {"GET / HTTP/1.0\r\n\r\n", 0},
        {"GET / HTTP/1.0\r\nHost: localhost\r\nConnection: keep-alive\r\n\r\n", 0},
    };
    const struct serving *serving = *state;
    struct client_reply reply;
    struct client client;

    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        client_open(&client, serving->url);
        client_send(&client, cases[i].request);
        client_take(&client, &reply, 0);
        assert_string_equal(reply.body, "root");
        assert_int_equal(client_has(&reply, "Connection", "close"), !cases[i].goes_on);
        client_free(&reply);
        if (cases[i].goes_on) {
            client_get(&client, "/under/more");
            client_take(&client, &reply, 0);
            assert_string_equal(reply.body, "more");
            client_free(&reply);
        } else {
            assert_true(client_is_over(&client));
        }
        client_close(&client);
    }
}

static void test_only_local_hosts_are_accepted(void **state)
{
    static const struct {
        const char *host;
        int status;
    } cases[] = {
        {"127.0.0.1", 200},
        {"127.0.0.1:6060", 200},
        {"10.1.2.3:1", 200},
        {"localhost", 200},
        {"LocalHost:99", 200},
        {"[::1]", 200},
        {"[fe80::1]:8", 200},
        {"localhost:", 200},
        {"evil.example", 403},
        {"", 403},
        {":80", 403},
        {"127.0.0.1.evil.example", 403},
        {"localhost.x", 403},
        {"xlocalhost", 403},
        {"127.0.0.1:x", 403},
        {"[::1", 403},
        {"[::1]x", 403},
        {"[localhost]", 403},
        {"::1", 403},
        {"127.0.0.1:123456", 403},
        {"1", 403},
        {"a@127.0.0.1", 403},
        {"127.0.0.1@evil", 403},
        {"127.0.0.256", 403},
        {"localhost, evil", 403},
    };
    const struct serving *serving = *state;
    char text[500];
    struct client_reply reply;
    struct client client;

    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        for (int form = 0; form < 2; form++) {
            /*
             * If the target is a URL, its host counts instead of the header. It cannot contain a
             * blank.
             */
            if (form == 1 && (!*cases[i].host || strchr(cases[i].host, ' ')))
                continue;
            snprintf(text, sizeof(text),
                     form == 0 ? "GET / HTTP/1.1\r\nHost: %s\r\n\r\n"
                               : "GET hTTp://%s HTTP/1.1\r\nHost: other.example\r\n\r\n",
                     cases[i].host);
            client_open(&client, serving->url);
            client_send(&client, text);
            client_take(&client, &reply, 0);
            assert_int_equal(reply.status, cases[i].status);
            assert_int_equal(client_is_refusal(&reply), cases[i].status == 403);
            client_free(&reply);
            client_close(&client);
        }
    }
}

#define HOST "Host: localhost\r\n"

/*
 * Each request is refused, and the connection ends. What follows must not be read as a request:
 * request smuggling is based on two programs that read the same bytes differently.
 */
static void test_refused_requests_end_the_connection(void **state)
{
    static const struct {
        const char *request;
        int status;
    } cases[] = {
        {"\n", 400},
        {"GET / HTTP/1.1\n" HOST "\n", 400},
        {"GET / HTTP/1.1\r\nHost: localhost\n\r\n", 400},
        {"GET /\r\n\r\n", 400},
        {"GET  / HTTP/1.1\r\n" HOST "\r\n", 400},
        {"GET / HTTP/1.1 \r\n" HOST "\r\n", 400},
        {" GET / HTTP/1.1\r\n" HOST "\r\n", 400},
        {"GET / HTTP/1.\r\n" HOST "\r\n", 400},
        {"GET / http/1.1\r\n" HOST "\r\n", 400},
        {"GET / HTTP/2.0\r\n" HOST "\r\n", 505},
        {"GET / HTTP/0.9\r\n" HOST "\r\n", 505},
        {"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 505},
        {"G\xe9T / HTTP/1.1\r\n" HOST "\r\n", 400},
        {"GET x HTTP/1.1\r\n" HOST "\r\n", 400},
        {"GET * HTTP/1.1\r\n" HOST "\r\n", 400},
        {"GET https://localhost/ HTTP/1.1\r\n" HOST "\r\n", 400},
        {"GET /# HTTP/1.1\r\n" HOST "\r\n", 400},
        {"GET /\xff HTTP/1.1\r\n" HOST "\r\n", 400},
        {"GET /\x7f HTTP/1.1\r\n" HOST "\r\n", 400},
        {"GET /\t HTTP/1.1\r\n" HOST "\r\n", 400},
        {"GET /\r HTTP/1.1\r\n" HOST "\r\n", 400},
        {"GET /%00 HTTP/1.1\r\n" HOST "\r\n", 400},
        {"GET /%4 HTTP/1.1\r\n" HOST "\r\n", 400},
        {"GET /%4g HTTP/1.1\r\n" HOST "\r\n", 400},
        {"GET /echo?a=% HTTP/1.1\r\n" HOST "\r\n", 400},
        {"GET /echo?%00=1 HTTP/1.1\r\n" HOST "\r\n", 400},
        {"GET / HTTP/1.1\r\n\r\n", 400},
        {"GET / HTTP/1.1\r\n" HOST HOST "\r\n", 400},
        {"GET http://localhost/ HTTP/1.1\r\n\r\n", 400},
        {"GET / HTTP/1.1\r\n" HOST " continued\r\n\r\n", 400},
        {"GET / HTTP/1.1\r\n" HOST "Name : x\r\n\r\n", 400},
        {"GET / HTTP/1.1\r\n" HOST "no colon\r\n\r\n", 400},
        {"GET / HTTP/1.1\r\n" HOST ": no name\r\n\r\n", 400},
        {"GET / HTTP/1.1\r\n" HOST "X: a\rb\r\n\r\n", 400},
        {"GET / HTTP/1.1\r\n" HOST "X: a\x01\r\n\r\n", 400},
        {"GET / HTTP/1.1\r\n" HOST "Content-Length: 5\r\n\r\nhello", 413},
        {"GET / HTTP/1.1\r\n" HOST "Content-Length: 0\r\nContent-Length: 5\r\n\r\nhello", 413},
        {"GET / HTTP/1.1\r\n" HOST "Content-Length: 0, 5\r\n\r\nhello", 413},
        {"GET / HTTP/1.1\r\n" HOST "Content-Length: +0\r\n\r\n", 413},
        {"GET / HTTP/1.1\r\n" HOST "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 501},
        {"GET / HTTP/1.1\r\n" HOST "transfer-encoding: identity\r\n\r\n", 501},
        {"POST / HTTP/1.1\r\n" HOST "Content-Length: 5\r\n\r\nhello", 405},
        {"OPTIONS / HTTP/1.1\r\n" HOST "\r\n", 405},
        {"get / HTTP/1.1\r\n" HOST "\r\n", 405},
        {"GETT / HTTP/1.1\r\n" HOST "\r\n", 405},
    };

    static const char smuggled[] = "GET /under/smuggled HTTP/1.1\r\n" HOST "\r\n";
    const struct serving *serving = *state;
    struct client_reply reply;
    struct client client;

    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        client_open(&client, serving->url);
        client_send(&client, cases[i].request);
        client_send(&client, smuggled);
        client_take(&client, &reply, 0);
        if (reply.status != cases[i].status)
            print_error("case %zu: %s\n", i, cases[i].request);
        assert_int_equal(reply.status, cases[i].status);
        assert_true(client_is_refusal(&reply));
        assert_true(client_has(&reply, "Content-Type", "application/json"));
        assert_true(client_has(&reply, "Connection", "close"));
        assert_int_equal(client_has(&reply, "Allow", "GET, HEAD"), cases[i].status == 405);
        assert_true(client_is_over(&client));
        client_free(&reply);
        client_close(&client);
    }
}

/*
 * If the server closed the connection at once, this would reset it and the client could lose the
 * answer.
 */
static void test_answer_arrives_though_a_body_is_refused(void **state)
{
    enum {
        PART = 100000
    };
    const struct timespec pause = {0, 20000000};
    const struct serving *serving = *state;
    struct client_reply reply;
    struct client client;
    char *part = calloc(1, PART);

    assert_non_null(part);
    client_open(&client, serving->url);
    client_send(&client, "PUT / HTTP/1.1\r\n" HOST "Content-Length: 500000\r\n\r\n");
    for (int i = 0; i < 5; i++) {
        assert_int_equal(send(client.fd, part, PART, MSG_NOSIGNAL), PART);
        nanosleep(&pause, NULL);
    }
    client_take(&client, &reply, 0);
    assert_int_equal(reply.status, 405);
    client_free(&reply);
    client_close(&client);
    free(part);
}

static void test_nul_in_a_header_is_refused(void **state)
{
    static const char text[] = "GET / HTTP/1.1\r\n" HOST "X: a\0b\r\n\r\n";
    const struct serving *serving = *state;
    struct client_reply reply;
    struct client client;

    client_open(&client, serving->url);
    client_send_bytes(&client, text, sizeof(text) - 1);
    client_take(&client, &reply, 0);
    assert_int_equal(reply.status, 400);
    assert_true(client_is_over(&client));
    client_free(&reply);
    client_close(&client);
}

/* Sends a head with `count` headers, including Host. The value of the last one has `size` bytes. */
static int ask_with(const struct serving *serving, int count, size_t size)
{
    struct client_reply reply;
    struct client client;
    char *value = calloc(1, size + 1);
    int status;

    assert_non_null(value);
    memset(value, 'x', size);
    client_open(&client, serving->url);
    client_send(&client, "GET / HTTP/1.1\r\n" HOST);
    for (int i = 2; i < count; i++)
        client_send(&client, "A: b\r\n");
    client_send(&client, "B: ");
    client_send(&client, value);
    client_send(&client, "\r\n\r\n");
    client_take(&client, &reply, 0);
    status = reply.status;
    client_free(&reply);
    client_close(&client);
    free(value);
    return status;
}

static void test_heads_over_the_limits_are_refused(void **state)
{
    /* The size of a head with one more header, without the value of that. */
    const size_t rest = strlen("GET / HTTP/1.1\r\n" HOST "B: \r\n\r\n");

    assert_int_equal(ask_with(*state, 100, 1), 200);
    assert_int_equal(ask_with(*state, 101, 1), 431);
    assert_int_equal(ask_with(*state, 2000, 1), 431);
    assert_int_equal(ask_with(*state, 2, 16384 - rest), 200);
    assert_int_equal(ask_with(*state, 2, 16385 - rest), 431);
    assert_int_equal(ask_with(*state, 2, 1000000), 431);
}

static void test_long_request_line_is_refused(void **state)
{
    const struct serving *serving = *state;
    struct client_reply reply;
    struct client client;
    char path[20000];

    memset(path, '/', sizeof(path));
    client_open(&client, serving->url);
    client_send(&client, "GET ");
    client_send_bytes(&client, path, sizeof(path));
    client_take(&client, &reply, 0);
    assert_int_equal(reply.status, 414);
    assert_true(client_is_refusal(&reply));
    assert_true(client_is_over(&client));
    client_free(&reply);
    client_close(&client);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_paths_reach_their_handlers),
        cmocka_unit_test(test_queries_are_decoded),
        cmocka_unit_test(test_request_may_come_in_pieces),
        cmocka_unit_test(test_pipelined_requests_are_answered_in_order),
        cmocka_unit_test(test_connection_stays_open_if_the_client_wants),
        cmocka_unit_test(test_only_local_hosts_are_accepted),
        cmocka_unit_test(test_refused_requests_end_the_connection),
        cmocka_unit_test(test_answer_arrives_though_a_body_is_refused),
        cmocka_unit_test(test_nul_in_a_header_is_refused),
        cmocka_unit_test(test_heads_over_the_limits_are_refused),
        cmocka_unit_test(test_long_request_line_is_refused),
    };

    return cmocka_run_group_tests_name("http_request", tests, start, stop);
}
