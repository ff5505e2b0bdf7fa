// SPDX-License-Identifier: MIT

package tessera

// #include <stdlib.h>
// #include <string.h>
// #include "library.h"
import "C"

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"runtime/cgo"
	"strings"
	"time"
	"unsafe"
)

// Host has the callbacks of the host application; nil has the default behaviour. Several goroutines may call them at
// the same time. They must not call the application. A panic counts as a failure of the callback.
type Host struct {
	// Log receives the log messages: the level (1 error to 4 detail) and the text.
	Log func(level int, message string)

	// StoreKey returns the 32 bytes of the key of the store.
	StoreKey func() ([]byte, error)

	// Transport sends the HTTP requests. It must not follow redirects; http.DefaultTransport does not.
	Transport http.RoundTripper
}

// host returns the callbacks of an application.
func host(callbacks C.uintptr_t) Host { return cgo.Handle(callbacks).Value().(Host) }

//export tesseraGoLog
func tesseraGoLog(callbacks C.uintptr_t, level C.int32_t, message *C.char) {
	defer func() { _ = recover() }()
	host(callbacks).Log(int(level), C.GoString(message))
}

//export tesseraGoStoreKey
func tesseraGoStoreKey(callbacks C.uintptr_t, key *C.uint8_t, size C.size_t) (status C.int32_t) {
	status = 1
	defer func() { _ = recover() }()
	found, err := host(callbacks).StoreKey()
	if err == nil && len(found) == int(size) {
		C.memcpy(unsafe.Pointer(key), unsafe.Pointer(&found[0]), size)
		status = 0
	}
	return status
}

//export tesseraGoTransport
func tesseraGoTransport(callbacks C.uintptr_t, text *C.char, exchange *C.tessera_exchange) {
	var request TransportRequest
	if json.Unmarshal([]byte(C.GoString(text)), &request) != nil {
		return
	}
	timeout := time.Duration(request.TimeoutMilliseconds) * time.Millisecond
	ctx, cancel := context.WithTimeout(context.Background(), timeout)
	defer cancel()
	transport := host(callbacks).Transport
	received := make(chan *TransportResponse, 1)
	go func() { received <- send(ctx, transport, request) }()
	ticker := time.NewTicker(50 * time.Millisecond)
	defer ticker.Stop()
	for {
		select {
		case response := <-received:
			encoded := encode(response)
			C.tessera_go_respond(exchange, pointer(encoded))
			return
		case <-ctx.Done():
			// The call ends now, also if the transport ignores its context.
			encoded := encode(&TransportResponse{Error: Ptr(ctx.Err().Error())})
			C.tessera_go_respond(exchange, pointer(encoded))
			return
		// Only this thread may ask whether the request is cancelled.
		case <-ticker.C:
			if C.tessera_go_is_cancelled(exchange) != 0 {
				cancel()
			}
		}
	}
}

// send sends one HTTP request.
func send(ctx context.Context, transport http.RoundTripper, request TransportRequest) (response *TransportResponse) {
	defer func() {
		if recover() != nil {
			response = &TransportResponse{Error: Ptr("the transport of the host application panicked")}
		}
	}()
	prepared, err := http.NewRequestWithContext(ctx, request.Method, request.URL, strings.NewReader(string(request.Body)))
	if err != nil {
		return &TransportResponse{Error: Ptr(err.Error()), Sent: Ptr(false)}
	}
	for _, each := range request.Headers {
		name, value, _ := strings.Cut(each, ":")
		prepared.Header.Set(name, strings.TrimSpace(value))
	}
	received, err := transport.RoundTrip(prepared)
	if err != nil {
		return &TransportResponse{Error: Ptr(err.Error())}
	}
	defer received.Body.Close()
	body, err := io.ReadAll(received.Body)
	if err != nil {
		return &TransportResponse{Error: Ptr(err.Error())}
	}
	response = &TransportResponse{Status: Ptr(int64(received.StatusCode)), Body: Ptr(Secret(body))}
	for name, values := range received.Header {
		for _, value := range values {
			response.Headers = append(response.Headers, name+": "+value)
		}
	}
	return response
}
