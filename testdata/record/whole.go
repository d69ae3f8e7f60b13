// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"runtime/trace"
	"sync"
	"time"
)

// generations: things that last over several generations, whose length is set
// from outside: tasks, regions, a system call, waiting goroutines, and strings
// whose ids change.
func generations() {
	ctx, task := trace.NewTask(context.Background(), "long task")
	region := trace.StartRegion(ctx, "long region")
	gate, out := make(chan bool), make(chan bool)
	var wg sync.WaitGroup
	for i := 0; i < 3; i++ {
		wg.Add(1)
		go func() { defer wg.Done(); <-gate }()
	}
	go func() {
		runtime.LockOSThread()
		defer trace.StartRegion(ctx, "in a system call").End()
		nanosleep(20 * time.Millisecond)
		close(out)
	}()
	for i := 0; i < 6; i++ {
		trace.Log(ctx, fmt.Sprint("category ", i%2), fmt.Sprint("step ", i))
		trace.WithRegion(ctx, fmt.Sprint("region ", 5-i), func() { time.Sleep(3 * time.Millisecond) })
	}
	<-out
	close(gate)
	wg.Wait()
	region.End()
	task.End()
}

// restart: a trace that stops and starts again among live goroutines; the last
// one is kept. A task, a region and a system call began before it.
func restart(path string) error {
	gate := make(chan bool)
	go func() { <-gate }()
	go nanosleep(30 * time.Millisecond)
	stop := spin(1)
	defer stop()
	err := record(path, func() { runtime.Gosched() })
	if err != nil {
		return err
	}
	w, err := os.Create(path)
	if err != nil {
		return err
	}
	if err := trace.Start(w); err != nil {
		return err
	}
	ctx, task := trace.NewTask(context.Background(), "earlier task")
	region := trace.StartRegion(ctx, "earlier region")
	trace.Stop()
	if err := w.Close(); err != nil {
		return err
	}
	return record(path, func() {
		trace.Log(ctx, "category", "in the task of an earlier trace")
		region.End()
		task.End()
		close(gate)
		time.Sleep(time.Millisecond)
	})
}

// exit: the program ends while the trace is on.
func exit() {
	for i := 0; ; i++ {
		done := make(chan bool)
		go func() { time.Sleep(100 * time.Microsecond); close(done) }()
		<-done
		if i == 20 {
			os.Exit(0)
		}
	}
}

// dying is a file whose process dies in the middle of a write, after some bytes.
type dying struct {
	file *os.File
	left int
}

func (d *dying) Write(p []byte) (int, error) {
	if len(p) > d.left {
		d.file.Write(p[:d.left])
		os.Exit(0)
	}
	d.left -= len(p)
	return d.file.Write(p)
}

// cut: the program dies within a write of the trace, some generations on.
func cut(path string) error {
	w, err := os.Create(path)
	if err != nil {
		return err
	}
	if err := trace.Start(&dying{w, 12000}); err != nil {
		return err
	}
	for i := 0; ; i++ {
		trace.Log(context.Background(), "step", fmt.Sprint(i))
		time.Sleep(100 * time.Microsecond)
	}
}

// mix: a server without a network: requests as tasks, workers, a shared lock,
// system calls and garbage, for a trace of some size.
func mix() {
	type request struct {
		ctx   context.Context
		reply chan int
	}
	requests := make(chan request, 4)
	var mu sync.Mutex
	var clients sync.WaitGroup
	for w := 0; w < 4; w++ {
		go func() {
			for r := range requests {
				trace.WithRegion(r.ctx, "serve", func() {
					mu.Lock()
					kept[0] = grow(nil, 200)
					mu.Unlock()
					os.Getwd()
				})
				r.reply <- 1
			}
		}()
	}
	for c := 0; c < 6; c++ {
		clients.Add(1)
		go func(c int) {
			defer clients.Done()
			for i := 0; i < 200; i++ {
				ctx, task := trace.NewTask(context.Background(), fmt.Sprint("client ", c))
				r := request{ctx, make(chan int)}
				requests <- r
				<-r.reply
				trace.Logf(ctx, "answer", "%d", i)
				task.End()
			}
		}(c)
	}
	clients.Wait()
	close(requests)
	kept[0] = nil
}
