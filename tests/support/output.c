/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/output.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "support/dumps.h"
#include "support/files.h"
#include "support/process.h"
#include "support/test.h"

int output_write(void *user_data, const void *data, size_t size)
{
    struct output *output = user_data;
    if (output->fail_at != 0 && output->size + size > output->fail_at)
        return 1;
    if (output->size + size > output->capacity) {
        output->capacity = 2 * (output->size + size);
        output->data = realloc(output->data, output->capacity);
        assert_non_null(output->data);
    }
    memcpy(output->data + output->size, data, size);
    output->size += size;
    return 0;
}

void output_free(struct output *output)
{
    free(output->data);
    memset(output, 0, sizeof(*output));
}

void output_expect_peer_reads(const void *data, size_t size)
{
    const char *peer = getenv("GT_PEER");
    if (!peer)
        return;
    char *path = files_temporary(data, size);
    const char *const ours_command[] = {getenv("GT_COMMAND"), "dump", path, NULL};
    const char *const theirs_command[] = {peer, "-d=parsed", path, NULL};
    struct process ours, theirs;
    process_start(&ours, ours_command);
    process_start(&theirs, theirs_command);
    assert_true(dumps_compare(ours.output, theirs.output, 0) > 0);
    assert_int_equal(process_wait(&ours), 0);
    assert_int_equal(process_wait(&theirs), 0);
    unlink(path);
    free(path);
}
