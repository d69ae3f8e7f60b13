// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

// channels: goroutines that are created, talk over channels and end in every way.
func channels() {
	done := make(chan bool)
	unbuffered := make(chan int)
	go func() {
		for range unbuffered {
		}
		done <- true
	}()
	for i := 0; i < 4; i++ {
		unbuffered <- i
	}
	close(unbuffered)
	<-done

	buffered := make(chan int, 2)
	go func() {
		for i := 0; i < 6; i++ {
			buffered <- i
		}
		close(buffered)
	}()
	time.Sleep(time.Millisecond)
	for range buffered {
	}

	go chain(5, done)
	<-done
	go func() { defer close(done); runtime.Goexit() }()
	<-done

	var never chan int
	go func() { <-never }()
	go func() { never <- 1 }()
	go func() { select {} }()
	runtime.Gosched()
	time.Sleep(time.Millisecond)
}

// chain: each goroutine is created by the one before it.
func chain(n int, done chan<- bool) {
	if n == 0 {
		done <- true
		return
	}
	go chain(n-1, done)
}

// synchronise: the ways to block in package sync, select, and timers.
func synchronise() {
	var mu sync.Mutex
	var rw sync.RWMutex
	var wg sync.WaitGroup
	cond := sync.NewCond(&mu)
	ready := false
	quit := make(chan bool)
	spawn := func(f func()) {
		wg.Add(1)
		go func() { defer wg.Done(); f() }()
	}
	for i := 0; i < 2; i++ {
		spawn(func() { mu.Lock(); time.Sleep(200 * time.Microsecond); mu.Unlock() })
		spawn(func() { rw.RLock(); runtime.Gosched(); rw.RUnlock() })
		spawn(func() { rw.Lock(); time.Sleep(100 * time.Microsecond); rw.Unlock() })
		spawn(func() {
			mu.Lock()
			for !ready {
				cond.Wait()
			}
			mu.Unlock()
		})
		spawn(func() {
			select {
			case <-quit:
			case <-time.After(time.Hour):
			}
		})
	}
	time.Sleep(2 * time.Millisecond)
	mu.Lock()
	ready = true
	cond.Broadcast()
	mu.Unlock()
	close(quit)
	wg.Wait()

	var fired sync.WaitGroup
	fired.Add(1)
	time.AfterFunc(300*time.Microsecond, fired.Done)
	fired.Wait()
	tick := time.NewTicker(300 * time.Microsecond)
	<-tick.C
	<-tick.C
	tick.Stop()
}

// many: more goroutines at a time than a number of one byte can name.
func many() {
	gate := make(chan bool)
	var wg sync.WaitGroup
	for i := 0; i < 250; i++ {
		wg.Add(1)
		go func() { defer wg.Done(); <-gate }()
	}
	time.Sleep(time.Millisecond)
	close(gate)
	wg.Wait()
}

// spin keeps n goroutines running until the returned function is called.
func spin(n int) (stop func()) {
	var over atomic.Bool
	var wg sync.WaitGroup
	for i := 0; i < n; i++ {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for !over.Load() {
			}
		}()
	}
	return func() { over.Store(true); wg.Wait() }
}

// procs: the number of procs goes up and down under goroutines that are
// preempted for want of procs.
func procs() {
	stop := spin(3)
	for _, n := range []int{1, 3, 5, 2} {
		runtime.GOMAXPROCS(n)
		time.Sleep(12 * time.Millisecond)
	}
	stop()
}

// lockedThreads: goroutines that hold on to their threads; one that ends without
// letting go takes its thread along.
func lockedThreads() {
	var wg sync.WaitGroup
	ping, pong := make(chan int), make(chan int)
	wg.Add(2)
	go func() {
		defer wg.Done()
		runtime.LockOSThread()
		for v := range ping {
			pong <- v + 1
		}
		close(pong)
	}()
	go func() {
		defer wg.Done()
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		for i := 0; i < 5; i++ {
			ping <- i
			<-pong
		}
		close(ping)
	}()
	wg.Wait()
	time.Sleep(time.Millisecond)
}
