// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"net"
	"runtime"
	"runtime/trace"
	"sync"
	"time"
)

func init() {
	programs["line-server"] = lineServer
	programs["pipeline"] = pipeline
	programs["parallel-sum"] = parallelSum
	programs["ticker-job"] = tickerJob
	programs["subscriptions"] = subscriptions
	programs["worker-pool"] = workerPool
	programs["deadlines"] = deadlines
	programs["read-mostly-map"] = readMostlyMap
	programs["json-records"] = jsonRecords
	programs["paced-tasks"] = pacedTasks
}

// lineServer: connections that are kept, and used now and then; two are idle.
func lineServer() {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			go func() {
				defer conn.Close()
				for lines := bufio.NewScanner(conn); lines.Scan(); {
					compute(100 * time.Microsecond)
					fmt.Fprintln(conn, lines.Text())
				}
			}()
		}
	}()
	var wg sync.WaitGroup
	for client := 0; client < 5; client++ {
		wg.Add(1)
		go func() {
			defer wg.Done()
			requests := 60
			if client < 2 {
				requests = 1
			}
			askServer(listener.Addr().String(), requests)
		}()
	}
	wg.Wait()
	listener.Close()
}

func askServer(address string, requests int) {
	conn, err := net.Dial("tcp", address)
	if err != nil {
		panic(err)
	}
	defer conn.Close()
	lines := bufio.NewScanner(conn)
	for i := 0; i < 60; i++ {
		if i < requests {
			fmt.Fprintf(conn, "request %d\n", i)
			lines.Scan()
		}
		time.Sleep(4 * time.Millisecond)
	}
}

// pipeline: three stages with room between them, fed at a pace that they keep.
func pipeline() {
	parsed, checked := make(chan int, 16), make(chan int, 16)
	go func() {
		for i := 0; i < 80; i++ {
			time.Sleep(3 * time.Millisecond)
			parsed <- i
		}
		close(parsed)
	}()
	go func() {
		for value := range parsed {
			compute(200 * time.Microsecond)
			checked <- value
		}
		close(checked)
	}()
	for range checked {
		compute(100 * time.Microsecond)
	}
}

// parallelSum: as many workers as processors, each with a share of the work.
func parallelSum() {
	workers := runtime.GOMAXPROCS(0)
	sums := make([]uint64, workers)
	var wg sync.WaitGroup
	for worker := range sums {
		wg.Add(1)
		go func() {
			defer wg.Done()
			sum := uint64(0)
			for i := 0; i < 100_000_000; i++ {
				sum = sum*31 + uint64(i)
			}
			sums[worker] = sum
		}()
	}
	wg.Wait()
}

// tickerJob: a little work each ten milliseconds, and nothing between.
func tickerJob() {
	ticker := time.NewTicker(10 * time.Millisecond)
	defer ticker.Stop()
	for i := 0; i < 40; i++ {
		<-ticker.C
		compute(300 * time.Microsecond)
	}
}

// subscriptions: ten subscribers, of whose topics two are busy.
func subscriptions() {
	var topics []chan int
	var wg sync.WaitGroup
	for i := 0; i < 10; i++ {
		topic := make(chan int, 4)
		topics = append(topics, topic)
		wg.Add(1)
		go func() {
			defer wg.Done()
			for range topic {
				compute(100 * time.Microsecond)
			}
		}()
	}
	for i := 0; i < 100; i++ {
		time.Sleep(3 * time.Millisecond)
		topics[i%2] <- i
	}
	for _, topic := range topics {
		close(topic)
	}
	wg.Wait()
}

// workerPool: eight workers, most of which have nothing to do.
func workerPool() {
	jobs := make(chan time.Duration, 8)
	var wg sync.WaitGroup
	for worker := 0; worker < 8; worker++ {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for job := range jobs {
				compute(job)
			}
		}()
	}
	for i := 0; i < 60; i++ {
		jobs <- time.Duration(100+i%5*50) * time.Microsecond
		time.Sleep(4 * time.Millisecond)
	}
	close(jobs)
	wg.Wait()
}

// deadlines: requests that end well before their deadline, and a few that give
// up at it, as they should.
func deadlines() {
	for i := 0; i < 60; i++ {
		ctx, cancel := context.WithTimeout(context.Background(), 6*time.Millisecond)
		takes := 3 * time.Millisecond
		if i%20 == 19 {
			takes = 60 * time.Millisecond
		}
		answer := make(chan int, 1)
		go func() {
			select {
			case <-time.After(takes):
				answer <- 1
			case <-ctx.Done():
			}
		}()
		select {
		case <-answer:
		case <-ctx.Done():
		}
		cancel()
	}
}

// readMostlyMap: readers of a map that is changed now and then.
func readMostlyMap() {
	var mu sync.RWMutex
	values := map[int]int{}
	var wg sync.WaitGroup
	for reader := 0; reader < 6; reader++ {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for i := 0; i < 60; i++ {
				mu.RLock()
				_ = values[i]
				mu.RUnlock()
				compute(50 * time.Microsecond)
				time.Sleep(4 * time.Millisecond)
			}
		}()
	}
	for i := 0; i < 20; i++ {
		mu.Lock()
		values[i] = i
		mu.Unlock()
		time.Sleep(10 * time.Millisecond)
	}
	wg.Wait()
}

type record struct {
	Name   string
	Values []float64
}

// jsonRecords: allocates as programs do, with the heap target that they have.
func jsonRecords() {
	state := make([]byte, 16<<20)
	in := record{Name: "temperatures", Values: make([]float64, 200)}
	for i := 0; i < 400; i++ {
		text, err := json.Marshal(in)
		if err != nil {
			panic(err)
		}
		var out record
		if err := json.Unmarshal(text, &out); err != nil {
			panic(err)
		}
		time.Sleep(500 * time.Microsecond)
	}
	runtime.KeepAlive(state)
}

// pacedTasks: tasks of about the same length, three at a time.
func pacedTasks() {
	var wg sync.WaitGroup
	for lane := 0; lane < 3; lane++ {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for i := 0; i < 40; i++ {
				ctx, task := trace.NewTask(context.Background(), "delivery")
				trace.WithRegion(ctx, "load", func() { compute(200 * time.Microsecond) })
				trace.WithRegion(ctx, "drive", func() {
					time.Sleep(time.Duration(3+i%3) * time.Millisecond)
				})
				task.End()
			}
		}()
	}
	wg.Wait()
}
