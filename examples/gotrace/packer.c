/* SPDX-License-Identifier: BSD-3-Clause */
#include "packer.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "child.h"
#include "descriptor.h"

/* Runs gzip. Returns whether it has compressed everything. */
static bool packer_run(int from, int to)
{
    char name[] = "gzip", flags[] = "-c";
    char *arguments[] = {name, flags, NULL};
    int status = 0, nothing = open("/dev/null", O_WRONLY | O_CLOEXEC);
    const int streams[CHILD_STREAMS] = {from, to, nothing};
    pid_t child;
    bool is_good = nothing >= 0 && child_start(arguments, streams, &child) == 0 &&
                   child_wait(child, &status) && WIFEXITED(status) && WEXITSTATUS(status) == 0;
    descriptor_close(&nothing);
    return is_good;
}

FILE *packer_gzip(int from)
{
    FILE *packed = lseek(from, 0, SEEK_SET) == 0 ? tmpfile() : NULL;
    if (packed && packer_run(from, fileno(packed)))
        return packed;
    if (packed)
        fclose(packed);
    return NULL;
}
