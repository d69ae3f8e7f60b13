// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"runtime/trace"
	"strconv"
	"syscall"
	"time"
	"unsafe"
)

func init() {
	programs["cpu-idle-with-work"] = program{procs: 2, setup: pin, run: pinned}
	programs["throttled"] = program{procs: 1, run: throttled}
	programs["suspended"] = program{procs: 1, run: suspended}
	programs["trace-health"] = program{procs: 2, run: flood}
}

// pin lets all threads of the program run on one processor only, although
// GOMAXPROCS is 2, where this one comes first; mended, they may run on all.
func pin(planted bool) {
	runtime.LockOSThread()
	if !planted {
		return
	}
	var all, one [16]uint64
	must(syscall.SYS_SCHED_GETAFFINITY, 0, unsafe.Sizeof(all), uintptr(unsafe.Pointer(&all)))
	for i, mask := range all {
		if mask != 0 {
			one[i] = mask & -mask
			break
		}
	}
	tasks, err := os.ReadDir("/proc/self/task")
	if err != nil {
		panic(err)
	}
	for _, task := range tasks {
		thread, _ := strconv.Atoi(task.Name())
		must(syscall.SYS_SCHED_SETAFFINITY, uintptr(thread), unsafe.Sizeof(one),
			uintptr(unsafe.Pointer(&one)))
		if thread != syscall.Gettid() {
			must(syscall.SYS_SETPRIORITY, syscall.PRIO_PROCESS, uintptr(thread), 19)
		}
	}
}

func must(call, a, b, c uintptr) {
	if _, _, errno := syscall.RawSyscall(call, a, b, c); errno != 0 {
		panic(errno)
	}
}

// pinned: a goroutine asks another one and computes on, for which there is
// another proc, but no processor.
func pinned(planted bool, measured map[string]float64) {
	work, done := make(chan time.Time), make(chan time.Duration, 1)
	go func() {
		for asked := range work {
			done <- time.Since(asked)
		}
	}()
	var idle time.Duration
	for i := 0; i < 40; i++ {
		time.Sleep(time.Millisecond)
		askWorker(work)
		spin(6 * time.Millisecond)
		if late := <-done - 100*time.Microsecond; late > 0 {
			idle += late
		}
	}
	close(work)
	if planted {
		measured["cpu-idle-with-work"] = float64(idle)
	}
}

func askWorker(work chan<- time.Time) {
	work <- time.Now()
}

const (
	period = 100 * time.Millisecond
	quota  = 50 * time.Millisecond
)

// throttle stops a process in a part of each period, as the kernel does if a
// control group has used up its quota.
func throttle(process int) {
	start := time.Now()
	for i := time.Duration(0); i < 5; i++ {
		time.Sleep(time.Until(start.Add(i*period + quota)))
		syscall.Kill(process, syscall.SIGSTOP)
		time.Sleep(time.Until(start.Add((i + 1) * period)))
		syscall.Kill(process, syscall.SIGCONT)
	}
}

// suspend stops a process once, as Ctrl-Z and a debugger do.
func suspend(process int) {
	time.Sleep(quota)
	syscall.Kill(process, syscall.SIGSTOP)
	time.Sleep(4 * period)
	syscall.Kill(process, syscall.SIGCONT)
}

// throttled: the program is stopped again and again, and notes how long; mended,
// it is not.
func throttled(planted bool, measured map[string]float64) {
	if stopped := work(planted, "-throttle"); planted {
		measured["throttled"] = float64(stopped)
	}
}

// suspended: the program is stopped once; mended, it is not.
func suspended(planted bool, measured map[string]float64) {
	if stopped := work(planted, "-suspend"); planted {
		measured["suspended"] = float64(stopped)
	}
}

// work computes for a while, if planted beside a child that stops it, and notes
// for how long that was.
func work(planted bool, option string) time.Duration {
	if planted {
		child := exec.Command(os.Args[0], option, fmt.Sprint(os.Getpid()))
		if err := child.Start(); err != nil {
			panic(err)
		}
		defer child.Wait()
	}
	var stopped time.Duration
	last := time.Now()
	for begin := last; time.Since(begin) < 6*period; {
		spin(500 * time.Microsecond)
		trace.Log(context.Background(), "", "at work")
		now := time.Now()
		if now.Sub(last) > 25*time.Millisecond {
			stopped += now.Sub(last) - 500*time.Microsecond
		}
		last = now
	}
	return stopped
}

// flood: very many messages are logged; mended, few are.
func flood(planted bool, measured map[string]float64) {
	count := 0
	begin := time.Now()
	time.Sleep(time.Millisecond)
	for time.Since(begin) < 8*time.Millisecond {
		region := trace.StartRegion(context.Background(), "region")
		region.End()
		count += 2
		if planted {
			spin(1500 * time.Nanosecond)
		} else {
			spin(100 * time.Microsecond)
		}
	}
	measured["trace-health"] = float64(count) / time.Since(begin).Seconds()
}
