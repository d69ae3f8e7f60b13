/* SPDX-License-Identifier: BSD-3-Clause */
#include "utf8.h"

size_t utf8_decode(const char *data, size_t size, uint32_t *character)
{
    const unsigned char *bytes = (const unsigned char *) data;
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    size_t length = bytes[0] < 0x80   ? 1
                    : bytes[0] < 0xc2 ? 0
                    : bytes[0] < 0xe0 ? 2
                    : bytes[0] < 0xf0 ? 3
                                      : 4;
    if (length == 0 || length > size || bytes[0] > 0xf4)
        return 0;
    uint32_t value = length == 1 ? bytes[0] : bytes[0] & (0x7fu >> length);
    for (size_t i = 1; i < length; i++) {
        if ((bytes[i] & 0xc0) != 0x80)
            return 0;
        value = value << 6 | (bytes[i] & 0x3fu);
    }
    if (value < least[length] || value > 0x10ffff || (value >= 0xd800 && value <= 0xdfff))
        return 0;
    *character = value;
    return length;
}
