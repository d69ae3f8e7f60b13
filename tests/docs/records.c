/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Prints the events that the library knows, a line for each version and type: version, type,
 * name, and how many arguments there are besides time and number of the event.
 */
#include <stdio.h>

#include <gotrace/wire.h>

static void print_events(uint32_t version)
{
    for (uint32_t type = 0; type < 256; type++) {
        const gt_wire_spec *spec = gt_wire_spec_get(version, type);
        if (!spec || !(spec->flags & GT_WIRE_TIMED))
            continue;
        uint32_t common = version == 5 ? 2 : 1;
        printf("%u %u %s %u\n", version, type, spec->name, spec->argument_count - common);
    }
}

int main(void)
{
    static const uint32_t versions[] = {5, 7, 8, 9, 10, 11, 19, 21, 22, 23, 25, 26};
    for (size_t i = 0; i < sizeof(versions) / sizeof(versions[0]); i++)
        print_events(versions[i]);
    return 0;
}
