/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Commits the fault that the argument names, to test that a tool finds it. If possible the fault
 * happens in the library.
 */

#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <gotrace/gotrace.h>

#define ROOM 65536

static void *read_events(void *user_data)
{
    const gt_event *event;

    while (gt_reader_next_event(user_data, &event) == GT_OK)
        continue;
    return NULL;
}

/* Reads a trace of which `written` bytes are in memory of `room`, and says that there are ROOM. */
static void read_part(const char *path, size_t written, size_t room)
{
    gt_reader *reader;
    uint8_t *data = malloc(room);
    int fd = open(path, O_RDONLY);
    ssize_t size = data && fd >= 0 ? read(fd, data, written) : 0;

    if (size > 0 && gt_reader_open_memory(&reader, data, ROOM, NULL, NULL) == GT_OK) {
        read_events(reader);
        gt_reader_close(&reader);
    }
    close(fd);
    free(data);
}

/* Uses a reader on two threads, which its header forbids. */
static void share_reader(const char *path)
{
    pthread_t other;
    gt_reader *reader;

    if (gt_reader_open_file(&reader, path, NULL, NULL) != GT_OK)
        return;
    pthread_create(&other, NULL, read_events, reader);
    read_events(reader);
    pthread_join(other, NULL);
    gt_reader_close(&reader);
}

/* Forgets the first of two readers, of which nothing is left on the stack either. */
static void lose_reader(const char *path)
{
    gt_reader *reader;

    for (int i = 0; i < 2; i++) {
        if (gt_reader_open_file(&reader, path, NULL, NULL) != GT_OK)
            return;
        read_events(reader);
    }
    gt_reader_close(&reader);
}

/* Subtracts more from a length than it has, and truncates a number. */
static unsigned wrap(const char *path)
{
    return (unsigned) strlen(path) - 100000;
}

static uint8_t narrow(const char *path)
{
    size_t length = strlen(path) + 256;

    return length;
}

int main(int argc, char **argv)
{
    const char *fault = argc == 3 ? argv[1] : "";

    if (strcmp(fault, "unwritten") == 0)
        read_part(argv[2], ROOM / 8, ROOM);
    else if (strcmp(fault, "shared") == 0)
        share_reader(argv[2]);
    else if (strcmp(fault, "lost") == 0)
        lose_reader(argv[2]);
    else if (strcmp(fault, "outside") == 0)
        read_part(argv[2], ROOM / 64, ROOM / 64);
    else if (strcmp(fault, "wrapped") == 0)
        printf("%u\n", wrap(argv[2]));
    else if (strcmp(fault, "narrowed") == 0)
        printf("%u\n", narrow(argv[2]));
    else
        return 2;
    return 0;
}
