/* SPDX-License-Identifier: BSD-3-Clause */
#include "fuzz/input.h"

#include <stdlib.h>
#include <string.h>

#include "support/test.h"

/* How much memory a reader may hold for its input. */
#define BYTES_FACTOR 32
#define BYTES_MORE   (1 << 20)

int input_prepare(void)
{
    return setenv("CMOCKA_TEST_ABORT", "1", 1);
}

__attribute__((weak)) int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void) argc;
    (void) argv;
    return input_prepare();
}

int input_take(struct input *input, const uint8_t *data, size_t size, size_t head)
{
    const uint8_t *choices;

    if (size < INPUT_CHOICES)
        return 0;
    choices = data + size - INPUT_CHOICES;
    input->size = head + size - INPUT_CHOICES;
    input->data = malloc(input->size ? input->size : 1);
    assert_non_null(input->data);
    memcpy(input->data + head, data, size - INPUT_CHOICES);
    input->flags = choices[0];
    input->pick = choices[1];
    input->trouble = choices[2] % TROUBLES;
    input->pieces = choices[2] >= 128 || input->trouble == TROUBLE_READ;
    input->at = (uint64_t) choices[3] | (uint64_t) choices[4] << 8 | (uint64_t) choices[5] << 16;
    input->steps[0] = 1u + choices[6];
    input->steps[1] = 1u + (size_t) choices[7] * choices[7];
    return 1;
}

void input_free(struct input *input)
{
    free(input->data);
    input->data = NULL;
}

void input_probe(const struct input *input, struct probe *probe)
{
    probe_init(probe);
    if (input->trouble == TROUBLE_ALLOCATION || input->trouble == TROUBLE_ALLOCATIONS)
        probe->fail_at = 1 + input->at;
    probe->fail_on = input->trouble == TROUBLE_ALLOCATIONS;
}

uint64_t input_limit(const struct input *input)
{
    return input->trouble == TROUBLE_LIMIT ? 1 + input->at : 0;
}

void input_check_memory(const struct input *input, const struct probe *probe, uint64_t bytes)
{
    probe_check(probe);
    if (input_limit(input))
        assert_true(probe->peak_bytes <= input_limit(input));
    if (bytes)
        assert_true(probe->peak_bytes <= BYTES_FACTOR * bytes + BYTES_MORE);
}

void input_check_failure(const struct input *input, const struct probe *probe, gt_status status)
{
    if (status == GT_ERR_NO_MEMORY)
        assert_true(probe->failed > 0);
    if (status == GT_ERR_LIMIT)
        assert_int_equal(input->trouble, TROUBLE_LIMIT);
    if (status == GT_ERR_IO)
        assert_int_equal(input->trouble, TROUBLE_READ);
}

void input_feed(const struct input *input, struct feed *feed)
{
    feed_init(feed, input->data, input->size);
    feed->steps = input->steps;
    feed->step_count = 2;
    if (input->trouble == TROUBLE_READ) {
        feed->fail_at = (size_t) input->at;
        feed->failure = -1;
    }
}

int input_is_trouble(gt_status status)
{
    return status == GT_ERR_NO_MEMORY || status == GT_ERR_LIMIT || status == GT_ERR_IO;
}
