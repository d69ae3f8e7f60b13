// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync"
	"time"
)

func init() {
	programs["gc-cpu"] = program{procs: 3, setup: live, run: collectorTime("gc-cpu", garbage)}
	programs["gc-assist"] = program{procs: 4, setup: live, run: collectorTime("gc-assist", assisted)}
	programs["gc-stop-the-world"] = program{procs: 2, setup: waiters, run: stops}
	programs["gc-too-often"] = program{procs: 1, run: cycles}
}

// pointers are a heap that the collector has to mark, in one object.
var pointers []*int

func live(planted bool) {
	debug.SetGCPercent(10)
	pointers = make([]*int, 2<<20)
	for i := range pointers {
		pointers[i] = &numbers[i%len(numbers)]
	}
	runtime.GC()
}

var numbers [1000]int

func seconds(names ...string) float64 {
	samples := make([]metrics.Sample, len(names))
	for i, name := range names {
		samples[i].Name = name
	}
	metrics.Read(samples)
	sum := 0.0
	for _, sample := range samples {
		sum += sample.Value.Float64()
	}
	return sum
}

// collectorTime runs a program that allocates, and measures by the metrics of
// the runtime what the collector took. They are up to date when a cycle ends, for
// which there is time.
func collectorTime(name string, allocate func(bool)) func(bool, map[string]float64) {
	parts := []string{"/cpu/classes/gc/mark/assist:cpu-seconds"}
	if name == "gc-cpu" {
		parts = append(parts, "/cpu/classes/gc/mark/dedicated:cpu-seconds")
	}
	return func(planted bool, measured map[string]float64) {
		before := seconds(parts...)
		allocate(planted)
		time.Sleep(20 * time.Millisecond)
		measured[name] = (seconds(parts...) - before) * 1e9
	}
}

// garbage: one goroutine allocates what it drops again; mended, it uses the same
// memory again.
func garbage(planted bool) {
	buffer := make([]byte, 64<<10)
	for begin := time.Now(); time.Since(begin) < 60*time.Millisecond; {
		if planted {
			buffer = make([]byte, 64<<10)
		}
		buffer[0]++
		spin(100 * time.Microsecond)
	}
}

// assisted: several goroutines allocate faster than the collector marks.
func assisted(planted bool) {
	var wg sync.WaitGroup
	for i := 0; i < 3; i++ {
		wg.Add(1)
		go func() {
			defer wg.Done()
			own := make([]*[100]*int, 10)
			for begin, i := time.Now(), 0; time.Since(begin) < 12*time.Millisecond; i++ {
				place := &own[i%len(own)]
				if planted || *place == nil {
					*place = new([100]*int)
				}
				(*place)[0] = &numbers[i%len(numbers)]
			}
		}()
	}
	wg.Wait()
}

var stacks = make([]byte, 1<<20)

func waiters(planted bool) {
	for i := 0; i < 400; i++ {
		go waitForStop()
	}
	time.Sleep(10 * time.Millisecond)
}

func waitForStop() {
	time.Sleep(time.Hour)
}

// stops: the stacks of all goroutines are printed, for which the world is
// stopped; mended, only its own.
func stops(planted bool, measured map[string]float64) {
	for i := 0; i < 5; i++ {
		time.Sleep(2 * time.Millisecond)
		begin := time.Now()
		runtime.Stack(stacks, planted)
		measured["gc-stop-the-world"] += float64(time.Since(begin))
	}
}

// cycles: buffers are allocated again and again, beside hardly anything that
// lives; mended, one is kept.
func cycles(planted bool, measured map[string]float64) {
	var before, after runtime.MemStats
	buffer := make([]byte, 1<<20)
	runtime.ReadMemStats(&before)
	begin := time.Now()
	for i := 0; i < 200; i++ {
		time.Sleep(time.Millisecond)
		if planted {
			buffer = make([]byte, 1<<20)
		}
		buffer[i]++
	}
	elapsed := time.Since(begin)
	runtime.ReadMemStats(&after)
	if planted {
		measured["gc-too-often"] = float64(after.NumGC-before.NumGC) / elapsed.Seconds()
	}
}
