/* SPDX-License-Identifier: BSD-3-Clause */

/* Tests what the server sends: heads, bodies of known length, chunks, errors. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "client.h"
#include "http/response.h"
#include "serving.h"
#include "support/test.h"
#include "web/response.h"

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

static void test_answers_have_the_common_headers(void **state)
{
    static const char *const headers[][2] = {
        {"Content-Type", "text/plain"},
        {"Content-Length", "4"},
        {"Cache-Control", "no-store"},
        {"Content-Security-Policy", "default-src 'self'; style-src 'self' 'unsafe-inline'; "
                                    "img-src 'self' data: blob:; frame-ancestors 'none'"},
        {"Referrer-Policy", "no-referrer"},
        {"X-Content-Type-Options", "nosniff"},
        {"Cross-Origin-Resource-Policy", "same-origin"},
    };
    const struct serving *serving = *state;
    struct client_reply reply;

    client_ask(serving->url, "/", &reply);
    assert_int_equal(strncmp(reply.head, "HTTP/1.1 200 OK\r\n", 17), 0);
    for (size_t i = 0; i < sizeof(headers) / sizeof(*headers); i++)
        assert_true(client_has(&reply, headers[i][0], headers[i][1]));
    client_free(&reply);
}

/* The tests run in the C locale, in which strftime writes the format of RFC 9110. */
static void test_date_is_the_current_time(void **state)
{
    const struct serving *serving = *state;
    time_t before = time(NULL), after, moment;
    struct client_reply reply;
    int found = 0;

    client_ask(serving->url, "/", &reply);
    after = time(NULL);
    for (moment = before; moment <= after; moment++) {
        char text[100];

        strftime(text, sizeof(text), "%a, %d %b %Y %H:%M:%S GMT", gmtime(&moment));
        found = found || client_has(&reply, "Date", text);
    }
    assert_true(found);
    client_free(&reply);
}

static void check_big(const struct client_reply *reply, size_t size)
{
    assert_int_equal(reply->status, 200);
    assert_int_equal(reply->size, size);
    assert_false(reply->is_cut);
    for (size_t i = 0; i < size; i++) {
        if (reply->body[i] != serving_byte(i))
            fail_msg("byte %zu of %zu", i, size);
    }
}

/* A body up to the limit has a length; a larger one is sent in chunks. */
static void test_body_over_the_limit_is_chunked(void **state)
{
    static const size_t sizes[] = {
        0,
        1,
        4096,
        4097,
        GT_RESPONSE_BUFFER - 1,
        GT_RESPONSE_BUFFER,
        GT_RESPONSE_BUFFER + 1,
        2 * GT_RESPONSE_BUFFER,
        2 * GT_RESPONSE_BUFFER + 1,
        5000000,
    };
    const struct serving *serving = *state;
    struct client_reply reply;
    struct client client;
    char path[100];

    client_open(&client, serving->url);
    for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
        snprintf(path, sizeof(path), "/big?n=%zu", sizes[i]);
        client_get(&client, path);
        client_take(&client, &reply, 0);
        assert_int_equal(reply.is_chunked, sizes[i] > GT_RESPONSE_BUFFER);
        check_big(&reply, sizes[i]);
        client_free(&reply);
    }
    client_close(&client);
}

/* Only downloads may be longer than the bound; anything else is refused as a whole. */
static void test_answer_over_the_bound_is_an_error(void **state)
{
    static const size_t sizes[] = {
        GT_RESPONSE_BUFFER + 1, GT_RESPONSE_MOST - 1, GT_RESPONSE_MOST,
        GT_RESPONSE_MOST + 1,   3 * GT_RESPONSE_MOST,
    };
    const struct serving *serving = *state;
    struct client_reply reply;
    struct client client;
    char path[100];

    client_open(&client, serving->url);
    for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
        snprintf(path, sizeof(path), "/bounded?n=%zu", sizes[i]);
        client_get(&client, path);
        client_take(&client, &reply, 0);
        assert_false(reply.is_chunked);
        if (sizes[i] <= GT_RESPONSE_MOST) {
            assert_int_equal(reply.status, 200);
            check_big(&reply, sizes[i]);
        } else {
            assert_int_equal(reply.status, 400);
            assert_non_null(strstr(reply.body, "more than 4 MB; ask for"));
            assert_false(client_has(&reply, "X-Test", "big"));
        }
        client_free(&reply);
    }
    client_close(&client);
}

static void check_list(struct client *client, const char *parameters, const char *end, size_t least)
{
    struct client_reply reply;
    char path[100];

    snprintf(path, sizeof(path), "/list?%s", parameters);
    client_get(client, path);
    client_take(client, &reply, 0);
    assert_int_equal(reply.status, 200);
    assert_true(reply.size >= least);
    assert_true(reply.size <= GT_RESPONSE_MOST);
    assert_true(strlen(reply.body) == reply.size && reply.size >= strlen(end));
    assert_string_equal(reply.body + reply.size - strlen(end), end);
    client_free(&reply);
}

/* A list keeps its first elements, whole ones, and the members after it are not lost. */
static void test_list_over_the_bound_is_cut(void **state)
{
#define LAST ",\"empty\":{},\"last\":2"
    const struct serving *serving = *state;
    const size_t near = GT_RESPONSE_MOST - 200000;
    struct client client;

    client_open(&client, serving->url);
    check_list(&client, "n=0", "\"long\":\"\",\"list\":[]" LAST "}", 0);
    check_list(&client, "n=2&size=3",
               "[{\"i\":0,\"texts\":[\"xxx\"]},{\"i\":1,\"texts\":[\"xxx\"]}]" LAST "}", 0);
    /* It ends within an element of any size, in its number or its text. */
    for (int size = 0; size < 40; size++) {
        char parameters[50];
        snprintf(parameters, sizeof(parameters), "n=300000&size=%d", size);
        check_list(&client, parameters, "\"]}]" LAST ",\"truncated\":true}", near);
    }
    check_list(&client, "n=1&size=3990000", "\"list\":[]" LAST ",\"truncated\":true}", 0);
    check_list(&client, "n=9&size=1900000", "x\"]}]" LAST ",\"truncated\":true}", near);
    /* A member that is too long is left out. What is before it and after it is not. */
    check_list(&client, "long=4000000&n=1&size=1",
               "{\"first\":1,\"list\":[{\"i\":0,\"texts\":[\"x\"]}]" LAST ",\"truncated\":true}",
               0);
    /* There is no room for elements, but for members after the list. */
    check_list(&client, "long=3990000&n=1&size=1", "x\",\"list\":[]" LAST ",\"truncated\":true}",
               near);
    client_close(&client);
#undef LAST
}

/* HTTP/1.0 has no chunks, so the body ends with the connection. */
static void test_http_1_0_gets_no_chunks(void **state)
{
    const struct serving *serving = *state;
    struct client_reply reply;
    struct client client;

    client_open(&client, serving->url);
    client_send(&client, "GET /big?n=1000000 HTTP/1.0\r\n\r\n");
    client_take(&client, &reply, 0);
    assert_false(reply.is_chunked);
    assert_true(client_has(&reply, "Connection", "close"));
    assert_int_equal(reply.size, 1000000);
    assert_int_equal(reply.body[999999], serving_byte(999999));
    client_free(&reply);
    client_close(&client);
}

/* The head is that of a GET as far as it is known in advance, and the connection stays open. */
static void test_head_is_that_of_a_get(void **state)
{
    static const struct {
        const char *path;
        int status;
        const char *name, *value;
    } cases[] = {
        {"/", 200, "Content-Length", "4"},
        {"/big?n=100000", 200, "Content-Length", "100000"},
        {"/big?n=1000000", 200, "Transfer-Encoding", "chunked"},
        {"/endless", 200, "Transfer-Encoding", "chunked"},
        {"/nothing", 404, "Content-Type", "application/json"},
    };
    const struct serving *serving = *state;
    struct client_reply reply;
    struct client client;
    char text[200];

    client_open(&client, serving->url);
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        snprintf(text, sizeof(text), "HEAD %s HTTP/1.1\r\nHost: localhost\r\n\r\n", cases[i].path);
        client_send(&client, text);
        client_take(&client, &reply, 1);
        assert_int_equal(reply.status, cases[i].status);
        assert_true(client_has(&reply, cases[i].name, cases[i].value));
        client_free(&reply);
    }
    client_get(&client, "/");
    client_take(&client, &reply, 0);
    assert_string_equal(reply.body, "root");
    client_free(&reply);
    client_close(&client);
}

/* An error replaces a body that is still held back, and cuts off one that is not. */
static void test_error_replaces_or_cuts_off_the_body(void **state)
{
    const struct serving *serving = *state;
    struct client_reply reply;

    client_ask(serving->url, "/cut?n=100000", &reply);
    assert_int_equal(reply.status, 500);
    assert_true(client_has(&reply, "Content-Type", "application/json"));
    assert_string_equal(reply.body,
                        "{\"error\":\"it \\u0022broke\\u0022 \\u003c\\u000a\\ufffd\"}\n");
    client_free(&reply);
    client_ask(serving->url, "/cut?n=1000000", &reply);
    assert_int_equal(reply.status, 200);
    assert_true(reply.is_cut);
    client_free(&reply);
}

static void test_handler_header_is_sent_or_refused(void **state)
{
    const struct serving *serving = *state;
    struct client_reply reply;
    char path[3000] = "/header?v=";

    client_ask(serving->url, "/header?v=a%20value;+b", &reply);
    assert_int_equal(reply.status, 200);
    assert_true(client_has(&reply, "X-Test", "a value; b"));
    client_free(&reply);
    client_ask(serving->url, "/header?v=a%0d%0aX-Evil:%201", &reply);
    assert_int_equal(reply.status, 500);
    assert_null(strstr(reply.head, "X-Evil"));
    client_free(&reply);
    memset(path + strlen(path), 'x', 2500);
    client_ask(serving->url, path, &reply);
    assert_int_equal(reply.status, 500);
    assert_null(strstr(reply.head, "X-Test"));
    client_free(&reply);
}

struct sent {
    char text[HTTP_REPLY_HEAD_MAX];
    size_t size;
};

static bool keep_sent(void *user_data, struct iovec *parts, size_t count)
{
    struct sent *sent = user_data;
    for (size_t i = 0; i < count; i++) {
        assert_true(parts[i].iov_len < sizeof(sent->text) - sent->size);
        memcpy(sent->text + sent->size, parts[i].iov_base, parts[i].iov_len);
        sent->size += parts[i].iov_len;
    }
    return true;
}

static bool is_never_gone(void *user_data)
{
    (void) user_data;
    return false;
}

static void test_head_that_is_too_long_is_refused(void **state)
{
    static char value[HTTP_REPLY_HEAD_MAX];
    const struct http_header header = {"X-Test", memset(value, 'x', sizeof(value) - 1)};
    struct sent sent = {.size = 0};
    const struct http_sink sink = {&sent, keep_sent, is_never_gone};
    struct http_response response;

    (void) state;
    http_response_init(&response, &sink);
    response.keep_alive = true;
    http_begin(&response, 200, &header, 1, 4);
    assert_true(http_write(&response, "body", 4));
    assert_false(http_response_finish(&response, true));
    const struct client_reply reply = {.status = 500, .head = sent.text};
    assert_int_equal(strncmp(sent.text, "HTTP/1.1 500 ", 13), 0);
    assert_true(client_is_refusal(&reply));
    assert_true(client_has(&reply, "Content-Length", "0"));
    assert_null(strstr(sent.text, "body"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_answers_have_the_common_headers),
        cmocka_unit_test(test_date_is_the_current_time),
        cmocka_unit_test(test_body_over_the_limit_is_chunked),
        cmocka_unit_test(test_answer_over_the_bound_is_an_error),
        cmocka_unit_test(test_list_over_the_bound_is_cut),
        cmocka_unit_test(test_http_1_0_gets_no_chunks),
        cmocka_unit_test(test_head_is_that_of_a_get),
        cmocka_unit_test(test_error_replaces_or_cuts_off_the_body),
        cmocka_unit_test(test_handler_header_is_sent_or_refused),
        cmocka_unit_test(test_head_that_is_too_long_is_refused),
    };

    return cmocka_run_group_tests_name("http_response", tests, start, stop);
}
