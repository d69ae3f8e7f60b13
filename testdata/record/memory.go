// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"io"
	"runtime"
	"runtime/debug"
	"runtime/pprof"
	"sync"
	"time"
)

type node struct {
	next *node
	data [120]byte
}

// kept is what the shapes keep alive, one list a goroutine.
var kept [4]*node

func grow(list *node, n int) *node {
	for i := 0; i < n; i++ {
		list = &node{next: list}
	}
	return list
}

// churn allocates in goroutines, over the collector's head, until each has made
// n nodes.
func churn(n int) {
	var wg sync.WaitGroup
	for i := range kept {
		wg.Add(1)
		go func(i int) {
			defer wg.Done()
			for j := 0; j < n; j += 1000 {
				kept[i] = grow(kept[i], 1000)
			}
		}(i)
	}
	wg.Wait()
}

// collect: the collector's mark phases, with assists, and sweeps. (A call of
// runtime.GC makes thousands of events by yielding until all is swept.)
func collect() {
	debug.SetGCPercent(30)
	churn(6000)
	for i := range kept {
		kept[i] = nil
	}
	debug.SetGCPercent(100)
}

// collectAcross: a heap that takes so long to mark that generations begin within
// a cycle, under goroutines that have to assist.
func collectAcross(path string) error {
	debug.SetGCPercent(-1)
	churn(150000)
	err := record(path, func() {
		debug.SetGCPercent(1)
		churn(3000)
	})
	for i := range kept {
		kept[i] = nil
	}
	return err
}

// stopTheWorld: reasons to stop the world other than a collection's.
func stopTheWorld() {
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	n := runtime.GOMAXPROCS(0)
	runtime.GOMAXPROCS(n + 1)
	runtime.GOMAXPROCS(n)
	runtime.Stack(make([]byte, 4096), true)
	check(pprof.Lookup("goroutine").WriteTo(io.Discard, 0))
	time.Sleep(100 * time.Microsecond)
}
