/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Writes seeds for fuzzing into directories below the one that is named: small recorded and
 * generated traces in bytes and in text, calls of an emitter, requests, and parts of a program. The
 * output is the same every time.
 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "fuzz/convert.h"
#include "support/elfmade.h"
#include "support/files.h"
#include "support/hostile.h"
#include "support/sample.h"
#include "support/test.h"
#include "support/text.h"
#include "support/v1hostile.h"
#include "support/v1wire.h"

/* Larger traces take too long to be read so often. */
#define TRACE_MAX   4096
#define TEXT_MAX    8192
#define HEADER      16
#define SCRIPTS     64
#define SCRIPT_SIZE 256

static const char *output;
static uint64_t seed = 1;

static void write_input(const char *directory, const char *name, const uint8_t *data, size_t size,
                        const uint8_t *choices)
{
    char *folder = files_join(output, directory), *path = files_join(folder, name);
    FILE *file = fopen(path, "wb");

    if (!file || fwrite(data, 1, size, file) != size ||
        fwrite(choices, 1, INPUT_CHOICES, file) != INPUT_CHOICES || fclose(file) != 0) {
        perror(path);
        exit(1);
    }
    free(path);
    free(folder);
}

static void pick_choices(uint8_t *choices)
{
    uint64_t random = test_random(&seed);

    memcpy(choices, &random, INPUT_CHOICES);
}

/* Writes a trace without its header, for the target for traces of Go 1.5 to 1.21. */
static void add_v1(const char *name, const uint8_t *data, size_t size, unsigned version)
{
    uint8_t choices[INPUT_CHOICES] = {0};
    unsigned i;

    for (i = 0; i < V1_VERSIONS; i++) {
        if (v1_versions[i] == version)
            choices[INPUT_CHOICES - 1] = (uint8_t) i;
    }
    write_input("v1", name, data + HEADER, size - HEADER, choices);
}

/* Writes an input with a number after its name: once to be read plainly, and once with trouble. */
static void add_twice(const char *directory, const char *name, const uint8_t *data, size_t size)
{
    uint8_t choices[INPUT_CHOICES] = {0};
    char other[256];

    write_input(directory, name, data, size, choices);
    snprintf(other, sizeof(other), "%s-troubled", name);
    pick_choices(choices);
    write_input(directory, other, data, size, choices);
}

static void add_trace(const char *name, const uint8_t *data, size_t size)
{
    struct converted text = {0};

    if (size < HEADER || size > TRACE_MAX)
        return;
    add_twice("trace", name, data, size);
    convert(&text, data, size, GT_RAW_TEXT, 0);
    if (text.info.version < 22)
        add_v1(name, data, size, text.info.version);
    if (text.size <= TEXT_MAX)
        add_twice("text", name, text.data, text.size);
    converted_free(&text);
}

static void add_recorded(const char *directory)
{
    char *folder = files_join(files_testdata(), directory);
    struct file_list list = {0};
    size_t size;

    files_list(&list, folder, "", ".trace");
    for (size_t i = 0; i < list.count; i++) {
        char *path = files_join(folder, list.names[i]);
        uint8_t *data = files_read(path, &size);

        add_trace(list.names[i], data, size);
        free(data);
        free(path);
    }
    files_list_free(&list);
    free(folder);
}

static void add_texts(void)
{
    char *folder = files_join(files_testdata(), "text");
    struct file_list list = {0};
    size_t size;

    files_list(&list, folder, "", ".test");
    for (size_t i = 0; i < list.count; i++) {
        char *path = files_join(folder, list.names[i]);
        char *text = (char *) files_read(path, &size);
        struct wire wire = {0};
        struct text_case sample;

        if (text_parse_case(&sample, text, size) == 0 &&
            text_encode(&wire, sample.trace, sample.trace_size) == 0)
            add_trace(list.names[i], wire.data, wire.size);
        wire_free(&wire);
        free(text);
        free(path);
    }
    files_list_free(&list);
    free(folder);
}

static void add_samples(void)
{
    struct wire wire = {0};
    char name[64];
    unsigned i, version;

    for (i = 0; i < V1_VERSIONS; i++) {
        sample_trace(&wire, v1_versions[i], 1, 1);
        snprintf(name, sizeof(name), "sample-1.%u", v1_versions[i]);
        add_trace(name, wire.data, wire.size);
    }
    for (version = 22; version <= 26; version++) {
        sample_trace(&wire, version, 2, 1);
        snprintf(name, sizeof(name), "sample-1.%u", version);
        add_trace(name, wire.data, wire.size);
    }
    wire_free(&wire);
}

static void add_hostiles(const struct hostile *list, size_t count)
{
    struct wire wire = {0};
    char name[64];

    for (size_t i = 0; i < count; i++) {
        list[i].write(&wire, 4);
        wire_generation_end(&wire);
        snprintf(name, sizeof(name), "hostile-%s", list[i].name);
        add_trace(name, wire.data, wire.size);
    }
    wire_free(&wire);
}

static void add_scripts(void)
{
    uint8_t script[SCRIPT_SIZE];
    char name[64];

    for (size_t i = 0; i < SCRIPTS; i++) {
        for (size_t k = 0; k < sizeof(script); k++)
            script[k] = (uint8_t) (test_random(&seed) >> 32);
        snprintf(name, sizeof(name), "script-%zu", i);
        add_twice("emitter", name, script, sizeof(script));
    }
}

/* Requests to the server of gotrace view. */
static void add_requests(void)
{
    static const char *const requests[] = {
        "GET / HTTP/1.1\r\nHost: localhost:6060\r\nAccept: */*\r\n\r\n",
        "HEAD /api/rows?first=-1&filter=a+b%2F%c3%a9&&=&x HTTP/1.1\r\nHost: [::1]:80\r\n\r\n",
        "GET / HTTP/1.1\r\nConnection: keep-alive, close\r\nContent-Length: 0\r\n\r\n",
        "GET http://127.0.0.1/%2e%2e/a?b=1 HTTP/1.0\r\n\r\nGET /b HTTP/1.1\r\nHost: x\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    };
    char name[32];

    for (size_t i = 0; i < sizeof(requests) / sizeof(*requests); i++) {
        snprintf(name, sizeof(name), "request-%zu", i);
        add_twice("http", name, (const uint8_t *) requests[i], strlen(requests[i]));
    }
}

/* Answers of servers to the client that reads URLs. */
static void add_answers(void)
{
    static const char *const answers[] = {
        "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nbody.more",
        "HTTP/1.0 200 OK\r\nConnection: close\r\n\r\nall that follows",
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
         "4;a=\"b\"\r\nbody\r\nA\r\n0123456789\r\n0\r\nX: y\r\n\r\n"),
        "HTTP/1.1 302 Found\r\nLocation: http://other.example/\r\nContent-Length: 0\r\n\r\n",
        "HTTP/1.1 500 Internal Server Error\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx",
    };
    char name[32];

    for (size_t i = 0; i < sizeof(answers) / sizeof(*answers); i++) {
        snprintf(name, sizeof(name), "answer-%zu", i);
        add_twice("answer", name, (const uint8_t *) answers[i], strlen(answers[i]));
    }
}

/* A file of a program, and tables of frames, which the flags of an input tell apart. */
static void add_modules(void)
{
    uint8_t data[ELFMADE_MAX], file[INPUT_CHOICES] = {1}, frames[INPUT_CHOICES] = {0, 0, 0, 16};
    size_t size = elfmade(data);

    write_input("elf", "file", data, size, file);
    /* The table has 257 bytes. */
    size = elfmade_frames(data, 0x1101, 0x1000);
    write_input("elf", "frames", data, size, frames);
}

int main(int argc, char **argv)
{
    static const char *const folders[] = {"trace", "v1",     "text", "emitter",
                                          "http",  "answer", "elf"};

    if (argc != 2) {
        fprintf(stderr, "usage: fuzz_seeds DIRECTORY\n");
        return 2;
    }
    output = argv[1];
    mkdir(output, 0777);
    for (size_t i = 0; i < sizeof(folders) / sizeof(folders[0]); i++) {
        char *path = files_join(output, folders[i]);

        mkdir(path, 0777);
        free(path);
    }
    add_recorded("v1");
    add_recorded("v2");
    add_texts();
    add_samples();
    add_hostiles(hostiles, hostile_count);
    add_hostiles(v1_hostiles, v1_hostile_count);
    add_scripts();
    add_requests();
    add_answers();
    add_modules();
    return 0;
}
