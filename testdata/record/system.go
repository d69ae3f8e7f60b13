// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"io"
	"net"
	"os"
	"runtime"
	"sync"
	"syscall"
	"time"
)

func nanosleep(d time.Duration) {
	ts := syscall.NsecToTimespec(int64(d))
	check(syscall.Nanosleep(&ts, nil))
}

// systemCalls: short ones, ones long enough for the proc to be taken away, and
// one that ends while all procs are busy.
func systemCalls() {
	old := runtime.GOMAXPROCS(2)
	for i := 0; i < 4; i++ {
		_, err := os.Stat("/")
		check(err)
	}
	var wg sync.WaitGroup
	var fds [2]int
	check(syscall.Pipe(fds[:]))
	wg.Add(2)
	go func() {
		defer wg.Done()
		_, err := syscall.Read(fds[0], make([]byte, 1))
		check(err)
	}()
	stop := spin(2)
	go func() {
		defer wg.Done()
		nanosleep(25 * time.Millisecond)
		_, err := syscall.Write(fds[1], []byte("x"))
		check(err)
	}()
	wg.Wait()
	stop()
	nanosleep(time.Millisecond)
	runtime.GOMAXPROCS(old)
}

// network: an echo over TCP and a pipe, which wait in the network poller.
func network() {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	check(err)
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		server, err := listener.Accept()
		check(err)
		_, err = io.Copy(server, server)
		check(err)
		server.Close()
	}()
	client, err := net.Dial("tcp", listener.Addr().String())
	check(err)
	for i := 0; i < 3; i++ {
		_, err = client.Write([]byte("ping"))
		check(err)
		_, err = io.ReadFull(client, make([]byte, 4))
		check(err)
	}
	client.Close()
	listener.Close()
	wg.Wait()

	r, w, err := os.Pipe()
	check(err)
	time.AfterFunc(time.Millisecond, func() { w.Close() })
	_, err = io.Copy(io.Discard, r)
	check(err)
}
