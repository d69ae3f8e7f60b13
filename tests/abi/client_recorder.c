/* SPDX-License-Identifier: BSD-3-Clause */
#include "client.h"

/* What is recorded has the times of this run, so only statuses are looked at. */
#ifdef GT_RECORDER_OPTIONS_INIT

struct scene {
    gt_recorder *recorder;
    gt_rec_thread *thread;
    gt_rec_proc *proc;
    gt_rec_text name;
};

static void annotate(struct scene *s)
{
    uint64_t task = 0;
    must("task", gt_rec_task_begin(s->thread, 0, s->name, &task));
    must("region", gt_rec_region_begin(s->thread, task, s->name));
    must("log", gt_rec_log(s->thread, task, 0, "text", 4));
    must("label", gt_rec_go_label(s->thread, s->name));
    must("region", gt_rec_region_end(s->thread));
    must("task", gt_rec_task_end(s->thread, task));
}

static void collect(struct scene *s)
{
    must("procs", gt_rec_procs(s->thread, 1));
    must("collect", gt_rec_gc_begin(s->thread));
    must("stop the world", gt_rec_stw_begin(s->thread, s->name));
    must("go on", gt_rec_stw_end(s->thread));
    must("assist", gt_rec_assist_begin(s->thread));
    must("assist", gt_rec_assist_end(s->thread));
    must("collect", gt_rec_gc_end(s->thread));
    must("sweep", gt_rec_sweep_begin(s->thread));
    must("sweep", gt_rec_sweep_end(s->thread, 2, 1));
    must("heap", gt_rec_heap(s->thread, 1));
    must("goal", gt_rec_heap_goal(s->thread, 2));
}

static void record(struct scene *s)
{
    gt_rec_go *first = NULL, *second = NULL;
    must("attach", gt_rec_thread_attach(s->recorder, &s->thread));
    must("proc", gt_rec_proc_create(s->recorder, 1, &s->proc));
    must("start proc", gt_rec_proc_start(s->thread, s->proc));
    must("create", gt_rec_go_create(s->thread, s->name, 0, &first));
    must("stack", gt_rec_go_stack(first, &first, sizeof(first)));
    must("create blocked", gt_rec_go_create(s->thread, 0, GT_REC_BLOCKED, &second));
    must("start", gt_rec_go_start(s->thread, first));
    must("stop", gt_rec_go_stop(s->thread, GT_REC_YIELD));
    must("start", gt_rec_go_start(s->thread, first));
    must("switch", gt_rec_go_switch(s->thread, second));
    must("switch at the end", gt_rec_go_switch_end(s->thread, first));
    must("release", gt_rec_go_release(&second));
    must("block", gt_rec_go_block(s->thread, GT_REC_SYNC));
    must("unblock", gt_rec_go_unblock(s->thread, first));
    must("start", gt_rec_go_start(s->thread, first));
    must("call", gt_rec_syscall_begin(s->thread));
    must("return", gt_rec_syscall_end(s->thread));
    if (gt_rec_proc_steal(s->thread, s->proc) != GT_STALE || gt_rec_go_id(first) == 0 ||
        gt_rec_thread_self(s->recorder) != s->thread)
        die("recorder", "wrong answers");
    annotate(s);
    collect(s);
    must("end", gt_rec_go_end(s->thread));
    must("release", gt_rec_go_release(&first));
    must("stop proc", gt_rec_proc_stop(s->thread));
    must("release proc", gt_rec_proc_release(&s->proc));
    gt_rec_thread_detach(&s->thread);
}

#ifdef GT_RECORDER_IMPLICIT
/* Threads that have a goroutine of their own. */
static void record_threads(void)
{
    struct scene s = {NULL, NULL, NULL, 0};
    gt_recorder_options options = GT_RECORDER_OPTIONS_INIT;
    gt_rec_go *go = NULL;
    options.flags = GT_RECORDER_NO_THREAD | GT_RECORDER_IMPLICIT | GT_RECORDER_KEEP_PROCS;
    must("recorder", gt_recorder_open(&s.recorder, &options, NULL));
    must("text", gt_recorder_text(s.recorder, "work", 4, &s.name));
    must("attach", gt_rec_thread_attach_as(s.recorder, s.name, &s.thread));
    must("block", gt_rec_go_block(s.thread, GT_REC_SYNC));
    must("resume", gt_rec_go_resume(s.thread));
    must("create", gt_rec_go_create(s.thread, s.name, 0, &go));
    gt_rec_thread_detach(&s.thread);
    must("attach", gt_rec_thread_attach_go(s.recorder, go, &s.thread));
    if (gt_rec_thread_go(s.thread) != go)
        die("recorder", "another goroutine");
    gt_rec_thread_detach(&s.thread);
    gt_recorder_close(&s.recorder);
}
#else
static void record_threads(void)
{
}
#endif

static size_t unwind(void *user_data, uint64_t *pcs, size_t room)
{
    (void) user_data;
    pcs[0] = room;
    return 1;
}

static void name(void *user_data, uint64_t pc, gt_rec_name *out)
{
    if (pc > 0 && !user_data)
        out->function = "caller";
}

void use_recorder(void)
{
    FILLED(gt_error, error, GT_ERROR_INIT);
    FILLED(gt_recorder_info, info, GT_RECORDER_INFO_INIT);
    gt_recorder_window_options window = GT_RECORDER_WINDOW_OPTIONS_INIT;
    gt_recorder_options options = GT_RECORDER_OPTIONS_INIT;
    struct sink sink = {0};
    struct scene s = {NULL, NULL, NULL, 0};
    gt_rec_go *adopted = NULL;
    FILE *file = tmpfile();
    options.flags = GT_RECORDER_NO_THREAD;
    window.min_age = 1000000000;
    window.max_bytes = 1 << 20;
    options.memory_limit = 64 << 20;
    options.period = 1000000000;
    options.stack_depth = GT_REC_STACK_DEPTH_MAX;
    options.unwind = unwind;
    options.name = name;
    must("recorder", gt_recorder_open(&s.recorder, &options, &error.value));
    must("text", gt_recorder_text(s.recorder, "work", 4, &s.name));
    must("adopt", gt_rec_go_adopt(s.recorder, s.name, 0, &adopted));
    must("start", gt_recorder_start(s.recorder, take_bytes, &sink, &error.value));
    record(&s);
    must("advance", gt_recorder_advance(s.recorder));
    must("stop", gt_recorder_stop(s.recorder, &error.value));
    must("info", gt_recorder_get_info(s.recorder, &info.value));
    if (!file || info.value.generations != 2 || info.value.bytes != sink.size)
        die("recorder", "wrong numbers");
    must("start with a file", gt_recorder_start_fd(s.recorder, fileno(file), &error.value));
    must("stop", gt_recorder_stop(s.recorder, &error.value));
    must("window", gt_recorder_window_start(s.recorder, &window, &error.value));
    gt_recorder_window_request(s.recorder);
    gt_rec_sample(s.thread, NULL);
    must("write", gt_recorder_window_write(s.recorder, take_bytes, &sink, &error.value));
    must("write", gt_recorder_window_write_fd(s.recorder, fileno(file), &error.value));
    must("stop", gt_recorder_window_stop(s.recorder));
    gt_recorder_close(&s.recorder);
    record_threads();
    INTACT(gt_error, error);
    INTACT(gt_recorder_info, info);
    fclose(file);
    free(sink.data);
}

#else

void use_recorder(void)
{
}

#endif
