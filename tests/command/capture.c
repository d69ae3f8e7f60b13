/* SPDX-License-Identifier: BSD-3-Clause */
#include "capture.h"

#include <stdlib.h>
#include <string.h>

#include "support/files.h"
#include "support/test.h"

/* All that can be read from `file`, with a NUL behind it, from malloc. */
static char *read_stream(FILE *file)
{
    size_t size = 0, capacity = 4096, got;
    char *text = malloc(capacity);

    assert_non_null(text);
    while ((got = fread(text + size, 1, capacity - size - 1, file)) > 0) {
        size += got;
        if (capacity - size == 1) {
            capacity *= 2;
            text = realloc(text, capacity);
            assert_non_null(text);
        }
    }
    text[size] = '\0';
    return text;
}

void capture_program(struct capture *capture, const char *program, const char *const *arguments)
{
    const char *all[CAPTURE_ARGUMENTS + 2] = {program};
    struct process process;

    assert_non_null(program);
    for (size_t i = 0; arguments[i]; i++) {
        assert_true(i < CAPTURE_ARGUMENTS);
        all[i + 1] = arguments[i];
    }
    process_start(&process, all);
    capture->output = read_stream(process.output);
    capture->exit_status = process_wait(&process);
    memcpy(capture->errors, process.errors, sizeof(capture->errors));
}

void capture_command(struct capture *capture, const char *const *arguments)
{
    capture_program(capture, getenv("GT_COMMAND"), arguments);
}

void capture_free(struct capture *capture)
{
    free(capture->output);
    capture->output = NULL;
}

char *capture_trace(struct wire *wire)
{
    return files_temporary(wire->data, wire->size);
}

const char *capture_find(const char *whole, const char *text)
{
    const char *found = strstr(whole, text);

    if (!found)
        fail_msg("\"%s\" is not in\n%s", text, whole);
    return found + strlen(text);
}

unsigned capture_count(const char *whole, const char *text)
{
    unsigned count = 0;

    while ((whole = strstr(whole, text))) {
        count++;
        whole += strlen(text);
    }
    return count;
}
