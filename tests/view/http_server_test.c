/* SPDX-License-Identifier: BSD-3-Clause */

/* Tests many clients, slow clients and clients that go away; addresses; and how the server ends. */

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "client.h"
#include "serving.h"
#include "support/test.h"
#include "support/waiting.h"

/* Short enough for a test. */
#define SHORT_MS 150
/* Longer than a machine may take for what another one does in SHORT_MS. */
#define LONGEST_MS 10000

static void pause_ms(long ms)
{
    const struct timespec pause = {ms / 1000, ms % 1000 * 1000000};

    nanosleep(&pause, NULL);
}

static void expect_root(struct client *client)
{
    struct client_reply reply;

    client_get(client, "/");
    client_take(client, &reply, 0);
    assert_string_equal(reply.body, "root");
    client_free(&reply);
}

static void expect_root_anew(const struct serving *serving)
{
    struct client client;

    client_open(&client, serving->url);
    expect_root(&client);
    client_close(&client);
}

/* An incomplete head is refused when its time limit is reached, even if bytes keep arriving. */
static void test_slow_head_is_refused_in_time(void **state)
{
    static const struct http_settings settings = {.head_timeout = SHORT_MS};
    struct serving serving;
    struct client_reply reply;
    struct client half, trickle, silent;
    struct waiting waiting = {0};
    char byte;

    (void) state;
    serving_start(&serving, "127.0.0.1:0", &settings);
    client_open(&half, serving.url);
    client_send(&half, "GET / HTTP/1.1\r\n");
    client_open(&silent, serving.url);
    client_open(&trickle, serving.url);
    /* The client need not stop sending for that. */
    do {
        waiting_pause(&waiting, "the refusal");
        client_send(&trickle, "G");
    } while (recv(trickle.fd, &byte, 1, MSG_PEEK | MSG_DONTWAIT) <= 0);
    client_take(&trickle, &reply, 0);
    assert_int_equal(reply.status, 408);
    client_free(&reply);
    client_take(&half, &reply, 0);
    assert_int_equal(reply.status, 408);
    assert_true(client_is_refusal(&reply));
    client_free(&reply);
    assert_true(client_is_over(&half));
    assert_true(client_is_over(&silent));
    client_close(&half);
    client_close(&trickle);
    client_close(&silent);
    serving_stop(&serving);
}

/* Whether a client gets an answer; it does not if the connection is over. */
static bool gets_root(struct client *client)
{
    struct client_reply reply;
    ssize_t got;
    char byte;

    client_get(client, "/");
    got = recv(client->fd, &byte, 1, MSG_PEEK);
    assert_true(got >= 0 || errno == ECONNRESET);
    if (got <= 0)
        return false;
    client_take(client, &reply, 0);
    assert_string_equal(reply.body, "root");
    client_free(&reply);
    return true;
}

/*
 * A connection that is idle for longer than a head may take stays, and ends silently when it is
 * idle for longer than that may be. False if this machine was slower than these limits.
 */
static bool is_idle_in_time(int ms)
{
    const struct http_settings settings = {.head_timeout = ms, .idle_timeout = 4 * ms};
    struct serving serving;
    struct client client;
    double begin, begin_again;
    bool is_answered, is_in_time;

    serving_start(&serving, "127.0.0.1:0", &settings);
    begin = waiting_now();
    client_open(&client, serving.url);
    is_answered = gets_root(&client);
    is_in_time = waiting_now() - begin < ms / 1000.0;
    assert_true(is_answered || !is_in_time);
    pause_ms(2 * ms);
    begin_again = waiting_now();
    is_answered = is_answered && gets_root(&client);
    is_in_time = is_in_time && waiting_now() - begin < 4 * ms / 1000.0;
    assert_true(is_answered || !is_in_time);
    assert_true(!is_answered || client_is_over(&client));
    assert_true(!is_answered || waiting_now() - begin_again >= 3 * ms / 1000.0);
    client_close(&client);
    serving_stop(&serving);
    return is_in_time;
}

/* Between requests there is a separate time limit. The connection then ends without an answer. */
static void test_idle_connection_ends_silently(void **state)
{
    int ms = SHORT_MS;

    (void) state;
    while (!is_idle_in_time(ms)) {
        ms *= 4;
        assert_true(ms < LONGEST_MS);
    }
}

/* A client that reads nothing of an endless answer occupies its handler for a limited time only. */
static void test_stalled_client_frees_its_handler(void **state)
{
    static const struct http_settings settings = {.write_timeout = SHORT_MS};
    struct serving serving;
    struct client client;

    (void) state;
    serving_start(&serving, "127.0.0.1:0", &settings);
    client_open(&client, serving.url);
    client_get(&client, "/endless");
    serving_await_begun(&serving, 1);
    serving_await_ended(&serving, 1);
    client_close(&client);
    serving_stop(&serving);
}

/* A handler learns that its client has gone away, whether it is writing or not. */
static void test_handler_learns_that_its_client_is_gone(void **state)
{
    static const char *const paths[] = {"/endless", "/hold"};
    struct serving serving;
    struct client client;

    (void) state;
    serving_start(&serving, "127.0.0.1:0", NULL);
    for (int i = 0; i < 2; i++) {
        client_open(&client, serving.url);
        client_get(&client, paths[i]);
        serving_await_begun(&serving, i + 1);
        client_close(&client);
        serving_await_ended(&serving, i + 1);
    }
    serving_stop(&serving);
}

static void test_slow_clients_do_not_delay_others(void **state)
{
    struct serving serving;
    struct client held, stalled, half;
    struct client_reply reply;

    (void) state;
    serving_start(&serving, "127.0.0.1:0", NULL);
    client_open(&half, serving.url);
    client_send(&half, "GET / HT");
    client_open(&stalled, serving.url);
    client_get(&stalled, "/endless");
    client_open(&held, serving.url);
    client_get(&held, "/hold");
    serving_await_begun(&serving, 2);
    expect_root_anew(&serving);
    client_send(&half, "TP/1.1\r\nHost: localhost\r\n\r\n");
    client_take(&half, &reply, 0);
    assert_string_equal(reply.body, "root");
    client_free(&reply);
    serving_release(&serving);
    client_take(&held, &reply, 0);
    assert_string_equal(reply.body, "released");
    client_free(&reply);
    client_close(&half);
    client_close(&stalled);
    client_close(&held);
    serving_stop(&serving);
}

/* Of the idle connections, only the one that has waited longest is closed for a newcomer. */
static void test_longest_idle_connection_makes_room(void **state)
{
    static const struct http_settings settings = {.connections = 3};
    struct serving serving;
    struct client idle[3], newcomer;

    (void) state;
    serving_start(&serving, "127.0.0.1:0", &settings);
    for (int i = 0; i < 3; i++) {
        client_open(&idle[i], serving.url);
        expect_root(&idle[i]);
        pause_ms(20);
    }
    expect_root(&idle[0]);
    client_open(&newcomer, serving.url);
    expect_root(&newcomer);
    assert_true(client_is_over(&idle[1]));
    expect_root(&idle[0]);
    expect_root(&idle[2]);
    expect_root(&newcomer);
    for (int i = 0; i < 3; i++)
        client_close(&idle[i]);
    client_close(&newcomer);
    serving_stop(&serving);
}

/* A client that reads nothing makes room as well. If all handlers are at work, a newcomer waits. */
static void test_stalled_connection_makes_room(void **state)
{
    static const struct http_settings settings = {.connections = 3};
    struct serving serving;
    struct client_reply reply;
    struct client busy[3];

    (void) state;
    serving_start(&serving, "127.0.0.1:0", &settings);
    for (int i = 0; i < 3; i++) {
        client_open(&busy[i], serving.url);
        client_get(&busy[i], i < 2 ? "/hold" : "/endless");
        serving_await_begun(&serving, i + 1);
    }
    expect_root_anew(&serving);
    serving_await_ended(&serving, 1);
    client_close(&busy[2]);
    client_open(&busy[2], serving.url);
    client_get(&busy[2], "/hold");
    serving_await_begun(&serving, 4);
    serving_release(&serving);
    expect_root_anew(&serving);
    serving_release(&serving);
    serving_release(&serving);
    for (int i = 0; i < 3; i++) {
        client_take(&busy[i], &reply, 0);
        assert_string_equal(reply.body, "released");
        client_free(&reply);
        client_close(&busy[i]);
    }
    serving_stop(&serving);
}

/* More clients than there is room for connect at once, and all want an answer. */
static void test_flood_of_clients_is_answered(void **state)
{
    enum {
        CLIENTS = 200
    };
    struct serving serving;
    static struct client clients[CLIENTS];

    (void) state;
    serving_start(&serving, "127.0.0.1:0", NULL);
    for (int i = 0; i < CLIENTS; i++)
        client_open(&clients[i], serving.url);
    expect_root_anew(&serving);
    for (int i = 0; i < CLIENTS; i++)
        client_close(&clients[i]);
    expect_root_anew(&serving);
    serving_stop(&serving);
}

/*
 * More clients than there is room for connect, then send requests, and all of them get their whole
 * answers: nobody's connection is closed before its request was answered.
 */
static void test_crowd_gets_all_its_answers(void **state)
{
    enum {
        CLIENTS = 200,
        SIZE = 100000
    };
    static struct client clients[CLIENTS];
    struct client_reply reply;
    struct serving serving;
    char path[50];

    (void) state;
    serving_start(&serving, "127.0.0.1:0", NULL);
    snprintf(path, sizeof(path), "/big?n=%d", SIZE);
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < CLIENTS; i++)
            client_open(&clients[i], serving.url);
        for (int i = 0; i < CLIENTS; i++)
            client_get(&clients[i], path);
        for (int i = 0; i < CLIENTS; i++) {
            /* The first round from the last one on, so that early answers wait. */
            client_take(&clients[round ? i : CLIENTS - 1 - i], &reply, 0);
            assert_int_equal(reply.status, 200);
            assert_false(reply.is_cut);
            assert_int_equal(reply.size, SIZE);
            client_free(&reply);
        }
        for (int i = 0; i < CLIENTS; i++)
            client_close(&clients[i]);
    }
    serving_stop(&serving);
}

/* If there is no descriptor for a newcomer, an idle connection is closed for it. */
static void test_newcomer_takes_an_idle_descriptor(void **state)
{
    struct rlimit before, less;
    struct serving serving;
    struct client idle, newcomer;
    int next;

    (void) state;
    serving_start(&serving, "127.0.0.1:0", NULL);
    client_open(&idle, serving.url);
    expect_root(&idle);
    next = dup(0);
    assert_true(next >= 0);
    close(next);
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
    less = before;
    /* The limit leaves one more descriptor, for the client itself. */
    less.rlim_cur = (rlim_t) next + 1;
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &less), 0);
    client_open(&newcomer, serving.url);
    expect_root(&newcomer);
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &before), 0);
    assert_true(client_is_over(&idle));
    client_close(&idle);
    client_close(&newcomer);
    serving_stop(&serving);
}

/* The server and its handlers end at once, in whatever state the connections are. */
static void test_stop_ends_busy_handlers_at_once(void **state)
{
    struct serving serving;
    struct client clients[4];
    double begin;

    (void) state;
    serving_start(&serving, "127.0.0.1:0", NULL);
    for (int i = 0; i < 4; i++)
        client_open(&clients[i], serving.url);
    client_get(&clients[0], "/hold");
    /* Bytes that were not read yet hide the end of the connection. */
    client_get(&clients[0], "/");
    client_get(&clients[1], "/endless");
    client_send(&clients[2], "GET / HT");
    expect_root(&clients[3]);
    serving_await_begun(&serving, 2);
    begin = waiting_now();
    serving_stop(&serving);
    assert_int_equal(serving.ended, 2);
    assert_true(waiting_now() - begin < 20);
    for (int i = 0; i < 4; i++)
        client_close(&clients[i]);
}

static struct http_server *to_be_stopped;

static void on_alarm(int number)
{
    (void) number;
    http_server_stop(to_be_stopped);
}

static void test_signal_handler_may_stop_the_server(void **state)
{
    struct serving serving;
    struct sigaction action = {.sa_handler = on_alarm}, before;

    (void) state;
    serving_start(&serving, "127.0.0.1:0", NULL);
    expect_root_anew(&serving);
    to_be_stopped = serving.server;
    assert_int_equal(sigaction(SIGUSR1, &action, &before), 0);
    raise(SIGUSR1);
    pthread_join(serving.thread, NULL);
    assert_int_equal(sigaction(SIGUSR1, &before, NULL), 0);
    http_server_stop(serving.server);
    http_server_close(serving.server);
}

static bool answer_nothing(void *user_data, const struct http_request *request,
                           struct http_response *response)
{
    (void) user_data;
    (void) request;
    (void) response;
    return false;
}

static void test_stop_before_run_ends_it_at_once(void **state)
{
    char error[HTTP_TEXT_MAX];
    struct http_server *server = http_server_open("127.0.0.1:0", answer_nothing, NULL, NULL, error);

    (void) state;
    assert_non_null(server);
    http_server_stop(server);
    http_server_run(server);
    http_server_close(server);
    http_server_close(NULL);
}

static void test_urls_name_the_bound_addresses(void **state)
{
    static const struct {
        const char *address, *url;
    } good[] = {
        {"127.0.0.1:0", "http://127.0.0.1:"},
        {":0", "http://127.0.0.1:"},
        {"0.0.0.0:0", "http://127.0.0.1:"},
        {"localhost:0", "http://localhost:"},
    };
    struct serving serving;

    (void) state;
    for (size_t i = 0; i < sizeof(good) / sizeof(*good); i++) {
        serving_start(&serving, good[i].address, NULL);
        assert_int_equal(strncmp(serving.url, good[i].url, strlen(good[i].url)), 0);
        assert_true(atoi(serving.url + strlen(good[i].url)) > 0);
        expect_root_anew(&serving);
        serving_stop(&serving);
    }
}

static void test_bad_addresses_are_refused(void **state)
{
    static const char *const bad[][2] = {
        {"127.0.0.1", "not HOST:PORT"},        {"", "not HOST:PORT"},
        {"localhost:", "not HOST:PORT"},       {"localhost:http", "no such port"},
        {"localhost:-1", "no such port"},      {"localhost:65536", "no such port"},
        {"localhost:9999999", "no such port"}, {"::1:80", "no such host"},
        {"[::1:80", "no such host"},           {"192.0.2.1:0", "cannot listen at 192.0.2.1:0"},
    };
    char error[HTTP_TEXT_MAX];
    struct serving serving;

    (void) state;
    for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
        assert_null(http_server_open(bad[i][0], answer_nothing, NULL, NULL, error));
        assert_non_null(strstr(error, bad[i][1]));
    }
    serving_start(&serving, "127.0.0.1:0", NULL);
    assert_null(
        http_server_open(serving.url + strlen("http://"), answer_nothing, NULL, NULL, error));
    assert_non_null(strstr(error, "cannot listen at 127.0.0.1:"));
    serving_stop(&serving);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_slow_head_is_refused_in_time),
        cmocka_unit_test(test_idle_connection_ends_silently),
        cmocka_unit_test(test_stalled_client_frees_its_handler),
        cmocka_unit_test(test_handler_learns_that_its_client_is_gone),
        cmocka_unit_test(test_slow_clients_do_not_delay_others),
        cmocka_unit_test(test_longest_idle_connection_makes_room),
        cmocka_unit_test(test_stalled_connection_makes_room),
        cmocka_unit_test(test_flood_of_clients_is_answered),
        cmocka_unit_test(test_crowd_gets_all_its_answers),
        cmocka_unit_test(test_newcomer_takes_an_idle_descriptor),
        cmocka_unit_test(test_stop_ends_busy_handlers_at_once),
        cmocka_unit_test(test_signal_handler_may_stop_the_server),
        cmocka_unit_test(test_stop_before_run_ends_it_at_once),
        cmocka_unit_test(test_urls_name_the_bound_addresses),
        cmocka_unit_test(test_bad_addresses_are_refused),
    };

    return cmocka_run_group_tests_name("http_server", tests, NULL, NULL);
}
