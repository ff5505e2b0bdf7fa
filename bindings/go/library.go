// SPDX-License-Identifier: MIT

package tessera

// #cgo CFLAGS: -std=gnu11
// #cgo LDFLAGS: -ldl
// #include "library.h"
import "C"

import (
	"context"
	"sync"
	"unsafe"
)

var library struct {
	once    sync.Once
	problem error
}

// load loads the library at the first use.
func load() error {
	library.once.Do(func() {
		if text := C.tessera_go_load(); text != nil {
			library.problem = &Error{
				Remedy: ErrFixConfiguration.Remedy, Code: CodeLibraryMissing, Message: C.GoString(text),
			}
		}
	})
	return library.problem
}

// pointer returns the address of a NUL-terminated text.
func pointer(text []byte) *C.char { return (*C.char)(unsafe.Pointer(&text[0])) }

// terminated returns a NUL-terminated copy of a text.
func terminated(text string) []byte { return append([]byte(text), 0) }

// first returns the address of the first byte; nil if there is none.
func first(bytes []byte) *C.char {
	if len(bytes) == 0 {
		return nil
	}
	return pointer(bytes)
}

// taken returns a copy of a response, which it frees.
func taken(response *C.char) []byte {
	if response == nil {
		return nil
	}
	text := C.GoString(response)
	C.tessera_go_string_free(response)
	return []byte(text)
}

// cancelled calls a function with a cancellation that the context triggers; nil if the context cannot end.
func cancelled(ctx context.Context, call func(*C.tessera_cancellation) C.tessera_go_result) C.tessera_go_result {
	if ctx.Done() == nil {
		return call(nil)
	}
	cancellation := C.tessera_go_cancellation()
	finished, joined := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(joined)
		select {
		case <-ctx.Done():
			C.tessera_go_cancel(cancellation)
		case <-finished:
		}
	}()
	result := call(cancellation)
	close(finished)
	<-joined
	C.tessera_go_free_cancellation(cancellation)
	return result
}

// called makes a blocking call, which the context cancels.
func called[Result any](
	ctx context.Context, function C.int32_t, request []byte, arguments C.tessera_arguments,
) (*Result, error) {
	if err := load(); err != nil {
		return nil, err
	}
	return finished[Result](ctx, cancelled(ctx, func(cancellation *C.tessera_cancellation) C.tessera_go_result {
		arguments.cancellation = cancellation
		return C.tessera_go_perform(function, pointer(request), arguments)
	}))
}

// finished decodes the result of a blocking call. If the context ended the call, the error is the context's.
func finished[Result any](ctx context.Context, result C.tessera_go_result) (*Result, error) {
	return decoded[Result](ctx, int(result.status), taken(result.response))
}

func decoded[Result any](ctx context.Context, status int, response []byte) (*Result, error) {
	found, err := decode[Result](status, response)
	if ended := ctx.Err(); ended != nil && status == int(C.TESSERA_STATUS_CANCELLED) {
		return nil, ended
	}
	return found, err
}

// Features returns the features that the loaded library contains.
func Features() (*LibraryFeatures, error) {
	return called[LibraryFeatures](context.Background(), C.CALL_FEATURES, terminated(""), C.tessera_arguments{})
}

// DescribeToken decodes a token without validation, for display and debugging.
func DescribeToken(token string) (*TokenDescription, error) {
	return called[TokenDescription](context.Background(), C.CALL_DESCRIBE, terminated(token), C.tessera_arguments{})
}

// FindCaches lists the caches of Microsoft's tools on this machine.
func FindCaches(ctx context.Context, request StoreRequest) (*KnownCaches, error) {
	return called[KnownCaches](ctx, C.CALL_KNOWN_CACHES, encode(&request), C.tessera_arguments{})
}

// HandOverURL delivers a redirect URL that this program was opened with to the pending sign-in of the same user.
func HandOverURL(ctx context.Context, url string) error {
	_, err := called[struct{}](ctx, C.CALL_HAND_OVER_URL, terminated(url), C.tessera_arguments{})
	return err
}
