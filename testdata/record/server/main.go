// SPDX-License-Identifier: BSD-3-Clause

// Server works a little all the time, and lets others trace it: by
// net/http/pprof, and where Go has it, by a flight recorder at /flight. It
// prints the address at which it listens, and ends when its standard input
// does.
package main

import (
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	_ "net/http/pprof"
	"os"
	"time"
)

// work wakes goroutines, so that there is always something to record.
func work() {
	requests := make(chan int)
	for i := 0; i < 4; i++ {
		go func() {
			for n := range requests {
				sum := 0
				for k := 0; k < n; k++ {
					sum += k * k
				}
				_ = make([]byte, 1000+sum%7)
			}
		}()
	}
	for n := 0; ; n++ {
		requests <- n % 10000
		time.Sleep(time.Millisecond)
	}
}

func main() {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	go work()
	startRecorder()
	go func() { log.Fatal(http.Serve(listener, nil)) }()
	fmt.Println(listener.Addr())
	io.Copy(io.Discard, os.Stdin)
}
