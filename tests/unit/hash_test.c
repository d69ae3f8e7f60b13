/* SPDX-License-Identifier: BSD-3-Clause */

/* The hash, for which no file can choose colliding keys. */

#include "base/hash.h"

#include <string.h>
#include <time.h>

#include "support/test.h"

#define KEYS    4096
#define BUCKETS 8192

/* Returns the number of buckets that keys use which differ from bit `shift` on. */
static size_t buckets_used(uint64_t step, uint64_t secret)
{
    static uint8_t used[BUCKETS];
    size_t count = 0;
    memset(used, 0, sizeof(used));
    for (size_t i = 0; i < KEYS; i++)
        used[gt_hash(i * step, secret) % BUCKETS] = 1;
    for (size_t i = 0; i < BUCKETS; i++)
        count += used[i];
    return count;
}

/* Keys that differ only in a few bits, wherever these are; random keys would fill 3,223 buckets. */
static void test_similar_keys_spread_over_buckets(void **state)
{
    uint64_t secrets[] = {0, 1, UINT64_MAX, 0x7ffe12345678, UINT64_C(0xdeadbeef00000000)};
    (void) state;
    for (size_t i = 0; i < sizeof(secrets) / sizeof(secrets[0]); i++) {
        for (unsigned shift = 0; shift <= 52; shift++)
            assert_in_range(buckets_used(UINT64_C(1) << shift, secrets[i]), 2000, KEYS);
        assert_in_range(buckets_used(UINT64_C(0x9e3779b97f4a7c15), secrets[i]), 2000, KEYS);
        assert_in_range(buckets_used(24, secrets[i]), 2000, KEYS);
    }
}

/* Keys that collide with one secret do not collide with another. */
static void test_collisions_depend_on_the_secret(void **state)
{
    uint64_t home = gt_hash(0, 1) % BUCKETS, x;
    size_t colliding = 0, still = 0;
    (void) state;
    for (x = 0; x < 4000000; x++) {
        if (gt_hash(x, 1) % BUCKETS != home)
            continue;
        colliding++;
        still += gt_hash(x, 2) % BUCKETS == gt_hash(0, 2) % BUCKETS;
    }
    assert_in_range(colliding, 300, 700);
    assert_in_range(still, 1, 10);
}

/* The same address gives another secret as soon as time has passed. */
static void test_each_secret_is_different(void **state)
{
    const struct timespec pause = {0, 2000000};
    uint64_t secrets[10];
    (void) state;
#ifdef FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION
    skip();
#endif
    for (size_t i = 0; i < 10; i++) {
        secrets[i] = gt_hash_secret(&secrets);
        for (size_t k = 0; k < i; k++)
            assert_int_not_equal(secrets[i], secrets[k]);
        nanosleep(&pause, NULL);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_similar_keys_spread_over_buckets),
        cmocka_unit_test(test_collisions_depend_on_the_secret),
        cmocka_unit_test(test_each_secret_is_different),
    };
    return cmocka_run_group_tests_name("hash", tests, NULL, NULL);
}
