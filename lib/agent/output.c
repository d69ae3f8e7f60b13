/* SPDX-License-Identifier: BSD-3-Clause */
/* For O_CLOEXEC and O_NOFOLLOW. */
#define _GNU_SOURCE

#include "agent/output.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "agent/descriptors.h"

enum {
    REPORT_LINE = AGENT_PATH + 512,
    REPORT_BLOCK = 4096
};

/* The command removes the report when it ends; what has its name afterwards may be another's. */
static int report_open(const struct agent_settings *settings)
{
    struct stat about;
    int fd = open(settings->report, O_RDWR | O_APPEND | O_CLOEXEC | O_NOFOLLOW);
    if (fd >= 0 && (fstat(fd, &about) != 0 || about.st_uid != geteuid())) {
        close(fd);
        fd = -1;
    }
    return fd;
}

/* Adds a line. Nothing can be done where that fails. */
static void report_add(const struct agent_settings *settings, const char *line)
{
    int fd = report_open(settings);
    if (fd < 0)
        return;
    if (write(fd, line, strlen(line)) < 0)
        errno = 0;
    close(fd);
}

void agent_report_failure(const struct agent_settings *settings, const char *what, const char *why)
{
    char line[REPORT_LINE];
    snprintf(line, sizeof(line), "- %s: %s\n", what, why);
    report_add(settings, line);
}

/* What the lines of the report that begin traces tell. */
struct report_count {
    long process;
    size_t traces; /* of all processes, up to the newest of this one */
    size_t own;    /* of this process */
    size_t lines;  /* that begin traces */
    char line[32]; /* the one that is being read */
    size_t size;
};

static void report_count_line(struct report_count *count, const char *line)
{
    if (line[0] != '=')
        return;
    count->lines++;
    if (strtol(line + 1, NULL, 10) != count->process)
        return;
    count->own++;
    count->traces = count->lines;
}

/* Takes the next byte of the report. Only the beginnings of long lines matter. */
static void report_count_byte(struct report_count *count, char byte)
{
    if (byte != '\n') {
        if (count->size < sizeof(count->line) - 1)
            count->line[count->size++] = byte;
        return;
    }
    count->line[count->size] = '\0';
    count->size = 0;
    report_count_line(count, count->line);
}

static void report_count_lines(struct report_count *count, int fd)
{
    char block[REPORT_BLOCK];
    off_t at = 0;
    ssize_t got;
    while ((got = pread(fd, block, sizeof(block), at)) > 0) {
        at += got;
        for (size_t i = 0; i < (size_t) got; i++)
            report_count_byte(count, block[i]);
    }
}

/* Takes a number for a trace of this process. No other has it, unless the command has ended: then
 * it is the id of the process. */
static struct agent_number report_take_number(const struct agent_settings *settings)
{
    char line[32];
    uint64_t process = (uint64_t) getpid();
    struct report_count count = {.process = (long) process};
    int fd = report_open(settings);
    int size = snprintf(line, sizeof(line), "= %ld\n", count.process);
    if (fd >= 0 && write(fd, line, (size_t) size) == size)
        report_count_lines(&count, fd);
    if (fd >= 0)
        close(fd);
    if (count.own == 0)
        return (struct agent_number){process, process, 1};
    return (struct agent_number){process, count.traces, count.own};
}

/*
 * Whoever reads the trace learns what the program does: only its user. A file that was there may
 * have let others read it. It may also be what a symbolic link names, such as /dev/stdout, as the
 * user has chosen the path; devices and pipes keep their modes, and so do files of other users.
 */
static int output_open(const char *path)
{
    struct stat about;
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOCTTY, 0600);
    if (fd >= 0 && fstat(fd, &about) == 0 && S_ISREG(about.st_mode) && (about.st_mode & 077) != 0)
        (void) fchmod(fd, 0600);
    return fd;
}

bool agent_output_open(struct agent_output *output, const struct agent_settings *settings)
{
    char line[REPORT_LINE];
    struct agent_number number = report_take_number(settings);
    output->fd = -1;
    if (!agent_settings_file(settings, &number, output->path)) {
        agent_report_failure(settings, settings->file, "the path is too long");
        return false;
    }
    int fd = output_open(output->path);
    if (fd < 0) {
        agent_report_failure(settings, output->path, strerror(errno));
        return false;
    }
    output->fd = agent_descriptor_move(fd);
    output->number = number.trace;
    snprintf(line, sizeof(line), "> %llu %s\n", (unsigned long long) number.trace, output->path);
    report_add(settings, line);
    return true;
}

void agent_output_close(struct agent_output *output, const struct agent_settings *settings,
                        gt_status status)
{
    char line[REPORT_LINE];
    struct stat about;
    long long size = fstat(output->fd, &about) == 0 ? (long long) about.st_size : 0;
    close(output->fd);
    output->fd = -1;
    snprintf(line, sizeof(line), "+ %llu %lld %d %s\n", (unsigned long long) output->number, size,
             -(int) status, output->path);
    report_add(settings, line);
}

void agent_output_drop(struct agent_output *output, const struct agent_settings *settings,
                       const char *why)
{
    close(output->fd);
    output->fd = -1;
    unlink(output->path);
    agent_report_failure(settings, output->path, why);
}
