// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"bufio"
	"fmt"
	"net"
	"sync"
	"time"
)

func init() {
	programs["healthy"] = program{procs: 2, run: healthy}
}

// healthy: a server that answers requests over TCP, with a lock that is held for
// a moment and a goroutine for each connection. It has no fault either way.
func healthy(planted bool, measured map[string]float64) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	var counter struct {
		sync.Mutex
		requests int
	}
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			go answer(conn, func() int {
				counter.Lock()
				defer counter.Unlock()
				counter.requests++
				return counter.requests
			})
		}
	}()
	var wg sync.WaitGroup
	for i := 0; i < 3; i++ {
		wg.Add(1)
		go func() {
			defer wg.Done()
			ask(listener.Addr().String(), 30)
		}()
	}
	wg.Wait()
	listener.Close()
}

func answer(conn net.Conn, count func() int) {
	defer conn.Close()
	lines := bufio.NewScanner(conn)
	for lines.Scan() {
		fmt.Fprintf(conn, "%d: %s\n", count(), lines.Text())
	}
}

func ask(address string, times int) {
	conn, err := net.Dial("tcp", address)
	if err != nil {
		panic(err)
	}
	defer conn.Close()
	lines := bufio.NewScanner(conn)
	for i := 0; i < times; i++ {
		fmt.Fprintf(conn, "hello %d\n", i)
		lines.Scan()
		time.Sleep(time.Millisecond)
	}
}
