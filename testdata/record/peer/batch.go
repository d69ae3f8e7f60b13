// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"encoding/binary"
	"errors"
)

// First bytes of the batches of a trace, as in internal/trace/tracev2.
const (
	eventBatch        = 1
	experimentalBatch = 49
	endOfGeneration   = 52
)

var errCut = errors.New("cut batch")

// batchSize gives the bytes of the batch at the start of data, header included, or errCut
// where data ends before it does.
func batchSize(data []byte) (int, error) {
	at := 1
	switch data[0] {
	case eventBatch:
	case experimentalBatch:
		at++ // The experiment's number.
	default:
		return 0, errors.New("not a batch")
	}
	var size uint64
	for range 4 { // Generation, thread, time, size.
		if at > len(data) {
			return 0, errCut
		}
		v, n := binary.Uvarint(data[at:])
		if n <= 0 {
			return 0, errors.New("malformed number")
		}
		size = v
		at += n
	}
	if size > uint64(len(data)-at) {
		return 0, errCut
	}
	return at + int(size), nil
}
