/* SPDX-License-Identifier: BSD-3-Clause */
#include "filter.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include "child.h"

/* Sets the error message. Returns false. */
static bool filter_fail(struct filter *filter, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(filter->error, sizeof(filter->error), format, arguments);
    va_end(arguments);
    return false;
}

bool filter_begin(struct filter *filter)
{
    filter_free(filter);
    filter->is_missing = false;
    filter->error[0] = '\0';
    filter->input = tmpfile();
    return filter->input ||
           filter_fail(filter, "cannot make a temporary file: %s", strerror(errno));
}

static bool filter_wait(struct filter *filter, const char *program, pid_t child, FILE *said)
{
    int status;
    if (!child_wait(child, &status))
        return filter_fail(filter, "cannot wait for %s: %s", program, strerror(errno));
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
        return true;
    child_explain(program, said, status, filter->error, sizeof(filter->error));
    return false;
}

/* Runs the program with files instead of pipes, so that neither process can block on the other. */
static bool filter_run_child(struct filter *filter, char *const arguments[], FILE *printed,
                             FILE *said)
{
    const int streams[CHILD_STREAMS] = {fileno(filter->input), fileno(printed), fileno(said)};
    pid_t child;
    int error = child_start(arguments, streams, &child);
    filter->is_missing = error == ENOENT;
    if (error != 0)
        return filter_fail(filter, "cannot run %s: %s", arguments[0], strerror(error));
    if (!filter_wait(filter, arguments[0], child, said))
        return false;
    filter->output = child_read_file(printed);
    return filter->output || filter_fail(filter, "no memory for what %s says", arguments[0]);
}

bool filter_run(struct filter *filter, char *const arguments[])
{
    FILE *printed = tmpfile(), *said = printed ? tmpfile() : NULL;
    bool is_run = said && fflush(filter->input) == 0 && !ferror(filter->input) &&
                  lseek(fileno(filter->input), 0, SEEK_SET) == 0;
    if (is_run)
        is_run = filter_run_child(filter, arguments, printed, said);
    else
        filter_fail(filter, "cannot write a temporary file: %s", strerror(errno));
    if (said)
        fclose(said);
    if (printed)
        fclose(printed);
    fclose(filter->input);
    filter->input = NULL;
    return is_run;
}

void filter_free(struct filter *filter)
{
    free(filter->output);
    filter->output = NULL;
}
