/* SPDX-License-Identifier: BSD-3-Clause */
#include "jsonstring.h"

#include "utf8.h"

enum {
    /* The most bytes that one character can become. */
    JSONSTRING_STEP = 8
};

static char *jsonstring_put_escape(char *to, uint32_t character)
{
    to = put_text(to, "\\u");
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

static bool jsonstring_is_plain(uint32_t character)
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

/* How many of the first bytes, up to `most`, need no escape. Nearly all strings are plain ASCII. */
static size_t jsonstring_plain_size(gt_string string, size_t most)
{
    /* The results of jsonstring_is_plain, one bit per character. */
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

/*
 * Writes as much as fits into `room` bytes without the quotes, and advances `*rest`. Returns how
 * many bytes it wrote; that is more than 0 if there is room for JSONSTRING_STEP bytes.
 */
static size_t jsonstring_escape(gt_string *rest, char *to, size_t room)
{
    char *start = to;
    while (rest->size > 0 && room - (size_t) (to - start) >= JSONSTRING_STEP) {
        size_t plain = jsonstring_plain_size(*rest, room - (size_t) (to - start));
        to = put_bytes(to, rest->data, plain);
        rest->data += plain;
        rest->size -= plain;
        if (plain > 0)
            continue;
        uint32_t character = 0xfffd;
        size_t length = utf8_decode(rest->data, rest->size, &character);
        if (length != 0 && jsonstring_is_plain(character))
            to = put_bytes(to, rest->data, length);
        else
            to = jsonstring_put_short_escape(to, character);
        length += length == 0;
        rest->data += length;
        rest->size -= length;
    }
    return (size_t) (to - start);
}

void jsonstring_write(struct output *out, gt_string string)
{
    output_text(out, "\"");
    while (string.size > 0) {
        char *to = output_reserve(out, JSONSTRING_STEP);
        output_commit(out, to + jsonstring_escape(&string, to, OUTPUT_SIZE - out->used));
    }
    output_text(out, "\"");
}
