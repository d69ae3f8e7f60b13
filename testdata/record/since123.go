// SPDX-License-Identifier: BSD-3-Clause

//go:build go1.23

package main

import (
	"iter"
	"runtime"
)

func init() {
	traced["alloc"] = allocations
	traced["coro"] = coroutines
}

func count(n int) iter.Seq[int] {
	return func(yield func(int) bool) {
		for i := 0; i < n && yield(i); i++ {
		}
	}
}

// coroutines: goroutines that switch directly to one another: one that runs to
// its end, one that is stopped, one that never starts, one within another.
func coroutines() {
	next, stop := iter.Pull(count(3))
	for _, ok := next(); ok; _, ok = next() {
	}
	stop()
	next, stop = iter.Pull(count(100))
	next()
	stop()
	_, stop = iter.Pull(count(1))
	stop()
	outer, stopOuter := iter.Pull(func(yield func(int) bool) {
		inner, stopInner := iter.Pull(count(2))
		defer stopInner()
		for v, ok := inner(); ok && yield(v); v, ok = inner() {
		}
	})
	for _, ok := outer(); ok; _, ok = outer() {
	}
	stopOuter()
}

// allocations: objects, stacks and spans that come and go, for the AllocFree experiment.
func allocations() {
	kept[0] = grow(nil, 50)
	kept[0] = nil
	done := make(chan bool)
	go func() { recurse(100, func() { done <- true }) }()
	<-done
	runtime.GC()
}
