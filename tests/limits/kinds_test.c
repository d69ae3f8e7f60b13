/* SPDX-License-Identifier: BSD-3-Clause */

/* The hostile traces end as the other tests expect, and error texts are short. */

#include <stdlib.h>

#include "limits/kinds.h"
#include "limits/ways.h"
#include "support/suite.h"

/* The longest text that an error may have. */
#define TEXT_MAX 512

static void run_all(const uint8_t *data, size_t size, uint64_t flags)
{
    for (size_t i = 0; i < way_count; i++) {
        struct way_run run = way_begin(data, size, flags);

        ways[i].run(&run);
        assert_true(run.text <= TEXT_MAX);
    }
}

static void test_hostile_trace_is_what_it_claims(void **state)
{
    const struct kind *kind = *state;
    size_t size;
    uint8_t *data = kinds_write(kind, kind->hostile->n, &size);
    struct way_run strict = way_begin(data, size, 0);
    struct way_run lenient = way_begin(data, size, GT_READER_LENIENT);

    if (size < 60000 || size > 200000)
        fail_msg("%lu bytes are not about 100 KB", (unsigned long) size);
    way_events(&strict);
    assert_status(strict.status, kind->hostile->status);
    if (strict.status != GT_END)
        assert_true(strict.text > 1);
    way_events(&lenient);
    assert_status(lenient.status, GT_END);
    assert_int_equal(lenient.bytes, size);
    run_all(data, size, 0);
    run_all(data, size, GT_READER_LENIENT);
    free(data);
}

int main(void)
{
    struct suite suite = {NULL, 0};
    int failures;

    for (size_t i = 0; i < kinds_count(); i++) {
        struct kind *kind = kinds_new(i);

        suite_add(&suite, kind->hostile->name, test_hostile_trace_is_what_it_claims, kind);
    }
    failures = suite_run(&suite, "kinds");
    suite_free(&suite, free);
    return failures;
}
