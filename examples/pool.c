/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * Records a thread pool as an execution trace: pool TRACE. Each thread of the pool is a proc, and
 * each job a goroutine, which first waits in the queue, then runs, and perhaps makes other jobs.
 *
 *     cc pool.c $(pkg-config --cflags --libs gotrace-recorder) -pthread -o pool
 *     ./pool pool.trace && gotrace view pool.trace
 */

#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include <gotrace/recorder.h>

enum {
    THREADS = 3,
    DEPTH = 6
};

/* A job, which makes two others unless its depth is 0. */
struct job {
    gt_rec_go *go;
    int depth;
    struct job *next;
};

static gt_recorder *recorder;
static gt_rec_text job_name;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t wake = PTHREAD_COND_INITIALIZER;
static struct job *queue;
static int jobs_left;

static void must(const char *what, gt_status status)
{
    if (status == GT_OK)
        return;
    fprintf(stderr, "pool: %s: %s\n", what, gt_status_text(status));
    exit(1);
}

static void push(gt_rec_thread *thread, int depth)
{
    struct job *job = malloc(sizeof(*job));
    if (!job)
        exit(1);
    job->depth = depth;
    /* Before another thread can find the job. */
    must("create", gt_rec_go_create(thread, job_name, 0, &job->go));
    pthread_mutex_lock(&lock);
    job->next = queue;
    queue = job;
    jobs_left++;
    pthread_cond_signal(&wake);
    pthread_mutex_unlock(&lock);
}

/* Waits for a job. Returns NULL when all are done. */
static struct job *pop(void)
{
    pthread_mutex_lock(&lock);
    while (!queue && jobs_left > 0)
        pthread_cond_wait(&wake, &lock);
    struct job *job = queue;
    if (job)
        queue = job->next;
    pthread_mutex_unlock(&lock);
    return job;
}

static void run(gt_rec_thread *thread, struct job *job)
{
    volatile unsigned work = 0;
    must("start", gt_rec_go_start(thread, job->go));
    while (work < 200000)
        work++;
    for (int i = 0; i < 2 && job->depth > 0; i++)
        push(thread, job->depth - 1);
    /* What may block keeps its thread, but not its proc. */
    must("begin", gt_rec_syscall_begin(thread));
    nanosleep(&(struct timespec){0, 300000}, NULL);
    must("end", gt_rec_syscall_end(thread));
    must("end", gt_rec_go_end(thread));
    must("release", gt_rec_go_release(&job->go));
    free(job);
    pthread_mutex_lock(&lock);
    if (--jobs_left == 0)
        pthread_cond_broadcast(&wake);
    pthread_mutex_unlock(&lock);
}

static void *pool_thread(void *argument)
{
    gt_rec_proc *proc = argument;
    gt_rec_thread *thread;
    struct job *job;
    must("attach", gt_rec_thread_attach(recorder, &thread));
    while ((job = pop())) {
        /* A thread without work has no proc. */
        must("start", gt_rec_proc_start(thread, proc));
        run(thread, job);
        must("stop", gt_rec_proc_stop(thread));
    }
    gt_rec_thread_detach(&thread);
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t threads[THREADS];
    gt_rec_proc *proc;
    gt_rec_thread *thread;
    int fd = argc == 2 ? open(argv[1], O_CREAT | O_TRUNC | O_WRONLY, 0666) : -1;
    if (fd < 0) {
        fprintf(stderr, "usage: pool TRACE, a file that can be written\n");
        return 2;
    }
    must("open", gt_recorder_open(&recorder, NULL, NULL));
    must("text", gt_recorder_text(recorder, "pool.job", 8, &job_name));
    must("record", gt_recorder_start_fd(recorder, fd, NULL));
    must("attach", gt_rec_thread_attach(recorder, &thread));
    must("proc", gt_rec_proc_create(recorder, THREADS, &proc));
    must("start", gt_rec_proc_start(thread, proc));
    push(thread, DEPTH);
    must("stop", gt_rec_proc_stop(thread));
    for (int i = 0; i < THREADS; i++) {
        must("proc", gt_rec_proc_create(recorder, (uint64_t) i, &proc));
        if (pthread_create(&threads[i], NULL, pool_thread, proc) != 0)
            return 1;
    }
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    must("stop", gt_recorder_stop(recorder, NULL));
    gt_recorder_close(&recorder);
    return close(fd) != 0;
}
