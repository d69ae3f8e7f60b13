/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GT_BASE_SIZED_H
#define GT_BASE_SIZED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <gotrace/allocator.h>
#include <gotrace/status.h>

/*
 * Public structures that the caller owns begin with `size_t size`, which the program sets to the
 * size that its headers give. A program may have been built with older or newer headers than this
 * library, so the size tells which members the structure has. Members are only ever appended.
 *
 * The size that the first release gave to a structure is written GT_UP_TO(type, last member of the
 * first release). It is the smallest size that is accepted. The tests compare every offset with the
 * frozen list in tests/abi/pins.h, so no copy of the first release's layout is kept here.
 */

/* The size of `type` when `member` was its last member, without padding at the end. */
#define GT_UP_TO(type, member) (offsetof(type, member) + sizeof(((type *) 0)->member))

/*
 * Copies the caller's structure `in` to `*out`, which has `size` bytes. The caller's must have at
 * least `least` bytes. Members that it lacks are set to zero. Members that only newer headers know
 * must be zero: anything else asks for something that this release cannot do, and is
 * GT_ERR_INVALID_ARGUMENT. The message of `*failure` then names the member, with `prefix` in front,
 * such as "options.", and says what is wrong with it. `failure` may be NULL.
 */
gt_status gt_struct_take_named(void *out, size_t size, size_t least, const void *in,
                               const char *prefix, gt_error *failure);

/*
 * Copies the caller's structure as gt_struct_take_named does, without an explanation of a failure.
 */
static inline gt_status gt_struct_take(void *out, size_t size, size_t least, const void *in)
{
    return gt_struct_take_named(out, size, least, in, NULL, NULL);
}

/*
 * Returns whether the caller's structure, which a function is to fill in, is at least as large as
 * in the first release.
 */
static inline bool gt_struct_fits(const void *out, size_t least)
{
    return out && *(const size_t *) out >= least;
}

/*
 * Copies `in`, of `size` bytes, to the caller's structure, truncated to the caller's size. The
 * caller's `size` member stays as it is.
 */
void gt_struct_give(void *out, const void *in, size_t size);

/*
 * Copies the caller's allocator, all of whose functions must be set. If `in` is NULL, the copy is
 * all zeros, for which gt_mem_init uses malloc. `prefix` and `failure` are those of
 * gt_struct_take_named.
 */
gt_status gt_allocator_take(gt_allocator *out, const gt_allocator *in, const char *prefix,
                            gt_error *failure);

/*
 * Returns whether all bits of `bits`, the value of the member `name`, are in `known`. If not, sets
 * `*failure`.
 */
bool gt_options_bits_are_known(uint64_t bits, uint64_t known, const char *name, gt_error *failure);

/*
 * The description of a type of options for gt_options_take. Every such type begins with `size` and
 * `uint64_t flags`, and has the member `const gt_allocator *allocator`.
 */
struct gt_options_layout {
    size_t size;      /* the size of the type in this release */
    size_t least;     /* the size of the type in the first release */
    size_t allocator; /* the offset of the member `allocator` */
    uint64_t flags;   /* every flag that this release knows */
};

/* The layout of `type`, where `last` was the last member in the first release. */
#define GT_OPTIONS_LAYOUT(type, last, flags)                                                       \
    {                                                                                              \
        sizeof(type), GT_UP_TO(type, last), offsetof(type, allocator), (flags)                     \
    }

/*
 * Reads the options that the caller passed to an open function. `*out` must hold the defaults,
 * which remain if `in` is NULL. `*allocator` becomes a copy of the options' allocator. Returns
 * GT_ERR_INVALID_ARGUMENT if the size or the allocator is invalid or a flag is unknown, and names
 * the member in the message of `*failure`. The caller of this function must validate the other
 * members.
 */
gt_status gt_options_take(void *out, gt_allocator *allocator,
                          const struct gt_options_layout *layout, const void *in,
                          gt_error *failure);

#endif
