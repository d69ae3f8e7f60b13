/* SPDX-License-Identifier: BSD-3-Clause */
#include "source/header.h"

#include <string.h>

#include "base/error.h"

/* The header: Go's internal/trace/version/version.go. */

uint32_t gt_header_parse(const uint8_t *header)
{
    static const char start[] = "go 1.";
    static const char end[] = " trace\0\0\0\0";
    uint32_t version = 0;
    unsigned digits = 0;
    if (memcmp(header, start, 5) != 0)
        return 0;
    for (const uint8_t *p = header + 5; digits < 2 && *p >= '0' && *p <= '9'; p++, digits++)
        version = version * 10 + (uint32_t) (*p - '0');
    if (digits == 0 || header[5] == '0' || memcmp(header + 5 + digits, end, 11 - digits) != 0)
        return 0;
    return version;
}

const uint8_t *gt_header_find(const uint8_t *data, const uint8_t *end)
{
    while ((size_t) (end - data) >= GT_HEADER_SIZE) {
        data = memchr(data, 'g', (size_t) (end - data) - GT_HEADER_SIZE + 1);
        if (!data)
            break;
        if (gt_header_parse(data) != 0)
            return data;
        data++;
    }
    return end;
}

gt_status gt_header_is_at(struct gt_source *source, size_t at, bool *is)
{
    *is = false;
    if (source->cur[at] != 'g')
        return GT_OK;
    gt_status status = gt_source_need(source, at + GT_HEADER_SIZE);
    if (status == GT_OK && gt_source_left(source) - at >= GT_HEADER_SIZE)
        *is = gt_header_parse(source->cur + at) != 0;
    return status;
}

void gt_header_write(uint8_t *header, uint32_t version)
{
    memset(header, 0, GT_HEADER_SIZE);
    memcpy(header, "go 1.", 5);
    header += 5;
    if (version >= 10)
        *header++ = (uint8_t) ('0' + version / 10);
    *header++ = (uint8_t) ('0' + version % 10);
    memcpy(header, " trace", 6);
}

bool gt_version_is_good(uint32_t version)
{
    if (version > GT_NEWEST)
        return version < 100;
    static const uint8_t versions[] = {5, 7, 8, 9, 10, 11, 19, 21, 22, 23, 25, 26};
    for (size_t i = 0; i < sizeof(versions); i++) {
        if (versions[i] == version)
            return true;
    }
    return false;
}

gt_status gt_header_refuse(gt_error *error, uint32_t version)
{
    return gt_error_set(error, GT_ERR_VERSION, 0, 0, "traces of Go 1.%u are not supported",
                        (uint64_t) version);
}

gt_status gt_header_refuse_start(gt_error *error, const uint8_t *start, size_t size)
{
    static const char zstd_magic[] = "\x28\xb5\x2f\xfd";
    const char *packer = NULL;
    if (size >= 2 && memcmp(start, "\x1f\x8b", 2) == 0)
        packer = "gzip";
    else if (size >= 4 && memcmp(start, zstd_magic, 4) == 0)
        packer = "zstd";
    if (!packer)
        return gt_error_set(error, GT_ERR_NOT_A_TRACE, 0, 0, "%s",
                            gt_status_text(GT_ERR_NOT_A_TRACE));
    return gt_error_set(
        error, GT_ERR_NOT_A_TRACE, 0, 0,
        "not a Go execution trace: looks like %s; decompress it first, as by %s -dc", packer,
        packer);
}

gt_status gt_header_read(struct gt_source *source, bool allow_newer, uint32_t *version)
{
    gt_status status = gt_source_need(source, GT_HEADER_SIZE);
    if (status != GT_OK)
        return status;
    size_t left = gt_source_left(source);
    uint32_t found = left < GT_HEADER_SIZE ? 0 : gt_header_parse(source->cur);
    if (found == 0)
        return gt_header_refuse_start(source->error, source->cur, left);
    if (!gt_version_is_good(found) || (found > GT_NEWEST && !allow_newer))
        return gt_header_refuse(source->error, found);
    source->cur += GT_HEADER_SIZE;
    *version = found;
    return GT_OK;
}
