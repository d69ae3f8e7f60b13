/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Compiles only if the public headers are as pins.h says. Layouts have three numbers: for 64 bits,
 * for 32 bits, and for 32 bits with 8-byte numbers aligned to 4, as on i386.
 */
#include <stddef.h>
#include <stdint.h>

#include <gotrace/arrow.h>
#include <gotrace/columns.h>
#include <gotrace/gotrace.h>
#include <gotrace/parquet.h>
#include <gotrace/recorder.h>
#include <gotrace/timeline.h>
#include <gotrace/viewer_json.h>
#include <gotrace/viewer_perfetto.h>
#include <gotrace/web.h>

struct probe {
    char first;
    uint64_t second;
};

#define IS_64            (sizeof(void *) == 8)
#define IS_ALIGNED_TO_8  (offsetof(struct probe, second) == 8)
#define PICK(a, b, c)    (IS_64 ? (a) : IS_ALIGNED_TO_8 ? (b) : (c))
#define IS(type, wanted) __builtin_types_compatible_p(type, wanted)
#define MEMBER(s, m)     ((s *) 0)->m

#define SIZE(type, a, b, c) _Static_assert(sizeof(type) == PICK(a, b, c), "sizeof " #type);
#define FIELD(s, m, type, a, b, c, x, y, z)                                                        \
    _Static_assert(offsetof(s, m) == PICK(a, b, c), "offset of " #s "." #m);                       \
    _Static_assert(sizeof(MEMBER(s, m)) == PICK(x, y, z), "sizeof " #s "." #m);                    \
    _Static_assert(IS(__typeof__(MEMBER(s, m)), type), "type of " #s "." #m);
#define VALUE(name, value)                                                                         \
    _Static_assert((name) == (value) && ((name) < 0) == ((value) < 0), "value of " #name);
#define TEXT(name, value)    _Static_assert(__builtin_strcmp(name, value) == 0, "text of " #name);
#define TYPE(name, type)     _Static_assert(IS(name, type), "type of " #name);
#define FUNCTION(name, type) _Static_assert(IS(__typeof__(name), type), "type of " #name);

#include "pins.h"
