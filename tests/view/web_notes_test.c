/* SPDX-License-Identifier: BSD-3-Clause */

/* Tests the notes that the host keeps: what is stored, and what is refused. */

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <gotrace/web.h>

#include "support/probe.h"
#include "support/test.h"

#include "view/web_client.h"

#define NOTES(list) "{\"version\":1,\"notes\":[" list "]}"
#define NOTE        "{\"time\":5,\"end\":9,\"row\":\"goroutine:1\",\"text\":\"why?\"}"

static const char trace[] = "go 1.22 trace\0\0\0";

/* What a host keeps, and how it fails. */
struct host {
    char data[GT_WEB_NOTES_MAX + 1];
    size_t size;
    unsigned loads, stores;
    gt_status load_status, store_status;
    const char *message;
    size_t claims;
};

static gt_status host_load(void *user_data, void *buffer, size_t capacity, size_t *size,
                           gt_error *error)
{
    struct host *host = user_data;
    host->loads++;
    assert_int_equal(capacity, GT_WEB_NOTES_MAX);
    assert_int_equal(*size, 0);
    if (host->load_status != GT_OK && host->message)
        snprintf(error->message, sizeof(error->message), "%s", host->message);
    if (host->size <= capacity)
        memcpy(buffer, host->data, host->size);
    *size = host->claims != 0 ? host->claims : host->size;
    return host->load_status;
}

static gt_status host_store(void *user_data, const void *data, size_t size, gt_error *error)
{
    struct host *host = user_data;
    host->stores++;
    if (host->store_status != GT_OK) {
        if (host->message)
            snprintf(error->message, sizeof(error->message), "%s", host->message);
        return host->store_status;
    }
    memcpy(host->data, data, size);
    host->size = size;
    return GT_OK;
}

static gt_web *host_open(struct host *host, const gt_allocator *allocator)
{
    gt_web_options options = GT_WEB_OPTIONS_INIT;
    gt_web *web;
    options.flags = GT_WEB_NO_THREADS;
    options.user_data = host;
    options.notes_name = "a \"b\".notes.json";
    options.load_notes = host_load;
    options.store_notes = host_store;
    options.allocator = allocator;
    assert_status(gt_web_open_memory(&web, trace, sizeof(trace) - 1, &options, NULL), GT_OK);
    return web;
}

static struct host *host_new(const char *data)
{
    struct host *host = calloc(1, sizeof(*host));
    assert_non_null(host);
    host->size = strlen(data);
    memcpy(host->data, data, host->size);
    return host;
}

/* Copies the revision of an answer, which may be "". */
static void reply_revision(const struct web_reply *reply, char revision[32])
{
    const char *found = strstr(reply->body, "\"revision\":\"");
    assert_non_null(found);
    assert_int_equal(sscanf(found, "\"revision\":\"%31[0-9a-f]", revision), 1);
}

static void ask_revision(gt_web *web, char revision[32])
{
    struct web_reply reply = {0};
    assert_status(web_ask(web, "GET", "/api/notes", &reply), GT_OK);
    assert_int_equal(reply.status, 200);
    reply_revision(&reply, revision);
    web_reply_free(&reply);
}

/* Sends notes with a revision, and returns the status. The answer has `said` in it. */
static uint32_t send_notes(gt_web *web, const char *revision, const char *body, size_t size,
                           const char *said)
{
    struct web_reply reply = {0};
    char target[64];
    snprintf(target, sizeof(target), "/api/notes?revision=%s", revision);
    assert_status(web_post(web, target, body, size, GT_WEB_MAY_CHANGE, &reply), GT_OK);
    if (!strstr(reply.body, said))
        fail_msg("'%s' is not in %s", said, reply.body);
    uint32_t status = reply.status;
    web_reply_free(&reply);
    return status;
}

static void assert_answer_has(gt_web *web, const char *text)
{
    struct web_reply reply = web_get(web, "/api/notes");
    assert_int_equal(reply.status, 200);
    if (!strstr(reply.body, text))
        fail_msg("'%s' is not in %s", text, reply.body);
    web_reply_free(&reply);
}

static void test_host_without_notes_says_so(void **state)
{
    gt_web *web = web_open_without_threads("v2/go1.27-tasks.trace");
    struct web_reply reply = {0};
    (void) state;
    assert_answer_has(web,
                      "{\"is_kept\":false,\"name\":\"\",\"can_change\":false,\"revision\":\"\","
                      "\"error\":null,\"notes\":[]}");
    assert_status(web_post(web, "/api/notes?revision=", NOTES(""), strlen(NOTES("")),
                           GT_WEB_MAY_CHANGE, &reply),
                  GT_OK);
    assert_int_equal(reply.status, 403);
    web_reply_free(&reply);
    gt_web_close(&web);
}

static void test_what_was_stored_is_read_again(void **state)
{
    static const char *const bodies[] = {
        NOTES(""),
        NOTES(NOTE),
        " { \"notes\" :\t[ {\"text\":\"\\u00e4\\ud83d\\ude00\\n\\t\\r\\\"\\\\\\/<>\",\"time\":-0} "
        ", " NOTE " ] ,\r\n\"version\":1 } \n",
        NOTES("{\"time\":2305843009213694000,\"end\":null,\"row\":\"\",\"text\":"
              "\"\xf0\x9f\x98\x80\"}"),
        NOTES(
            "{\"time\":-2305843009213694000,\"end\":-1,\"row\":\"task:-9\",\"text\":\"\xc3\xa4\"}"),
    };
    struct host *host = host_new("");
    gt_web *web = host_open(host, NULL);
    char revision[32], before[32] = "";
    (void) state;
    assert_answer_has(web, "{\"is_kept\":true,\"name\":\"a \\\"b\\\".notes.json\","
                           "\"can_change\":false,");
    for (size_t i = 0; i < sizeof(bodies) / sizeof(bodies[0]); i++) {
        size_t size = strlen(bodies[i]);
        const char *list = strchr(bodies[i], '[');
        char expected[600];
        ask_revision(web, revision);
        assert_string_not_equal(revision, before);
        assert_int_equal(send_notes(web, revision, bodies[i], size, "{\"revision\":\""), 200);
        assert_int_equal(host->size, size);
        assert_memory_equal(host->data, bodies[i], size);
        snprintf(expected, sizeof(expected), "\"notes\":%.*s}",
                 (int) (strrchr(bodies[i], ']') + 1 - list), list);
        assert_answer_has(web, expected);
        memcpy(before, revision, sizeof(before));
    }
    gt_web_close(&web);
    free(host);
}

static void test_nobody_replaces_what_he_has_not_seen(void **state)
{
    struct host *host = host_new("");
    gt_web *web = host_open(host, NULL);
    const char *body = NOTES(NOTE);
    char first[32], second[32];
    struct web_reply reply = {0};
    (void) state;
    ask_revision(web, first);
    assert_int_equal(send_notes(web, first, body, strlen(body), "revision"), 200);
    assert_int_equal(send_notes(web, first, NOTES(""), strlen(NOTES("")), "changed meanwhile"),
                     409);
    assert_int_equal(send_notes(web, "", NOTES(""), strlen(NOTES("")), "changed meanwhile"), 409);
    assert_int_equal(send_notes(web, "0", NOTES(""), strlen(NOTES("")), "changed meanwhile"), 409);
    assert_status(web_post(web, "/api/notes", body, strlen(body), GT_WEB_MAY_CHANGE, &reply),
                  GT_OK);
    assert_int_equal(reply.status, 400);
    web_reply_free(&reply);
    assert_int_equal(host->stores, 1);
    /* Another program has changed them. */
    host->size = strlen(NOTES(""));
    memcpy(host->data, NOTES(""), host->size);
    ask_revision(web, second);
    assert_string_not_equal(first, second);
    host->data[host->size++] = ' ';
    assert_int_equal(send_notes(web, second, body, strlen(body), "changed meanwhile"), 409);
    host->size--;
    assert_int_equal(send_notes(web, second, body, strlen(body), "revision"), 200);
    gt_web_close(&web);
    free(host);
}

static void test_client_without_permission_changes_nothing(void **state)
{
    struct host *host = host_new(NOTES(NOTE));
    gt_web *web = host_open(host, NULL);
    gt_web_request request = GT_WEB_REQUEST_INIT;
    struct web_reply reply = {0};
    gt_web_client client = web_client_of(&reply);
    char revision[32], target[64];
    (void) state;
    assert_answer_has(web, "\"can_change\":false");
    ask_revision(web, revision);
    snprintf(target, sizeof(target), "/api/notes?revision=%s", revision);
    assert_status(web_post(web, target, NOTES(""), strlen(NOTES("")), 0, &reply), GT_OK);
    assert_int_equal(reply.status, 403);
    assert_int_equal(host->stores, 0);
    web_reply_free(&reply);
    request.path = "/api/notes";
    request.flags = GT_WEB_MAY_CHANGE;
    assert_status(gt_web_answer(web, &request, &client), GT_OK);
    assert_non_null(strstr(reply.body, "\"can_change\":true"));
    web_reply_free(&reply);
    request.flags = GT_WEB_MAY_CHANGE << 1;
    assert_status(gt_web_answer(web, &request, &client), GT_ERR_INVALID_ARGUMENT);
    assert_int_equal(reply.begins, 0);
    gt_web_close(&web);
    free(host);
}

static void test_only_notes_are_changed(void **state)
{
    static const char *const targets[] = {"/", "/api/trace", "/api/notes/", "/api/notesx", "/x"};
    static const char *const methods[] = {"PUT", "DELETE", "post", "OPTIONS"};
    struct host *host = host_new("");
    gt_web *web = host_open(host, NULL);
    struct web_reply reply = {0};
    (void) state;
    for (size_t i = 0; i < sizeof(targets) / sizeof(targets[0]); i++) {
        assert_status(
            web_post(web, targets[i], NOTES(""), strlen(NOTES("")), GT_WEB_MAY_CHANGE, &reply),
            GT_OK);
        assert_int_equal(reply.status, 405);
        assert_non_null(strstr(reply.headers, "Allow: GET, HEAD\n"));
        web_reply_free(&reply);
    }
    for (size_t i = 0; i < sizeof(methods) / sizeof(methods[0]); i++) {
        assert_status(web_ask(web, methods[i], "/api/notes", &reply), GT_OK);
        assert_int_equal(reply.status, 405);
        web_reply_free(&reply);
    }
    assert_int_equal(host->loads + host->stores, 0);
    gt_web_close(&web);
    free(host);
}

/* Texts that are no notes, and what is said of them. */
static const struct {
    const char *text;
    const char *said;
} wrong[] = {
    {"", "it is not a file of notes"},
    {"null", "it is not a file of notes"},
    {"[]", "it is not a file of notes"},
    {"{}", "it is not a file of notes"},
    {"{\"version\":1}", "it is not a file of notes"},
    {"{\"notes\":[]}", "it is not a file of notes"},
    {"{\"version\":2,\"notes\":[]}", "only version 1 is known"},
    {"{\"version\":1,\"version\":1,\"notes\":[]}", "a member is there twice"},
    {"{\"version\":1,\"notes\":[],\"notes\":[]}", "a member is there twice"},
    {"{\"version\":1,\"notes\":[],\"more\":1}", "it is not a file of notes"},
    {"{\"version\":1,\"notes\":[]", "it is cut off"},
    {"{\"version\":1,\"notes\":[]},", "it is not a file of notes"},
    {"{\"version\":1,\"notes\":{}}", "the notes are no list"},
    {"{\"version\" 1,\"notes\":[]}", "a colon is missing"},
    {NOTES("[[[["), "note 1: it is no object"},
    {NOTES(NOTE ",1"), "note 2: it is no object"},
    {NOTES(NOTE ","), "note 2: it is no object"},
    {NOTES("{}"), "note 1: it has something else"},
    {NOTES("{\"time\":5}"), "note 1: it has no time or no text"},
    {NOTES("{\"text\":\"x\"}"), "note 1: it has no time or no text"},
    {NOTES("{\"time\":5,\"text\":\"x\",\"id\":1}"), "note 1: it has something else"},
    {NOTES("{\"time\":5,\"time\":5,\"text\":\"x\"}"), "note 1: a member is there twice"},
    {NOTES("{\"time\":5,\"end\":null,\"end\":6,\"text\":\"x\"}"), "a member is there twice"},
    {NOTES("{\"time\":5,\"end\":4,\"text\":\"x\"}"), "note 1: it ends before it begins"},
    {NOTES("{\"time\":\"5\",\"text\":\"x\"}"), "a time must be"},
    {NOTES("{\"time\":5.0,\"text\":\"x\"}"), "a time must be"},
    {NOTES("{\"time\":5e3,\"text\":\"x\"}"), "a time must be"},
    {NOTES("{\"time\":05,\"text\":\"x\"}"), "a time must be"},
    {NOTES("{\"time\":-,\"text\":\"x\"}"), "a time must be"},
    {NOTES("{\"time\":2305843009213694001,\"text\":\"x\"}"), "a time must be"},
    {NOTES("{\"time\":-2305843009213694001,\"text\":\"x\"}"), "a time must be"},
    {NOTES("{\"time\":99999999999999999999,\"text\":\"x\"}"), "a time must be"},
    {NOTES("{\"time\":5,\"text\":\"\"}"), "its text is empty"},
    {NOTES("{\"time\":5,\"text\":\" \\n\"}"), "its text is empty"},
    {NOTES("{\"time\":5,\"text\":1}"), "a string is missing"},
    {NOTES("{\"time\":5,\"text\":\"a\x01\"}"), "control character"},
    {NOTES("{\"time\":5,\"text\":\"a\n\"}"), "control character"},
    {NOTES("{\"time\":5,\"text\":\"a\\u0000\"}"), "control character"},
    {NOTES("{\"time\":5,\"text\":\"a\\b\"}"), "control character"},
    {NOTES("{\"time\":5,\"text\":\"a\x7f\"}"), "control character"},
    {NOTES("{\"time\":5,\"text\":\"a\\u009f\"}"), "control character"},
    {NOTES("{\"time\":5,\"text\":\"\xc2\x80\"}"), "control character"},
    {NOTES("{\"time\":5,\"text\":\"\xff\"}"), "not valid UTF-8"},
    {NOTES("{\"time\":5,\"text\":\"\xed\xa0\x80\"}"), "not valid UTF-8"},
    {NOTES("{\"time\":5,\"text\":\"\xc3\"}"), "not valid UTF-8"},
    {NOTES("{\"time\":5,\"text\":\"\\ud800\"}"), "malformed escape"},
    {NOTES("{\"time\":5,\"text\":\"\\ud800\\u0041\"}"), "malformed escape"},
    {NOTES("{\"time\":5,\"text\":\"\\udc00\\ud800\"}"), "malformed escape"},
    {NOTES("{\"time\":5,\"text\":\"\\x\"}"), "malformed escape"},
    {NOTES("{\"time\":5,\"text\":\"\\u12g4\"}"), "malformed escape"},
    {"{\"version\":1,\"notes\":[{\"time\":5,\"text\":\"\\u12", "malformed escape"},
    {"{\"version\":1,\"notes\":[{\"time\":5,\"text\":\"\\", "malformed escape"},
    {"{\"version\":1,\"notes\":[{\"time\":5,\"text\":\"a", "a string has no end"},
    {NOTES("{\"time\":5,\"text\":\"x\",\"row\":\"a\"}"), "its row is not"},
    {NOTES("{\"time\":5,\"text\":\"x\",\"row\":\"a:\"}"), "its row is not"},
    {NOTES("{\"time\":5,\"text\":\"x\",\"row\":\"A:1\"}"), "its row is not"},
    {NOTES("{\"time\":5,\"text\":\"x\",\"row\":\":1\"}"), "its row is not"},
    {NOTES("{\"time\":5,\"text\":\"x\",\"row\":\"aaaaaaaaaaaaaaaaaaaaa:1\"}"), "its row is not"},
    {NOTES("{\"time\":5,\"text\":\"x\",\"row\":\"a:123456789012345678901\"}"), "its row is not"},
    {NOTES("{\"time\":5,\"text\":\"x\",\"row\":null}"), "its row is not"},
};

static void test_what_is_no_notes_is_neither_stored_nor_replaced(void **state)
{
    struct host *host = host_new("");
    gt_web *web = host_open(host, NULL);
    char revision[32];
    (void) state;
    for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
        size_t size = strlen(wrong[i].text);
        /* In a block of its own, so that tools find accesses beyond its end. */
        char *copy = malloc(size + (size == 0));
        assert_non_null(copy);
        memcpy(copy, wrong[i].text, size);
        host->size = 0;
        ask_revision(web, revision);
        assert_int_equal(send_notes(web, revision, copy, size, wrong[i].said), 400);
        free(copy);
        if (size == 0)
            continue;
        memcpy(host->data, wrong[i].text, size);
        host->size = size;
        assert_answer_has(web, "\"revision\":\"\",\"error\":\"a \\\"b\\\".notes.json: ");
        assert_answer_has(web, wrong[i].said);
        assert_answer_has(web, "\"notes\":[]}");
        assert_int_equal(send_notes(web, "", NOTES(""), strlen(NOTES("")), wrong[i].said), 409);
    }
    assert_int_equal(host->stores, 0);
    gt_web_close(&web);
    free(host);
}

/* Fills `to` with notes of a number of bytes or characters each, up to the size `size` by blanks.
 */
static size_t write_many(char *to, size_t notes, const char *sign, size_t signs, size_t size)
{
    char *at = to + sprintf(to, "{\"version\":1,\"notes\":[");
    for (size_t i = 0; i < notes; i++) {
        at += sprintf(at, "%s{\"time\":5,\"text\":\"", i > 0 ? "," : "");
        for (size_t k = 0; k < signs; k++)
            at += sprintf(at, "%s", sign);
        at += sprintf(at, "\"}");
    }
    at += sprintf(at, "]}");
    while ((size_t) (at - to) < size)
        *at++ = ' ';
    return (size_t) (at - to);
}

static void test_sizes_are_limited(void **state)
{
    static const struct {
        size_t notes, signs, size;
        const char *sign;
        uint32_t status;
    } cases[] = {
        {1000, 1, 0, "x", 200},
        {1001, 1, 0, "x", 400},
        {1, 2000, 0, "\xc3\xa4", 200},
        {1, 2001, 0, "\xc3\xa4", 400},
        {1, 1000, 0, "\xf0\x9f\x98\x80", 200},
        {1, 1001, 0, "\xf0\x9f\x98\x80", 400},
        {1, 1000, 0, "\\ud83d\\ude00", 200},
        {1, 1001, 0, "\\ud83d\\ude00", 400},
        {500, 2000, 0, "<", 200},
        {1, 1, GT_WEB_NOTES_MAX, "x", 200},
        {1, 1, GT_WEB_NOTES_MAX + 1, "x", 413},
    };
    struct host *host = host_new("");
    gt_web *web = host_open(host, NULL);
    char *text = malloc(2 * GT_WEB_NOTES_MAX), revision[32];
    (void) state;
    assert_non_null(text);
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        size_t size =
            write_many(text, cases[i].notes, cases[i].sign, cases[i].signs, cases[i].size);
        ask_revision(web, revision);
        assert_int_equal(send_notes(web, revision, text, size, ""), cases[i].status);
        if (cases[i].status == 200)
            assert_int_equal(host->size, size);
    }
    host->size = GT_WEB_NOTES_MAX + 1;
    host->claims = host->size;
    assert_answer_has(web, "\"revision\":\"\",\"error\":\"");
    gt_web_close(&web);
    free(text);
    free(host);
}

static void test_failures_of_the_host_are_told(void **state)
{
    struct host *host = host_new(NOTES(NOTE));
    gt_web *web = host_open(host, NULL);
    char revision[32];
    (void) state;
    ask_revision(web, revision);
    host->store_status = GT_ERR_IO;
    host->message = "the disk is full";
    assert_int_equal(send_notes(web, revision, NOTES(""), strlen(NOTES("")), host->message), 507);
    host->message = NULL;
    assert_int_equal(
        send_notes(web, revision, NOTES(""), strlen(NOTES("")), gt_status_text(GT_ERR_IO)), 507);
    host->load_status = GT_ERR_IO;
    assert_answer_has(web, gt_status_text(GT_ERR_IO));
    host->message = "no permission";
    assert_answer_has(web, "\"error\":\"no permission\",\"notes\":[]}");
    assert_int_equal(send_notes(web, revision, NOTES(""), strlen(NOTES("")), host->message), 409);
    assert_int_equal(host->stores, 2);
    gt_web_close(&web);
    free(host);
}

static void test_without_memory_nothing_is_lost(void **state)
{
    static const char body[] = NOTES("");
    struct host *host = host_new(NOTES(NOTE));
    struct probe probe;
    gt_web *web;
    uint64_t failures = 0;
    (void) state;
    probe_init(&probe);
    web = host_open(host, &probe.allocator);
    for (uint64_t n = 1, failed = 1; failed > 0; n++) {
        struct web_reply reply = {0};
        char target[64] = "/api/notes?revision=", revision[32];
        ask_revision(web, revision);
        strcat(target, revision);
        for (int posts = 0; posts < 2; posts++) {
            probe.failed = 0;
            probe.fail_at = probe.calls + n;
            gt_status status =
                posts ? web_post(web, target, body, strlen(body), GT_WEB_MAY_CHANGE, &reply)
                      : web_ask(web, "GET", "/api/notes", &reply);
            probe.fail_at = 0;
            assert_status(status, GT_OK);
            assert_true(reply.status == 200 || (reply.status == 503 && probe.failed > 0));
            web_reply_free(&reply);
            failed = posts ? failed + probe.failed : probe.failed;
        }
        failures += failed;
        bool is_old = host->size == strlen(NOTES(NOTE)), is_new = host->size == strlen(body);
        assert_true(is_old || is_new);
        host->size = strlen(NOTES(NOTE));
        memcpy(host->data, NOTES(NOTE), host->size);
    }
    assert_true(failures >= 4);
    gt_web_close(&web);
    probe_check(&probe);
    free(host);
}

enum {
    WRITERS = 4,
    ROUNDS = 50
};

/* Adds a note to those that are there, again and again, as a page does. */
static void *add_notes(void *user_data)
{
    gt_web *web = user_data;
    for (int done = 0; done < ROUNDS;) {
        struct web_reply reply = web_get(web, "/api/notes"), answer = {0};
        char revision[32], target[64];
        size_t room = reply.size + 200;
        char *body = malloc(room);
        const char *list = strstr(reply.body, "\"notes\":[") + strlen("\"notes\":[");
        int size = (int) (reply.body + reply.size - 2 - list);
        snprintf(body, room, NOTES("%.*s%s" NOTE), size, list, size > 0 ? "," : "");
        reply_revision(&reply, revision);
        snprintf(target, sizeof(target), "/api/notes?revision=%s", revision);
        web_post(web, target, body, strlen(body), GT_WEB_MAY_CHANGE, &answer);
        done += answer.status == 200;
        web_reply_free(&reply);
        web_reply_free(&answer);
        free(body);
    }
    return NULL;
}

static void test_notes_of_several_threads_are_all_kept(void **state)
{
    struct host *host = host_new(NOTES(""));
    gt_web *web;
    gt_web_options options = GT_WEB_OPTIONS_INIT;
    pthread_t threads[WRITERS];
    (void) state;
    options.user_data = host;
    options.load_notes = host_load;
    options.store_notes = host_store;
    assert_status(gt_web_open_memory(&web, trace, sizeof(trace) - 1, &options, NULL), GT_OK);
    for (int i = 0; i < WRITERS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, add_notes, web), 0);
    for (int i = 0; i < WRITERS; i++)
        pthread_join(threads[i], NULL);
    assert_int_equal(host->size, strlen(NOTES("")) + WRITERS * ROUNDS * (strlen(NOTE) + 1) - 1);
    gt_web_close(&web);
    free(host);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_host_without_notes_says_so),
        cmocka_unit_test(test_what_was_stored_is_read_again),
        cmocka_unit_test(test_nobody_replaces_what_he_has_not_seen),
        cmocka_unit_test(test_client_without_permission_changes_nothing),
        cmocka_unit_test(test_only_notes_are_changed),
        cmocka_unit_test(test_what_is_no_notes_is_neither_stored_nor_replaced),
        cmocka_unit_test(test_sizes_are_limited),
        cmocka_unit_test(test_failures_of_the_host_are_told),
        cmocka_unit_test(test_without_memory_nothing_is_lost),
        cmocka_unit_test(test_notes_of_several_threads_are_all_kept),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
