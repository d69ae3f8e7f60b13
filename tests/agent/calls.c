/* SPDX-License-Identifier: BSD-3-Clause */
/* For what glibc has besides POSIX. */
#define _GNU_SOURCE

#include "calls.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <mqueue.h>
#include <netdb.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

/* System calls of the program waits, which need not wait. */

/* Of glibc, in headers only where _FORTIFY_SOURCE is defined. */
ssize_t __pread64_chk(int fd, void *to, size_t size, off64_t at, size_t room);
int __open64_2(const char *path, int flags);

/* Each of these is a system call, also those that the headers hide with large files. */
void calls_files(void)
{
    static char name[] = "waits-XXXXXX";
    char bytes[4] = "abc";
    struct iovec parts[] = {{bytes, 3}};
    int (*plain_open)(const char *, int, ...);
    *(void **) &plain_open = dlsym(RTLD_DEFAULT, "open");
    int folder = open("/tmp", O_TMPFILE | O_RDWR, 0600);
    calls_print("tmpfile", folder >= 0);
    calls_print("pwrite", pwrite(folder, bytes, 3, 0));
    calls_print("writev", pwritev(folder, parts, 1, 3));
    calls_print("pread", pread(folder, bytes, 3, 3));
    calls_print("pread_chk", __pread64_chk(folder, bytes, 3, 0, sizeof(bytes)));
    calls_print("preadv", preadv(folder, parts, 1, 5));
    calls_print("open", plain_open(name, O_RDONLY));
    calls_print("open_2", __open64_2("/dev/null", O_RDONLY) >= 0);
    calls_print("openat", openat(AT_FDCWD, "/dev/null", O_RDONLY) >= 0);
    calls_print("flock", flock(folder, LOCK_EX));
    calls_print("sendfile", sendfile(folder, folder, NULL, 0));
    calls_print("creat", creat("/none/none", 0600));
    close(folder);
}

/* What is asked about files, also as programs call it that are compiled with an old glibc. */
void calls_stats(void)
{
    enum {
        VERSION = 1 /* of struct stat */
    };

    struct stat about;
    struct statx more;
    int (*old_stat)(int, const char *, struct stat *);
    calls_print("stat", stat("/", &about));
    calls_print("lstat", lstat("/none", &about));
    calls_print("fstat", fstat(0, &about));
    calls_print("fstatat", fstatat(AT_FDCWD, "/dev/null", &about, 0));
    calls_print("device", S_ISCHR(about.st_mode));
    calls_print("statx", statx(AT_FDCWD, "/dev/null", 0, STATX_MODE, &more));
    calls_print("device", S_ISCHR(more.stx_mode));
    *(void **) &old_stat = dlsym(RTLD_NEXT, "__xstat64");
    if (old_stat)
        calls_print("__xstat", old_stat(VERSION, "/", &about));
    calls_print("folder", S_ISDIR(about.st_mode));
}

/* Addresses that need no server. */
void calls_addresses(void)
{
    struct addrinfo hints, *found = NULL;
    char name[64] = "";
    memset(&hints, 0, sizeof(hints));
    hints.ai_flags = AI_NUMERICHOST;
    hints.ai_socktype = SOCK_STREAM;
    calls_print("getaddrinfo", getaddrinfo("127.0.0.1", "80", &hints, &found));
    calls_print("getnameinfo", getnameinfo(found->ai_addr, found->ai_addrlen, name, sizeof(name),
                                           NULL, 0, NI_NUMERICHOST));
    calls_print(name, 0);
    freeaddrinfo(found);
    calls_print("gethostbyname", gethostbyname("127.0.0.1")->h_length);
}

/* Locks of files, with the names that programs have for small files, too. */
void calls_locks(void)
{
    struct flock all = {F_WRLCK, SEEK_SET, 0, 0, 0}, none = {F_UNLCK, SEEK_SET, 0, 0, 0};
    int (*plain_fcntl)(int, int, ...);
    int (*plain_lockf)(int, int, off_t);
    *(void **) &plain_fcntl = dlsym(RTLD_DEFAULT, "fcntl");
    *(void **) &plain_lockf = dlsym(RTLD_DEFAULT, "lockf");
    int file = open("/tmp", O_TMPFILE | O_RDWR, 0600);
    calls_print("fcntl", fcntl(file, F_SETLKW, &all));
    calls_print("fcntl", plain_fcntl(file, F_SETLKW, &none));
    /* These are others than those of the process, which they would wait for. */
    calls_print("ofd", fcntl(file, F_OFD_SETLKW, &all));
    calls_print("ofd", plain_fcntl(file, F_OFD_SETLKW, &none));
    calls_print("lockf", lockf(file, F_LOCK, 0));
    calls_print("lockf", plain_lockf(file, F_ULOCK, 0));
    /* Commands with a number, with none, and with a result. */
    int copy = fcntl(file, F_DUPFD_CLOEXEC, 0);
    calls_print("copy", copy >= 0);
    calls_print("flags", fcntl(copy, F_GETFD));
    calls_print("set", plain_fcntl(copy, F_SETFD, 0));
    calls_print("flags", plain_fcntl(copy, F_GETFD));
    calls_print("wrong", fcntl(-1, F_SETLKW, &all));
    close(copy);
    close(file);
}

static void calls_semaphores(void)
{
    struct sembuf up = {0, 1, 0}, down = {0, -1, 0};
    struct timespec soon = {0, 1000000};
    int id = semget(IPC_PRIVATE, 1, 0600);
    calls_print("semop", semop(id, &up, 1));
    calls_print("semop", semop(id, &down, 1));
    calls_print("semtimedop", semtimedop(id, &down, 1, &soon));
    semctl(id, 0, IPC_RMID);
}

static void calls_messages(void)
{
    struct {
        long type;
        char text[4];
    } message = {1, "abc"}, got;

    int id = msgget(IPC_PRIVATE, 0600);
    calls_print("msgsnd", msgsnd(id, &message, sizeof(message.text), 0));
    calls_print("msgrcv", msgrcv(id, &got, sizeof(got.text), 0, 0));
    calls_print("msgrcv", msgrcv(id, &got, sizeof(got.text), 0, IPC_NOWAIT));
    msgctl(id, IPC_RMID, NULL);
}

static void calls_queue(void)
{
    char name[64], text[8] = "";
    struct mq_attr about = {0};
    struct timespec past = {1, 0};
    about.mq_maxmsg = 2;
    about.mq_msgsize = sizeof(text);
    snprintf(name, sizeof(name), "/gotrace-calls-%ld", (long) getpid());
    mqd_t queue = mq_open(name, O_CREAT | O_RDWR, 0600, &about);
    mq_unlink(name);
    calls_print("mq_send", mq_send(queue, "ab", 2, 1));
    calls_print("mq_timedsend", mq_timedsend(queue, "abc", 3, 2, &past));
    calls_print("mq_receive", mq_receive(queue, text, sizeof(text), NULL));
    calls_print("mq_timedreceive", mq_timedreceive(queue, text, sizeof(text), NULL, &past));
    calls_print("mq_timedreceive", mq_timedreceive(queue, text, sizeof(text), NULL, &past));
    mq_close(queue);
}

void calls_ipc(void)
{
    calls_semaphores();
    calls_messages();
    calls_queue();
}
