/* SPDX-License-Identifier: BSD-3-Clause */

/* What a server answers to the client that reads traces from URLs: the head, and the framing of the
 * body, whole and in pieces. */

#include <stdlib.h>
#include <string.h>

#include "fuzz/input.h"
#include "http/answer.h"
#include "http/head.h"
#include "support/test.h"

/* A body without its framing, and how its parsing ended. */
struct body {
    struct http_framing framing;
    uint8_t *data;
    size_t size;
    size_t used;
};

static bool is_over(const struct http_framing *framing)
{
    return framing->state == HTTP_FRAMING_COMPLETE || framing->state == HTTP_FRAMING_MALFORMED;
}

/* Parses a part of the answer, and asserts that it is used up unless the body is over. */
static void parse_part(struct body *body, const uint8_t *data, size_t size)
{
    size_t at = 0, skipped;

    while (at < size && !is_over(&body->framing)) {
        size_t got =
            http_framing_take(&body->framing, (const char *) data + at, size - at, &skipped);

        assert_true(skipped <= size - at && got <= size - at - skipped);
        assert_true(skipped > 0 || got > 0);
        memcpy(body->data + body->size, data + at + skipped, got);
        body->size += got;
        at += skipped + got;
    }
    body->used += at;
}

static void body_begin(struct body *body, const struct http_answer *answer, size_t size)
{
    *body = (struct body){.framing = answer->framing, .data = malloc(size + 1)};
    assert_true(body->data);
}

/* Asserts that the body is the same, however the answer is split into pieces. */
static void check_body(const struct input *input, const struct http_answer *answer,
                       const uint8_t *data, size_t size)
{
    struct body whole, pieces;
    size_t taken = 0;

    body_begin(&whole, answer, size);
    body_begin(&pieces, answer, size);
    parse_part(&whole, data, size);
    for (size_t i = 0; taken < size; i++) {
        size_t step = input->steps[i % 2];

        step = step < size - taken ? step : size - taken;
        parse_part(&pieces, data + taken, step);
        taken += step;
    }
    assert_true(whole.size == pieces.size && whole.used == pieces.used);
    assert_true(memcmp(whole.data, pieces.data, whole.size) == 0);
    assert_true(whole.framing.state == pieces.framing.state);
    assert_true(whole.framing.left == pieces.framing.left);
    free(whole.data);
    free(pieces.data);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct input input;
    struct http_answer answer;
    int status;

    if (!input_take(&input, data, size, 0))
        return 0;
    size_t room = input.size < HTTP_HEAD_MAX ? input.size : HTTP_HEAD_MAX;
    char *head = malloc(room + 1);

    assert_true(head);
    memcpy(head, input.data, room);
    size_t found = http_head_find(head, room, &status);
    if (found && http_answer_parse(head, found, &answer)) {
        assert_true(answer.status >= 0 && answer.status <= 999);
        assert_true(!answer.location || (answer.location > head &&
                                         answer.location + strlen(answer.location) < head + found));
        check_body(&input, &answer, input.data + found, input.size - found);
    }
    free(head);
    input_free(&input);
    return 0;
}
