/* SPDX-License-Identifier: BSD-3-Clause */
#include "web/pack.h"

#include <string.h>

#include "base/varint.h"
#include "base/wraps.h"

unsigned char *gt_pack_add(struct gt_pack *pack, size_t size)
{
    pack->failed = pack->failed || gt_mem_reserve(pack->mem, &pack->data, &pack->capacity,
                                                  pack->size + size, 1) != GT_OK;
    if (pack->failed)
        return NULL;
    pack->size += size;
    return pack->data + pack->size - size;
}

void gt_pack_unsigned(struct gt_pack *pack, uint64_t value)
{
    unsigned char bytes[GT_VARINT_MAX];
    gt_pack_raw(pack, bytes, (size_t) (gt_varint_put(bytes, value) - bytes));
}

/*
 * Zigzag encoding makes numbers near 0 short, whatever their sign: 0, -1, 1, -2 become 0, 1, 2,
 * 3.
 */
GT_WRAPS void gt_pack_signed(struct gt_pack *pack, int64_t value)
{
    uint64_t bits = (uint64_t) value << 1;
    gt_pack_unsigned(pack, value < 0 ? ~bits : bits);
}

void gt_pack_raw(struct gt_pack *pack, const void *data, size_t size)
{
    unsigned char *to = gt_pack_add(pack, size);
    if (to && size > 0)
        memcpy(to, data, size);
}

void gt_pack_bytes(struct gt_pack *pack, gt_string bytes)
{
    gt_pack_unsigned(pack, bytes.size);
    gt_pack_raw(pack, bytes.data, bytes.size);
}

void gt_pack_trim(struct gt_pack *pack)
{
    unsigned char *data =
        pack->size > 0 ? gt_mem_realloc(pack->mem, pack->data, pack->capacity, pack->size) : NULL;
    if (!data)
        return;
    pack->data = data;
    pack->capacity = pack->size;
}

void gt_pack_free(struct gt_pack *pack)
{
    gt_mem_free(pack->mem, pack->data, pack->capacity);
    *pack = (struct gt_pack){.mem = pack->mem};
}

uint64_t gt_unpack_unsigned(struct gt_unpack *unpack)
{
    const unsigned char *at = unpack->pack->data + unpack->at;
    uint64_t value = gt_varint_trusted(&at);
    unpack->at = (size_t) (at - unpack->pack->data);
    return value;
}

int64_t gt_unpack_signed(struct gt_unpack *unpack)
{
    uint64_t bits = gt_unpack_unsigned(unpack);
    uint64_t half = bits >> 1;
    return (int64_t) (bits & 1 ? ~half : half);
}

gt_string gt_unpack_bytes(struct gt_unpack *unpack)
{
    size_t size = (size_t) gt_unpack_unsigned(unpack);
    gt_string bytes = {(const char *) unpack->pack->data + unpack->at, size};
    unpack->at += size;
    return bytes;
}
