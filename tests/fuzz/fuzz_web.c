/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * The viewer's engine, without a server: any trace, and requests to its routes. The routes are
 * those of the engine's own table. Which parameters a route has is learned from the engine, too:
 * the linker passes its calls of gt_request_value and gt_query_word through this file. So a new
 * route or parameter is tried without a change here.
 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <gotrace/web.h>

#include "fuzz/input.h"
#include "fuzz/json.h"
#include "support/sample.h"
#include "support/test.h"
#include "web/endpoints.h"

#define ROUTES_MAX     96
#define PARAMETERS_MAX 24
#define PATH_MAX_SIZE  64
#define QUERY_MAX_SIZE 4096
#define NAME_SIZE      24
#define GOOD_MAX       128
#define WORDS_MAX      32
#define REQUESTS       12
#define CHANGES        3
#define NOTES_SIZE     1024
/* How often all values are tried for all parameters, and an answer is asked for until it is there.
 */
#define LESSONS  3
#define PATIENCE 20
/* What an answer of the interface may have, except for a conversion of the whole trace. */
#define BODY_MAX (4u << 20)
/* So many parameters are known to be there; with fewer the lessons have not worked. */
#define PARAMETERS_MIN 100

static const char *const values[] = {
    "",
    "0",
    "1",
    "-1",
    "2",
    "3",
    "7",
    "64",
    "1000",
    "4096",
    "65536",
    "4294967295",
    "4294967296",
    "2305843009213693951",
    "-2305843009213693951",
    "9223372036854775807",
    "-9223372036854775808",
    "18446744073709551615",
    "18446744073709551616",
    "1e9",
    "0.5",
    "NaN",
    "10ms",
    "1000000h",
    "0,1,2,3,4,5,6,7",
    "0,",
    "%00",
    "%ff%fe",
    "%e2%80%ae",
    "%ed%a0%80",
    "%",
    "%22%5c",
    "a",
    "main",
    "fn",
    "name:x",
    "longer:1ms",
    "kind:log+a",
    "ended:no",
    "/^(a|m.*)+$/+stack:/[^x]|main/",
    "/((a*)*)*b/",
    "/[/",
    "proc",
    "thread",
    "goroutine",
    "task",
    "duration",
    "waiting",
    "parent",
    "running",
    "start",
    "total",
    "cpu",
    "wall",
    "offcpu",
    "block:",
    "range:GC+mark+assist",
    "sched",
    "proc,stw,background,assist,sweep",
};

#define VALUES (sizeof(values) / sizeof(values[0]))

/* A parameter of a route, and the values that it does not refuse. */
struct parameter {
    char name[NAME_SIZE];
    /* Copies of the words that the engine compares it with, if it does. */
    char words[WORDS_MAX][NAME_SIZE];
    size_t word_count;
    const char *good[GOOD_MAX];
    size_t good_count;
};

struct known_route {
    struct parameter parameters[PARAMETERS_MAX];
    size_t count;
};

static struct known_route routes[ROUTES_MAX];
static size_t route_count;
/* The route that learns the names of parameters, or NULL. */
static struct known_route *learning;

/* The notes that the host keeps, which begin as a part of the input. */
struct kept {
    uint8_t data[NOTES_SIZE];
    size_t size;
    bool fails;
};

struct answer {
    char *body;
    size_t size, room;
    uint32_t status;
    unsigned begun;
    bool is_json, is_limited;
};

const char *__real_gotrace_web_request_value(const struct gt_request *request, const char *name);
const char *__wrap_gotrace_web_request_value(const struct gt_request *request, const char *name);
void __real_gotrace_web_query_word(struct gt_query *query, const char *name,
                                   const char *const *words, size_t count, uint32_t *value);
void __wrap_gotrace_web_query_word(struct gt_query *query, const char *name,
                                   const char *const *words, size_t count, uint32_t *value);

static struct parameter *route_parameter(struct known_route *route, const char *name)
{
    for (size_t i = 0; i < route->count; i++) {
        if (strcmp(route->parameters[i].name, name) == 0)
            return &route->parameters[i];
    }
    assert_true(route->count < PARAMETERS_MAX && strlen(name) < NAME_SIZE);
    struct parameter *parameter = &route->parameters[route->count++];
    strcpy(parameter->name, name);
    return parameter;
}

/* The linker has the engine call this and the next one in place of its own functions. */
const char *__wrap_gotrace_web_request_value(const struct gt_request *request, const char *name)
{
    if (learning)
        route_parameter(learning, name);
    return __real_gotrace_web_request_value(request, name);
}

void __wrap_gotrace_web_query_word(struct gt_query *query, const char *name,
                                   const char *const *words, size_t count, uint32_t *value)
{
    if (learning) {
        struct parameter *parameter = route_parameter(learning, name);
        assert_true(count <= WORDS_MAX);
        for (size_t i = 0; i < count; i++)
            snprintf(parameter->words[i], NAME_SIZE, "%s", words[i]);
        parameter->word_count = count;
    }
    __real_gotrace_web_query_word(query, name, words, count, value);
}

static void check_header(const gt_web_header *header, struct answer *answer)
{
    assert_true(header->name[0] != '\0');
    for (const char *at = header->value; *at != '\0'; at++)
        assert_true((unsigned char) *at >= ' ' && *at != 0x7f);
    if (strcmp(header->name, "Content-Type") == 0)
        answer->is_json = strncmp(header->value, "application/json", 16) == 0;
}

static int answer_begin(void *user_data, uint32_t status, const gt_web_header *headers,
                        size_t count, uint64_t length)
{
    struct answer *answer = user_data;

    assert_int_equal(answer->begun++, 0);
    assert_true(length == GT_WEB_LENGTH_UNKNOWN || !answer->is_limited || length <= BODY_MAX);
    answer->status = status;
    for (size_t i = 0; i < count; i++)
        check_header(&headers[i], answer);
    return 0;
}

static int answer_write(void *user_data, const void *data, size_t size)
{
    struct answer *answer = user_data;

    assert_int_equal(answer->begun, 1);
    assert_true(size > 0);
    if (size > answer->room - answer->size) {
        answer->room = 2 * (answer->size + size);
        answer->body = realloc(answer->body, answer->room);
        assert_non_null(answer->body);
    }
    memcpy(answer->body + answer->size, data, size);
    answer->size += size;
    if (answer->is_limited)
        assert_true(answer->size <= BODY_MAX);
    return 0;
}

static bool status_is_sane(uint32_t status, bool out_of_memory)
{
    switch (status) {
    case 200:
    case 202:
    case 304:
    case 400:
    case 404:
    case 409:
    case 422:
    case 507:
        return true;
    default:
        return status == 503 && out_of_memory;
    }
}

static void answer_check(const struct answer *answer, gt_status status, bool is_head,
                         const struct probe *probe)
{
    assert_true(status == GT_OK || probe->failed > 0);
    if (status != GT_OK)
        return;
    assert_int_equal(answer->begun, 1);
    assert_true(status_is_sane(answer->status, probe->failed > 0));
    assert_true(!is_head || answer->size == 0);
    /* That memory has run out may be all that there is memory to say. */
    if (answer->is_json && !is_head && (answer->size > 0 || answer->status != 503))
        assert_true(json_is_good(answer->body, answer->size));
}

static bool answer_begins(const struct answer *answer, const char *text)
{
    return answer->size >= strlen(text) && memcmp(answer->body, text, strlen(text)) == 0;
}

/* Whether it is an error that is due to a parameter: the text begins with its name. */
static bool answer_blames(const struct answer *answer, const char *name)
{
    char text[2 * NAME_SIZE];

    snprintf(text, sizeof(text), "{\"error\":\"%s:", name);
    return answer->status == 400 &&
           (answer_begins(answer, text) || answer_begins(answer, "{\"error\":\"malformed query"));
}

/*
 * Asks until an analysis is done, and checks the answer. Returns whether the engine blames the
 * parameter `name`, which may be NULL.
 */
static bool ask(gt_web *web, const gt_web_request *request, const struct probe *probe,
                const char *name)
{
    struct answer answer = {.status = 202};
    bool is_blamed;

    for (int i = 0; i < PATIENCE && answer.status == 202; i++) {
        gt_web_client client = GT_WEB_CLIENT_INIT;

        free(answer.body);
        answer = (struct answer){.is_limited = strncmp(request->path, "/api/", 5) == 0};
        client.user_data = &answer;
        client.begin = answer_begin;
        client.write = answer_write;
        gt_status status = gt_web_answer(web, request, &client);
        answer_check(&answer, status, strcmp(request->method, "HEAD") == 0, probe);
        if (answer.status == 202)
            gt_web_step(web, UINT64_MAX);
    }
    is_blamed = name && answer_blames(&answer, name);
    free(answer.body);
    return is_blamed;
}

static void query_add(char *query, const char *name, const char *value)
{
    size_t used = strlen(query);

    snprintf(query + used, QUERY_MAX_SIZE - used, "%s%s=%s", used > 0 ? "&" : "", name, value);
}

/* Appends a parameter; its value is mostly a good one, or any, or bytes of the trace. */
static void query_add_random(char *query, const struct parameter *parameter,
                             const struct input *input, uint64_t *seed)
{
    static const char digits[] = "0123456789abcdef";
    uint64_t random = test_random(seed);
    const char *value = values[(random >> 32) % VALUES];
    char bytes[3 * 8 + 1], *to = bytes;

    if (random % 16 == 0 && input->size > 0) {
        for (size_t i = 0; i < (random >> 8) % 8; i++) {
            uint8_t byte = input->data[((random >> 16) + i) % input->size];
            *to++ = '%';
            *to++ = digits[byte / 16];
            *to++ = digits[byte % 16];
        }
        *to = '\0';
        value = bytes;
    } else if (random % 16 < 14 && parameter->good_count > 0) {
        value = parameter->good[(random >> 32) % parameter->good_count];
    }
    query_add(query, parameter->name, value);
}

static void request_route(gt_web *web, size_t index, const struct input *input,
                          const struct probe *probe, uint64_t *seed)
{
    const struct known_route *route = &routes[index];
    gt_web_request request = GT_WEB_REQUEST_INIT;
    uint64_t random = test_random(seed);
    char path[PATH_MAX_SIZE], query[QUERY_MAX_SIZE] = "";

    snprintf(path, sizeof(path), "%s%s", gt_web_route_table[index].path,
             random % 64 == 0 ? "../x%" : "");
    /* Mostly most parameters are given, as those that are needed are among them. */
    uint64_t chosen = test_random(seed);
    if (random >> 16 & 3)
        chosen |= test_random(seed) | test_random(seed);
    for (size_t i = 0; i < route->count; i++) {
        if (chosen >> i & 1)
            query_add_random(query, &route->parameters[i], input, seed);
    }
    request.method = random >> 8 & 15 ? "GET" : "HEAD";
    request.path = path;
    request.query = query;
    ask(web, &request, probe, NULL);
}

static gt_status load_notes(void *user_data, void *buffer, size_t capacity, size_t *size,
                            gt_error *error)
{
    const struct kept *kept = user_data;

    assert_int_equal(*size, 0);
    assert_true(capacity >= sizeof(kept->data));
    memcpy(buffer, kept->data, kept->size);
    *size = kept->size;
    memset(error->message, 'x', sizeof(error->message));
    return kept->fails ? GT_ERR_IO : GT_OK;
}

static gt_status store_notes(void *user_data, const void *data, size_t size, gt_error *error)
{
    struct kept *kept = user_data;

    assert_true(json_is_good(data, size));
    if (kept->fails || size > sizeof(kept->data)) {
        strcpy(error->message, "\xff<\"\x1b[2J");
        return GT_ERR_IO;
    }
    memcpy(kept->data, data, size);
    kept->size = size;
    return GT_OK;
}

static void options_set_notes(gt_web_options *options, struct kept *kept)
{
    options->user_data = kept;
    options->notes_name = "\xff<\"";
    options->load_notes = load_notes;
    options->store_notes = store_notes;
}

/* Writes notes in which a byte, or none, is not what it should be. Returns their size. */
static size_t notes_write(uint8_t *to, const struct input *input, uint64_t *seed)
{
    static const char good[] =
        " {\"version\":1,\"notes\":[{\"time\":-5,\"end\":9,\"row\":\"task:-1\",\"text\":\"a\\ud83d"
        "\\ude00\\n\"},{\"text\":\"\xc3\xa4\xf0\x9f\x98\x80\",\"end\":null,\"time\":0}]}\n";
    uint64_t random = test_random(seed);
    size_t size = sizeof(good) - 1, part = size / 4;

    memcpy(to, good, size);
    if (random % 4 != 0)
        to[(random >> 8) % size] =
            input->size > 0 ? input->data[(random >> 32) % input->size] : (uint8_t) (random >> 32);
    if (random % 4 == 1)
        memmove(to + (random >> 16) % (size - part), to + (random >> 20) % (size - part), part);
    return random % 32 == 0 ? (random >> 8) % size : size;
}

/* Asks for the revision of the notes. */
static void notes_revision(gt_web *web, char *revision, const struct probe *probe)
{
    static const char key[] = "\"revision\":\"";
    gt_web_request request = GT_WEB_REQUEST_INIT;
    struct answer answer = {.is_limited = true};
    gt_web_client client = GT_WEB_CLIENT_INIT;

    request.path = "/api/notes";
    client.user_data = &answer;
    client.begin = answer_begin;
    client.write = answer_write;
    answer_check(&answer, gt_web_answer(web, &request, &client), false, probe);
    answer_write(&answer, "", 1);
    const char *found = strstr(answer.body, key);
    size_t size = found ? strspn(found + strlen(key), "0123456789abcdef") : 0;
    assert_true(size <= 16);
    if (size > 0)
        memcpy(revision, found + strlen(key), size);
    revision[size] = '\0';
    free(answer.body);
}

/* Replaces the notes. What was stored can be read again. */
static void request_change(gt_web *web, const struct input *input, const struct probe *probe,
                           uint64_t *seed)
{
    gt_web_request request = GT_WEB_REQUEST_INIT;
    char query[64] = "revision=", revision[17];
    uint8_t body[NOTES_SIZE];

    notes_revision(web, revision, probe);
    strcat(query, revision);
    request.method = "POST";
    request.path = "/api/notes";
    request.query = test_random(seed) % 16 == 0 ? "revision=0" : query;
    request.body = body;
    request.body_size = notes_write(body, input, seed);
    request.flags = GT_WEB_MAY_CHANGE;
    ask(web, &request, probe, NULL);
}

static gt_status open_web(gt_web **web, const struct input *input, struct probe *probe,
                          struct kept *kept)
{
    gt_web_options options = GT_WEB_OPTIONS_INIT;

    options.flags = GT_WEB_NO_THREADS;
    options.reader_flags = input->flags & 1 ? GT_READER_AS_RECORDED : 0;
    options.name = input->flags & 2 ? "\xff<\"\x1b[2J" : "name";
    options.allocator = &probe->allocator;
    options_set_notes(&options, kept);
    return gt_web_open_memory(web, input->data, input->size, &options, NULL);
}

/* Tries a value of a parameter with good values of the others, and notes if it is good. */
static void lesson_try(gt_web *web, size_t index, struct parameter *parameter, const char *value,
                       const struct probe *probe)
{
    const struct known_route *route = &routes[index];
    gt_web_request request = GT_WEB_REQUEST_INIT;
    char query[QUERY_MAX_SIZE] = "";

    for (size_t i = 0; i < route->count; i++) {
        const struct parameter *other = &route->parameters[i];

        if (other != parameter && other->good_count > 0)
            query_add(query, other->name, other->good[0]);
    }
    query_add(query, parameter->name, value);
    request.path = gt_web_route_table[index].path;
    request.query = query;
    if (!ask(web, &request, probe, parameter->name) && parameter->good_count < GOOD_MAX)
        parameter->good[parameter->good_count++] = value;
}

static void lesson_of_route(gt_web *web, size_t index, const struct probe *probe)
{
    gt_web_request request = GT_WEB_REQUEST_INIT;

    learning = &routes[index];
    request.path = gt_web_route_table[index].path;
    ask(web, &request, probe, NULL);
    for (size_t i = 0; i < routes[index].count; i++) {
        struct parameter *parameter = &routes[index].parameters[i];

        parameter->good_count = 0;
        for (size_t k = 0; k < VALUES; k++)
            lesson_try(web, index, parameter, values[k], probe);
        for (size_t k = 0; k < parameter->word_count; k++)
            lesson_try(web, index, parameter, parameter->words[k], probe);
    }
    learning = NULL;
}

/* Asks every route again and again, so that it names all of its parameters. */
static void learn_parameters(void)
{
    struct wire wire = {0};
    struct probe probe;
    struct kept kept = {.size = 0};
    size_t count = 0;
    gt_web *web;

    sample_trace(&wire, 26, 2, 20);
    struct input input = {.data = wire.data, .size = wire.size};
    probe_init(&probe);
    assert_status(open_web(&web, &input, &probe, &kept), GT_OK);
    for (size_t i = 0; i < LESSONS * route_count; i++)
        lesson_of_route(web, i % route_count, &probe);
    gt_web_close(&web);
    wire_free(&wire);
    for (size_t i = 0; i < route_count; i++)
        count += routes[i].count;
    assert_true(count >= PARAMETERS_MIN);
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    int failed = input_prepare();

    (void) argc;
    (void) argv;
    while (gt_web_route_table[route_count].path)
        route_count++;
    assert_true(route_count <= ROUTES_MAX);
    learn_parameters();
    return failed;
}

/* The requests depend on all of the choices of an input, and on its size, as seeds share choices.
 */
static uint64_t input_seed(const uint8_t *data, size_t size)
{
    uint64_t seed = 1 + size;

    for (size_t i = size - INPUT_CHOICES; i < size; i++)
        seed = seed * 257 + data[i];
    return seed;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct input input;
    struct probe probe;
    struct kept kept;
    gt_web *web;

    if (!input_take(&input, data, size, 0))
        return 0;
    uint64_t seed = input_seed(data, size);
    input_probe(&input, &probe);
    kept.fails = seed % 8 == 0;
    kept.size = seed % 4 == 0 ? 0 : notes_write(kept.data, &input, &seed);
    gt_status status = open_web(&web, &input, &probe, &kept);
    if (status == GT_OK) {
        /* Otherwise the first answers find a trace that is loaded in part. */
        while (!(input.flags & 4) && gt_web_step(web, UINT64_MAX) == GT_OK)
            continue;
        for (size_t i = 0; i < REQUESTS; i++)
            request_route(web, test_random(&seed) % route_count, &input, &probe, &seed);
        for (size_t i = 0; i < CHANGES; i++)
            request_change(web, &input, &probe, &seed);
    }
    gt_web_close(&web);
    probe_check(&probe);
    input_free(&input);
    return 0;
}
