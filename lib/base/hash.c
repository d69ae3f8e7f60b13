/* SPDX-License-Identifier: BSD-3-Clause */

/* Declares getentropy. */
#define _DEFAULT_SOURCE

#include "base/hash.h"

#include <time.h>
#include <unistd.h>

/* Returns a number that no file can know, even where all addresses and the time can be guessed. */
static uint64_t hash_entropy(void)
{
    uint64_t number = 0;
#ifdef __wasi__
    /* The addresses of WebAssembly are the same in each process, so they are no secret. */
    getentropy(&number, sizeof(number));
#endif
    return number;
}

uint64_t gt_hash_secret(const void *place)
{
#ifdef FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION
    /* What a table does with an input would be new to the fuzzer in each run. */
    (void) place;
    return 1;
#endif
    struct timespec now = {0, 0};
    clock_gettime(CLOCK_MONOTONIC, &now);
    uint64_t time = (uint64_t) now.tv_sec * 1000000000 + (uint64_t) now.tv_nsec;
    return gt_hash(gt_hash((uint64_t) (uintptr_t) place, hash_entropy()), time);
}
