/* SPDX-License-Identifier: BSD-3-Clause */
#include "web/jsonstring.h"

#include <stdbool.h>
#include <string.h>

#include "base/utf8.h"
#include "web/put.h"

size_t gt_web_utf8_decode(gt_string string, uint32_t *character)
{
    const uint8_t *data = (const uint8_t *) string.data;
    if (data[0] >= 0x80)
        return gt_utf8_decode(data, string.size, character);
    *character = data[0];
    return 1;
}

static char *jsonstring_put_escape(char *to, uint32_t character)
{
    to = gt_web_put_text(to, "\\u");
    for (int shift = 12; shift >= 0; shift -= 4)
        *to++ = "0123456789abcdef"[character >> shift & 15];
    return to;
}

static char *jsonstring_put_short_escape(char *to, uint32_t character)
{
    static const char special[] = "\b\f\n\r\t\"\\", letters[] = "bfnrt\"\\";
    const char *found =
        character != 0 && character < 0x80 ? strchr(special, (int) character) : NULL;
    if (!found)
        return jsonstring_put_escape(to, character);
    *to++ = '\\';
    *to++ = letters[found - special];
    return to;
}

static bool character_is_plain(uint32_t character)
{
    switch (character) {
    case '"':
    case '\\':
    case '<':
    case '>':
    case '&':
    case 0x2028:
    case 0x2029:
        return false;
    default:
        return character >= ' ';
    }
}

/* How many of the first bytes, up to `most`, are plain ASCII, which nearly all texts are. */
static size_t plain_prefix_size(gt_string string, size_t most)
{
    /* A bit for each character, set where character_is_plain says so. */
    static const uint64_t plain[] = {
        ~(UINT64_C(0xffffffff) | UINT64_C(1) << '"' | UINT64_C(1) << '&' | UINT64_C(1) << '<' |
          UINT64_C(1) << '>'),
        ~(UINT64_C(1) << ('\\' - 64)),
    };
    size_t end = string.size < most ? string.size : most, size = 0;
    while (size < end) {
        unsigned char character = (unsigned char) string.data[size];
        if (character >= 0x80 || !(plain[character / 64] >> character % 64 & 1))
            break;
        size++;
    }
    return size;
}

size_t gt_web_jsonstring_escape(gt_string *rest, char *to, size_t room)
{
    char *start = to;
    while (rest->size > 0 && room - (size_t) (to - start) >= GT_WEB_JSONSTRING_STEP) {
        size_t plain = plain_prefix_size(*rest, room - (size_t) (to - start));
        to = gt_web_put_bytes(to, rest->data, plain);
        rest->data += plain;
        rest->size -= plain;
        if (plain > 0)
            continue;
        uint32_t character = 0xfffd;
        size_t length = gt_web_utf8_decode(*rest, &character);
        if (length != 0 && character_is_plain(character))
            to = gt_web_put_bytes(to, rest->data, length);
        else
            to = jsonstring_put_short_escape(to, character);
        length += length == 0;
        rest->data += length;
        rest->size -= length;
    }
    return (size_t) (to - start);
}
