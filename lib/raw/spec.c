/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include <gotrace/wire.h>

#include "source/header.h"
#include "v1/spec.h"
#include "v2/spec.h"

const gt_wire_spec *gt_wire_spec_get(uint32_t version, uint32_t type)
{
    if (!gt_version_is_good(version))
        return NULL;
    return version <= GT_V1_NEWEST ? gt_v1_spec_get(version, type) : gt_v2_spec_get(version, type);
}

const gt_wire_spec *gt_wire_spec_find(uint32_t version, const char *name, size_t size)
{
    if (!name)
        return NULL;
    for (uint32_t type = 0; type < 256; type++) {
        const gt_wire_spec *spec = gt_wire_spec_get(version, type);
        if (spec && strlen(spec->name) == size && memcmp(spec->name, name, size) == 0)
            return spec;
    }
    return NULL;
}
