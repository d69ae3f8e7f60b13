// SPDX-License-Identifier: BSD-3-Clause

// The programs of examples/twins/programs.c in Go: main PROGRAM TRACE. What waits for what does not
// depend on the scheduler: sleeps see to it that others wait first.
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

const items = 10

func nap() {
	time.Sleep(2 * time.Millisecond)
}

func producer(to chan<- int) {
	for i := 0; i < items; i++ {
		nap()
		to <- i
	}
	nap()
	close(to)
}

func square(from <-chan int, to chan<- int) {
	for value := range from {
		to <- value * value
	}
	close(to)
}

func sink(from <-chan int, done chan<- int) {
	sum := 0
	for value := range from {
		sum += value
	}
	done <- sum
}

// Stages that pass values on; each waits for the one before.
func pipeline() {
	numbers, squares, done := make(chan int), make(chan int), make(chan int)
	go producer(numbers)
	go square(numbers, squares)
	go sink(squares, done)
	if sum := <-done; sum != 285 {
		panic("a wrong sum")
	}
}

func worker(mutex *sync.Mutex, group *sync.WaitGroup) {
	mutex.Lock()
	mutex.Unlock()
	nap()
	group.Done()
}

// Several wait for one mutex.
func convoy() {
	var mutex sync.Mutex
	var group sync.WaitGroup
	mutex.Lock()
	for i := 0; i < 4; i++ {
		group.Add(1)
		go worker(&mutex, &group)
	}
	nap()
	mutex.Unlock()
	group.Wait()
}

func job(group *sync.WaitGroup) {
	defer trace.StartRegion(context.Background(), "work").End()
	nap()
	group.Done()
}

// Many jobs at once.
func fan() {
	var group sync.WaitGroup
	for i := 0; i < 12; i++ {
		group.Add(1)
		go job(&group)
	}
	group.Wait()
}

func query(parent context.Context, group *sync.WaitGroup) {
	ctx, task := trace.NewTask(parent, "query")
	trace.WithRegion(ctx, "database", nap)
	trace.Log(ctx, "rows", "3")
	task.End()
	group.Done()
}

func request(group *sync.WaitGroup) {
	ctx, task := trace.NewTask(context.Background(), "request")
	trace.WithRegion(ctx, "handle", func() {
		var queries sync.WaitGroup
		for i := 0; i < 2; i++ {
			queries.Add(1)
			go query(ctx, &queries)
		}
		queries.Wait()
	})
	task.End()
	group.Done()
}

// Requests that make queries, as tasks.
func tree() {
	var group sync.WaitGroup
	for i := 0; i < 3; i++ {
		group.Add(1)
		go request(&group)
	}
	group.Wait()
}

func main() {
	programs := map[string]func(){"pipeline": pipeline, "convoy": convoy, "fan": fan, "tree": tree}
	if len(os.Args) != 3 || programs[os.Args[1]] == nil {
		fmt.Fprintln(os.Stderr, "usage: main pipeline|convoy|fan|tree TRACE")
		os.Exit(2)
	}
	runtime.GOMAXPROCS(2)
	file, err := os.Create(os.Args[2])
	if err != nil {
		panic(err)
	}
	if err := trace.Start(file); err != nil {
		panic(err)
	}
	programs[os.Args[1]]()
	trace.Stop()
	if err := file.Close(); err != nil {
		panic(err)
	}
}
