// SPDX-License-Identifier: BSD-3-Clause

// Peer says what Go's own reader makes of a trace, and rewrites traces. The
// package that it uses is internal to Go, so record.sh builds it as if it were
// a command within Go's source tree.
//
//	peer dump FILE      every event in Go's text form; an error as one line on stderr
//	peer summary FILE   what its summarizer makes of them, as JSON lines
//	peer mmu FILE       the mutator utilisation, as `gotrace mmu` prints it
//	peer to25 IN OUT    rewrites a trace of Go 1.26 in the format of Go 1.25
package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"internal/trace"
	"io"
	"os"
	"strings"
)

func main() {
	var err error
	switch {
	case len(os.Args) == 3 && os.Args[1] == "dump":
		err = dump(os.Args[2])
	case len(os.Args) == 3 && os.Args[1] == "summary":
		err = summary(os.Args[2])
	case len(os.Args) == 3 && os.Args[1] == "mmu":
		err = mmu(os.Args[2])
	case len(os.Args) == 4 && os.Args[1] == "to25":
		err = to25(os.Args[2], os.Args[3])
	default:
		err = errors.New("usage: peer dump FILE | peer summary FILE | peer mmu FILE | " +
			"peer to25 IN OUT")
	}
	if err != nil {
		// Go adds the reader's whole state to some errors, on further lines.
		line, _, _ := strings.Cut(err.Error(), "\n")
		fmt.Fprintln(os.Stderr, line)
		os.Exit(1)
	}
}

func dump(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	r, err := trace.NewReader(bufio.NewReader(f))
	if err != nil {
		return err
	}
	for {
		ev, err := r.ReadEvent()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		fmt.Fprintln(out, ev.String())
	}
}

const headerSize = 16

// to25 changes the header and leaves out the marks that close generations, in
// which alone the two formats differ. A cut batch at the end stays as it is.
func to25(in, out string) error {
	data, err := os.ReadFile(in)
	if err != nil {
		return err
	}
	if !bytes.HasPrefix(data, []byte("go 1.26 trace\x00\x00\x00")) {
		return fmt.Errorf("%s is not a trace of Go 1.26", in)
	}
	result := []byte("go 1.25 trace\x00\x00\x00")
	for at := headerSize; at < len(data); {
		if data[at] == endOfGeneration {
			at++
			continue
		}
		n, err := batchSize(data[at:])
		if err == errCut {
			n = len(data) - at
		} else if err != nil {
			return fmt.Errorf("%s: offset %d: %w", in, at, err)
		}
		result = append(result, data[at:at+n]...)
		at += n
	}
	return os.WriteFile(out, result, 0o666)
}
