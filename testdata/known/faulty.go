// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"context"
	"errors"
	"runtime"
	"runtime/debug"
	"runtime/trace"
	"sync"
	"syscall"
	"time"
)

func init() {
	programs["cache-lock"] = cacheLock
	programs["fan-out"] = fanOut
	programs["forgotten-answers"] = forgottenAnswers
	programs["slow-consumer"] = slowConsumer
	programs["noisy-neighbours"] = noisyNeighbours
	programs["small-heap-target"] = smallHeapTarget
	programs["collections-by-hand"] = collectionsByHand
	programs["broadcasts"] = broadcasts
	programs["blocking-reads"] = blockingReads
	programs["one-slow-order"] = oneSlowOrder
}

// cache answers from memory, and asks the database while it holds its lock.
type cache struct {
	mu      sync.Mutex
	entries map[int]int
}

func (c *cache) get(key int) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	if value, ok := c.entries[key]; ok {
		return value
	}
	askDatabase()
	c.entries[key] = key * key
	return c.entries[key]
}

func askDatabase() {
	time.Sleep(4 * time.Millisecond)
}

// cacheLock: handlers of requests wait for each other's questions to the database.
func cacheLock() {
	shared := cache{entries: map[int]int{}}
	var wg sync.WaitGroup
	for handler := 0; handler < 8; handler++ {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for request := 0; request < 12; request++ {
				shared.get(handler*12 + request)
				compute(100 * time.Microsecond)
			}
		}()
	}
	wg.Wait()
}

// fanOut: a goroutine for each element of a slice.
func fanOut() {
	values := make([]int, 800)
	for batch := 0; batch < 10; batch++ {
		var wg sync.WaitGroup
		for i := range values {
			wg.Add(1)
			go func() {
				defer wg.Done()
				values[i]++
			}()
		}
		wg.Wait()
		time.Sleep(2 * time.Millisecond)
	}
}

var errTimeout = errors.New("timeout")

// askWithTimeout gives up after a while, and then nobody takes the answer.
func askWithTimeout(takes time.Duration) error {
	answer := make(chan int)
	go func() {
		time.Sleep(takes)
		answer <- 1
	}()
	select {
	case <-answer:
		return nil
	case <-time.After(4 * time.Millisecond):
		return errTimeout
	}
}

// forgottenAnswers: a third of the answers come too late, and stay for ever.
func forgottenAnswers() {
	for request := 0; request < 120; request++ {
		takes := 2 * time.Millisecond
		if request%3 == 0 {
			takes = 8 * time.Millisecond
		}
		_ = askWithTimeout(takes)
	}
	time.Sleep(100 * time.Millisecond)
}

// slowConsumer: eight producers hand over to a consumer that keeps up with one.
func slowConsumer() {
	items := make(chan int)
	var wg sync.WaitGroup
	for producer := 0; producer < 8; producer++ {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for item := 0; item < 12; item++ {
				time.Sleep(time.Millisecond)
				items <- item
			}
		}()
	}
	go func() {
		wg.Wait()
		close(items)
	}()
	for range items {
		time.Sleep(5 * time.Millisecond)
	}
}

// noisyNeighbours: computations for which there are not enough processors, and
// a short job that has to be done each few milliseconds.
func noisyNeighbours() {
	stop := make(chan struct{})
	var wg sync.WaitGroup
	for i := 0; i < 6*runtime.GOMAXPROCS(0); i++ {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for {
				select {
				case <-stop:
					return
				default:
					compute(time.Millisecond)
				}
			}
		}()
	}
	for i := 0; i < 50; i++ {
		time.Sleep(5 * time.Millisecond)
		compute(50 * time.Microsecond)
	}
	close(stop)
	wg.Wait()
}

// node makes the collector follow pointers.
type node struct {
	next  *node
	value [6]int
}

var kept *node

// smallHeapTarget: the heap may grow by a twentieth, so that it is collected all
// the time.
func smallHeapTarget() {
	defer debug.SetGCPercent(debug.SetGCPercent(5))
	for i := 0; i < 300000; i++ {
		kept = &node{next: kept}
	}
	for begin := time.Now(); time.Since(begin) < 250*time.Millisecond; {
		var list *node
		for i := 0; i < 1000; i++ {
			list = &node{next: list}
		}
	}
	kept = nil
}

// collectionsByHand: each request ends with a collection, "to keep memory low".
func collectionsByHand() {
	for i := 0; i < 40000; i++ {
		kept = &node{next: kept}
	}
	for request := 0; request < 60; request++ {
		compute(time.Millisecond)
		runtime.GC()
	}
	kept = nil
}

// broadcasts: each item wakes all workers, of which one can take it.
func broadcasts() {
	var mu sync.Mutex
	cond := sync.NewCond(&mu)
	items, done := 0, false
	var wg sync.WaitGroup
	for worker := 0; worker < 60; worker++ {
		wg.Add(1)
		go func() {
			defer wg.Done()
			mu.Lock()
			defer mu.Unlock()
			for !done {
				if items > 0 {
					items--
				}
				cond.Wait()
			}
		}()
	}
	for item := 0; item < 40; item++ {
		time.Sleep(5 * time.Millisecond)
		mu.Lock()
		items++
		cond.Broadcast()
		mu.Unlock()
	}
	mu.Lock()
	done = true
	cond.Broadcast()
	mu.Unlock()
	wg.Wait()
}

// blockingReads: reads from descriptors that the runtime does not poll, each of
// which holds a thread until the device answers.
func blockingReads() {
	var wg sync.WaitGroup
	for device := 0; device < 3; device++ {
		var ends [2]int
		if err := syscall.Pipe(ends[:]); err != nil {
			panic(err)
		}
		wg.Add(2)
		go func() {
			defer wg.Done()
			for i := 0; i < 10; i++ {
				time.Sleep(25 * time.Millisecond)
				_, _ = syscall.Write(ends[1], []byte{1})
			}
			_ = syscall.Close(ends[1])
		}()
		go func() {
			defer wg.Done()
			buffer := make([]byte, 1)
			for {
				if n, _ := syscall.Read(ends[0], buffer); n == 0 {
					break
				}
				compute(100 * time.Microsecond)
			}
			_ = syscall.Close(ends[0])
		}()
	}
	wg.Wait()
}

// oneSlowOrder: one of a hundred orders takes fifty times as long as the others.
func oneSlowOrder() {
	for i := 0; i < 100; i++ {
		ctx, task := trace.NewTask(context.Background(), "order")
		trace.WithRegion(ctx, "reserve", func() { compute(200 * time.Microsecond) })
		if i == 60 {
			time.Sleep(80 * time.Millisecond)
		}
		trace.WithRegion(ctx, "confirm", func() { time.Sleep(time.Millisecond) })
		task.End()
	}
}
