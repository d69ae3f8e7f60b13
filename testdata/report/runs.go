// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"bytes"
	"os"
	"sync"
	"syscall"
	"time"
)

func init() {
	programs["slow-syscall"] = program{procs: 2, run: slowCalls}
	programs["long-run"] = program{procs: 1, setup: longSetup, run: longRun}
	programs["goroutine-churn"] = program{procs: 2, run: churn}
}

// slowCalls: a pipe is read by system calls that block; mended, it is read
// through the poller.
func slowCalls(planted bool, measured map[string]float64) {
	var fds [2]int
	if err := syscall.Pipe(fds[:]); err != nil {
		panic(err)
	}
	read := func(b []byte) { readPipe(fds[0], b) }
	if !planted {
		syscall.SetNonblock(fds[0], true)
		file := os.NewFile(uintptr(fds[0]), "pipe")
		defer file.Close()
		read = func(b []byte) { file.Read(b) }
	}
	const times = 25
	list := make(chan []time.Duration)
	go func() {
		list <- readTimes(read, times)
	}()
	for i := 0; i < times; i++ {
		time.Sleep(15 * time.Millisecond)
		syscall.Write(fds[1], []byte{1})
	}
	all := <-list
	if planted {
		measured["slow-syscall"] = p99(all)
	}
}

func readTimes(read func([]byte), times int) []time.Duration {
	var list []time.Duration
	buffer := make([]byte, 1)
	for i := 0; i < times; i++ {
		begin := time.Now()
		read(buffer)
		list = append(list, time.Since(begin))
	}
	return list
}

func readPipe(fd int, buffer []byte) {
	syscall.Read(fd, buffer)
}

var document []byte

func longSetup(planted bool) {
	document = bytes.Repeat([]byte("a"), 128<<20)
}

// longRun: a large document is searched by one call, within which the runtime
// cannot interrupt the goroutine; mended, it is searched in pieces.
func longRun(planted bool, measured map[string]float64) {
	work := make(chan int, 1)
	done := make(chan bool)
	go func() {
		for range work {
			done <- true
		}
	}()
	var longest time.Duration
	for i := 0; i < 3; i++ {
		time.Sleep(time.Millisecond)
		work <- i
		piece := 1 << 20
		if planted {
			piece = len(document)
		}
		if took := search(document, piece); took > longest {
			longest = took
		}
		<-done
	}
	close(work)
	if planted {
		measured["long-run"] = float64(longest)
	}
}

// search returns how long it took.
func search(document []byte, piece int) time.Duration {
	begin := time.Now()
	for len(document) > 0 {
		if bytes.Contains(document[:piece], []byte("aaaaaaab")) {
			panic("found")
		}
		document = document[piece:]
		if len(document) > 0 {
			time.Sleep(time.Microsecond)
		}
	}
	return time.Since(begin)
}

// churn: each small job gets a goroutine of its own; mended, one goroutine does
// them all.
func churn(planted bool, measured map[string]float64) {
	const jobs = 1500
	var wg sync.WaitGroup
	brief := 0
	begin := time.Now()
	job := func() {
		begin := time.Now()
		sink++
		if time.Since(begin) < 10*time.Microsecond {
			brief++
		}
		wg.Done()
	}
	for i := 0; i < jobs; i++ {
		wg.Add(1)
		if planted {
			startJob(job)
		} else {
			job()
		}
		wg.Wait()
		spin(30 * time.Microsecond)
	}
	if planted {
		measured["goroutine-churn"] = float64(brief) / time.Since(begin).Seconds()
	}
}

func startJob(job func()) {
	go job()
}
