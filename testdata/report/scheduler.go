// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"sort"
	"sync"
	"time"
)

func init() {
	programs["scheduler-latency"] = program{procs: 1, run: latency}
	programs["cpu-saturated"] = program{procs: 2, run: saturated}
}

// latency: whoever wakes the worker computes on, on the only processor; mended,
// it waits for the answer first.
func latency(planted bool, measured map[string]float64) {
	work, done := make(chan time.Time), make(chan time.Duration, 1)
	go func() {
		for asked := range work {
			done <- time.Since(asked)
		}
	}()
	var list []time.Duration
	for i := 0; i < 40; i++ {
		time.Sleep(200 * time.Microsecond)
		work <- time.Now()
		if planted {
			spin(3 * time.Millisecond)
		}
		list = append(list, <-done)
	}
	close(work)
	measured["scheduler-latency"] = p99(list)
}

// saturated: six goroutines compute on two processors; mended, two do as much
// one after the other.
func saturated(planted bool, measured map[string]float64) {
	const jobs = 6
	var wg sync.WaitGroup
	var mu sync.Mutex
	var ends []time.Time
	begin := time.Now()
	compute := func(parts int) {
		defer wg.Done()
		sum(parts)
		mu.Lock()
		ends = append(ends, time.Now())
		mu.Unlock()
	}
	if planted {
		wg.Add(jobs)
		for i := 0; i < jobs; i++ {
			go compute(1)
		}
	} else {
		wg.Add(2)
		for i := 0; i < 2; i++ {
			go compute(jobs / 2)
		}
	}
	wg.Wait()
	if planted {
		sort.Slice(ends, func(i, j int) bool { return ends[i].Before(ends[j]) })
		// From here on there is a processor for each goroutine.
		measured["cpu-saturated"] = float64(ends[jobs-3].Sub(begin))
	}
}

var sink uint64

func sum(parts int) {
	var all uint64
	for i := uint64(0); i < uint64(parts)*25_000_000; i++ {
		all = all*31 + i
	}
	sink += all
}
