// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"context"
	"os"
	"runtime/trace"
	"sync"
	"time"
)

func init() {
	programs["wake-storm"] = program{procs: 2, run: storms}
	programs["blocked-on-channel"] = program{procs: 2, run: channels}
	programs["network-wakeup"] = program{procs: 1, run: bursts}
	programs["task-outlier"] = program{procs: 2, run: tasks}
	programs["region-outlier"] = program{procs: 2, run: regions}
}

// storms: all goroutines are woken for each item, of which one can take it;
// mended, one is woken.
func storms(planted bool, measured map[string]float64) {
	const workers, items = 16, 16
	var mu sync.Mutex
	var wg sync.WaitGroup
	more := sync.NewCond(&mu)
	queue, waiting, storms := 0, 0, 0
	closed := false
	wg.Add(workers)
	for i := 0; i < workers; i++ {
		go func() {
			defer wg.Done()
			mu.Lock()
			defer mu.Unlock()
			for !closed {
				if queue > 0 {
					queue--
				}
				waiting++
				more.Wait()
				waiting--
			}
		}()
	}
	for i := 0; i < items; i++ {
		time.Sleep(2 * time.Millisecond)
		mu.Lock()
		queue++
		ready := waiting
		mu.Unlock()
		if !planted {
			more.Signal()
			continue
		}
		if took := wakeAll(more); took < 100*time.Microsecond && ready > 4*2 {
			storms++
		}
	}
	time.Sleep(2 * time.Millisecond)
	for i := 0; i < workers; i++ {
		mu.Lock()
		closed = true
		mu.Unlock()
		more.Signal()
		time.Sleep(200 * time.Microsecond)
	}
	wg.Wait()
	if planted {
		measured["wake-storm"] = float64(storms)
	}
}

func wakeAll(more *sync.Cond) time.Duration {
	begin := time.Now()
	more.Broadcast()
	return time.Since(begin)
}

// channels: each request asks another goroutine, which is slow now and then;
// mended, it never is.
func channels(planted bool, measured map[string]float64) {
	questions, answers := make(chan int, 1), make(chan int)
	go func() {
		for q := range questions {
			time.Sleep(500 * time.Microsecond)
			if planted && q%5 == 4 {
				time.Sleep(20 * time.Millisecond)
			}
			giveAnswer(answers, q)
		}
	}()
	var waited time.Duration
	done := make(chan bool)
	go func() {
		defer close(done)
		for i := 0; i < 30; i++ {
			_, task := trace.NewTask(context.Background(), "request")
			questions <- i
			waited += waitForAnswer(answers)
			task.End()
			time.Sleep(time.Millisecond)
		}
	}()
	<-done
	close(questions)
	if planted {
		measured["blocked-on-channel"] = float64(waited)
	}
}

func giveAnswer(answers chan<- int, answer int) {
	answers <- answer
}

func waitForAnswer(answers <-chan int) time.Duration {
	begin := time.Now()
	<-answers
	return time.Since(begin)
}

// bursts: messages come for many connections at the same time, each of which
// takes a while; mended, they come one after the other.
func bursts(planted bool, measured map[string]float64) {
	const connections, rounds = 12, 3
	var mu sync.Mutex
	var late []time.Duration
	var ends []*os.File
	var sent [connections]time.Time
	done := make(chan bool, connections)
	for i := 0; i < connections; i++ {
		in, out, err := os.Pipe()
		if err != nil {
			panic(err)
		}
		defer in.Close()
		defer out.Close()
		ends = append(ends, out)
		go func() {
			for readMessage(in) {
				mu.Lock()
				late = append(late, time.Since(sent[i]))
				mu.Unlock()
				spin(3 * time.Millisecond)
				done <- true
			}
		}()
	}
	for round := 0; round < rounds; round++ {
		time.Sleep(time.Millisecond)
		for i, out := range ends {
			sent[i] = time.Now()
			out.Write([]byte{1})
			if !planted {
				<-done
			}
		}
		for i := 0; planted && i < connections; i++ {
			<-done
		}
	}
	if planted {
		measured["network-wakeup"] = p99(late)
	}
}

func readMessage(in *os.File) bool {
	var message [1]byte
	n, _ := in.Read(message[:])
	return n == 1
}

// tasks: some orders take far longer than others; mended, none does.
func tasks(planted bool, measured map[string]float64) {
	var list []time.Duration
	for i := 0; i < 150; i++ {
		list = append(list, order(planted && i%40 == 39))
	}
	if planted {
		measured["task-outlier"] = p99(list)
	}
}

func order(slow bool) time.Duration {
	_, task := trace.NewTask(context.Background(), "order")
	begin := time.Now()
	spin(300 * time.Microsecond)
	if slow {
		time.Sleep(20 * time.Millisecond)
	}
	took := time.Since(begin)
	task.End()
	return took
}

// regions: some steps take far longer than others; mended, none does.
func regions(planted bool, measured map[string]float64) {
	var list []time.Duration
	for i := 0; i < 150; i++ {
		list = append(list, step(planted && i%40 == 39))
	}
	if planted {
		measured["region-outlier"] = p99(list)
	}
}

func step(slow bool) time.Duration {
	region := trace.StartRegion(context.Background(), "step")
	begin := time.Now()
	spin(300 * time.Microsecond)
	if slow {
		time.Sleep(20 * time.Millisecond)
	}
	took := time.Since(begin)
	region.End()
	return took
}
