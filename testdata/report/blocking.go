// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"sync"
	"sync/atomic"
	"time"
)

func init() {
	programs["blocked-on-lock"] = program{procs: 2, run: blockedOnLock}
	programs["lock-convoy"] = program{procs: 2, run: lockConvoy}
}

// blockedOnLock: one goroutine sleeps while it holds the lock that another one
// needs; mended, it sleeps when it has released it.
func blockedOnLock(planted bool, measured map[string]float64) {
	var mu sync.Mutex
	var wg sync.WaitGroup
	var waited time.Duration
	var done atomic.Bool
	wg.Add(2)
	go func() {
		defer wg.Done()
		holdLock(&mu, planted)
		done.Store(true)
	}()
	go func() {
		defer wg.Done()
		for !done.Load() {
			waited += waitForLock(&mu)
			time.Sleep(100 * time.Microsecond)
		}
	}()
	wg.Wait()
	measured["blocked-on-lock"] = float64(waited)
}

func holdLock(mu *sync.Mutex, planted bool) {
	for i := 0; i < 20; i++ {
		mu.Lock()
		if planted {
			time.Sleep(3 * time.Millisecond)
		}
		mu.Unlock()
		time.Sleep(time.Millisecond)
	}
}

func waitForLock(mu *sync.Mutex) time.Duration {
	begin := time.Now()
	mu.Lock()
	waited := time.Since(begin)
	mu.Unlock()
	return waited
}

// lockConvoy: workers do their work under one lock and return to it at once;
// mended, each has a lock of its own.
func lockConvoy(planted bool, measured map[string]float64) {
	const workers = 8
	var one sync.Mutex
	var own [workers]sync.Mutex
	var wg sync.WaitGroup
	wg.Add(workers)
	begin := time.Now()
	for i := 0; i < workers; i++ {
		mu := &own[i]
		if planted {
			mu = &one
		}
		go func() {
			defer wg.Done()
			for i := 0; i < 6; i++ {
				inTurn(mu)
			}
		}()
	}
	wg.Wait()
	measured["lock-convoy"] = float64(time.Since(begin))
}

func inTurn(mu *sync.Mutex) {
	mu.Lock()
	defer mu.Unlock()
	time.Sleep(time.Millisecond)
}
