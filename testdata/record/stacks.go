// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"io"
	"runtime"
	"runtime/pprof"
	"sync"
	"time"
)

//go:noinline
func recurse(n int, f func()) {
	if n == 0 {
		f()
		return
	}
	recurse(n-1, f)
}

// Small enough to be inlined, each into the next.
func inlined1()    { runtime.Gosched() }
func inlined2()    { inlined1() }
func inlined3()    { inlined2() }
func (pair) rest() { inlined3() }

type pair struct{}

type rester interface{ rest() }

//go:noinline
func generic[T rester](v T) { v.rest() }

// stacks: deep ones, around the format's limit of 128 frames; inlined functions,
// methods, closures, generic functions; one place by several ways.
func stacks() {
	for _, n := range []int{1, 2, 63, 122, 123, 124, 125, 126, 127, 128, 129, 400} {
		recurse(n, runtime.Gosched)
	}
	inlined3()
	generic(pair{})
	rester(pair{}).rest()
	func() { func() { inlined1() }() }()
	for i := 0; i < 3; i++ {
		recurse(i, inlined2)
	}
	var once sync.Once
	once.Do(inlined3)
	var wg sync.WaitGroup
	wg.Add(2)
	go func() { defer wg.Done(); recurse(3, func() { panicking() }) }()
	go recurse(130, wg.Done)
	wg.Wait()
}

func panicking() {
	defer func() {
		if recover() != nil {
			inlined3()
		}
	}()
	panic("recovered")
}

//go:noinline
func work(end time.Time) (x int) {
	for time.Now().Before(end) {
		x = step(step(step(x)))
	}
	return x
}

func step(x int) int { return x*7 + 3 }

// cpuSamples: samples of a CPU profile, of goroutines at work and of the runtime.
func cpuSamples() {
	runtime.SetCPUProfileRate(400)
	// Complains of the rate, which it cannot change any more, and goes on.
	check(pprof.StartCPUProfile(io.Discard))
	end := time.Now().Add(40 * time.Millisecond)
	var wg sync.WaitGroup
	for i := 0; i < 3; i++ {
		wg.Add(1)
		go func() { defer wg.Done(); work(end) }()
	}
	recurse(20, func() { work(end) })
	wg.Wait()
	kept[0] = grow(nil, 50000)
	kept[0] = nil
	pprof.StopCPUProfile()
}
