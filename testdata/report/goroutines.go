// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"runtime"
	"time"
)

func init() {
	programs["goroutine-stuck"] = program{procs: 2, setup: stuckSetup, run: stuck}
	programs["goroutine-growth"] = program{procs: 2, run: growth}
}

const stuckCount = 25

var (
	results = make(chan int)
	stop    = make(chan bool)
)

// stuck: goroutines send results that nobody takes any more; mended, somebody
// does.
func stuckSetup(planted bool) {
	for i := 0; i < stuckCount; i++ {
		go sendResult(i)
	}
	time.Sleep(10 * time.Millisecond)
}

func sendResult(i int) {
	results <- i
}

func stuck(planted bool, measured map[string]float64) {
	for i := 0; i < stuckCount; i++ {
		time.Sleep(2 * time.Millisecond)
		if !planted {
			<-results
		}
	}
	if planted {
		measured["goroutine-stuck"] = stuckCount
	}
}

// growth: each request leaves a goroutine behind, which waits for a stop that
// never comes; mended, it also has a timeout.
func growth(planted bool, measured map[string]float64) {
	before := runtime.NumGoroutine()
	for i := 0; i < 200; i++ {
		startRequest(planted)
		time.Sleep(300 * time.Microsecond)
	}
	measured["goroutine-growth"] = float64(runtime.NumGoroutine() - before)
}

func startRequest(planted bool) {
	timeout := make(<-chan time.Time)
	if !planted {
		timeout = time.After(3 * time.Millisecond)
	}
	go func() {
		select {
		case <-stop:
		case <-timeout:
		}
	}()
}
