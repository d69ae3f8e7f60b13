/* SPDX-License-Identifier: BSD-3-Clause */

/* The head of a request, parsed whole and in pieces by the server of gotrace view. */

#include <stdlib.h>
#include <string.h>

#include "fuzz/input.h"
#include "http/head.h"
#include "http/host.h"
#include "http/target.h"
#include "support/test.h"
#include "web/request.h"

/* Asserts that the engine takes the query that the server has let through. */
static void check_query(const struct http_request *asked)
{
    struct gt_request request;
    struct gt_mem mem;
    int64_t number = 0;
    uint64_t count = 0;
    const char *at, *end;

    gt_mem_init(&mem, NULL, 0);
    assert_true(gt_request_init(&request, &mem, asked->path, asked->query) == GT_OK);
    at = request.pairs;
    end = at + request.pairs_size;
    assert_true(end <= at + 2 * strlen(asked->query) + 1);
    while (at < end) {
        const char *value = at + strlen(at) + 1, *found = gt_request_value(&request, at);

        assert_true(value < end && found && found <= value);
        gt_request_i64(&request, at, &number);
        gt_request_u64(&request, at, &count);
        at = value + strlen(value) + 1;
    }
    assert_true(at == end);
    gt_request_free(&request);
}

/* Asserts that a text of the head lies in the memory that it may use. */
static void check_text(const char *text, const char *data, size_t size)
{
    assert_true(!text || (text > data && text + strlen(text) < data + size));
}

/* Asserts that a value of the query fits where it is copied to. */
static void check_value(const struct http_request *asked)
{
    for (size_t room = 1; room < 20; room += 3) {
        char *to = malloc(room);

        assert_true(to);
        if (http_query_value(asked->query, "a", to, room))
            assert_true(strlen(to) < room);
        free(to);
    }
}

/* Asserts that the parts of a head lie in the memory that it may use. */
static void check_head(const struct http_head *head, const char *data, size_t size)
{
    assert_true(head->request.path[0] == '/');
    assert_true(strlen(head->request.path) + strlen(head->request.query) < size);
    assert_true(!head->is_newer || head->host);
    if (head->host) {
        assert_true(head->host > data && head->host + strlen(head->host) < data + size);
        http_host_is_good(head->host, "own.example");
    }
    if (head->origin && head->host)
        http_origin_is_same(head->origin, head->host);
    /* Only a POST has a body, whose length is stated. */
    assert_true(head->request.method == HTTP_POST || (!head->has_length && head->length == 0));
    assert_true(head->has_length || head->length == 0);
    check_text(head->origin, data, size);
    check_text(head->type, data, size);
    check_value(&head->request);
    check_query(&head->request);
}

/*
 * However a head is split into pieces, it ends in the same place, or is refused, perhaps earlier.
 */
static void check_pieces(const struct input *input, const char *data, size_t size, size_t found,
                         int status)
{
    size_t taken = 0, early;
    int refused;

    for (size_t i = 0; taken < size; i++) {
        size_t step = input->steps[i % 2];

        taken += step < size - taken ? step : size - taken;
        early = http_head_find(data, taken, &refused);
        if (refused) {
            /* Too many lines are refused before the last one ends. */
            assert_true(status || refused == 431);
            return;
        }
        assert_true(early == (taken < found ? 0 : found));
        if (early)
            return;
    }
    assert_true(!found && !status);
}

/*
 * Parses the head at the start of `data`. Returns its size, or 0 if the connection would be closed.
 */
static size_t take(const struct input *input, const uint8_t *data, size_t size)
{
    size_t room = size < HTTP_HEAD_MAX ? size : HTTP_HEAD_MAX, found;
    char *copy = malloc(room + 1);
    struct http_head head;
    int status;

    assert_true(copy);
    memcpy(copy, data, room);
    found = http_head_find(copy, room, &status);
    assert_true(!found || (found <= room && status == 0));
    check_pieces(input, copy, room, found, status);
    if (found) {
        status = http_head_parse(copy, found, &head);
        assert_true(status == 0 || (status >= 400 && status < 600));
        if (status == 0)
            check_head(&head, copy, found);
    }
    free(copy);
    return status == 0 ? found : 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct input input;
    size_t at = 0, taken;

    if (!input_take(&input, data, size, 0))
        return 0;
    do {
        taken = take(&input, input.data + at, input.size - at);
        at += taken;
    } while (taken > 0 && at < input.size);
    input_free(&input);
    return 0;
}
