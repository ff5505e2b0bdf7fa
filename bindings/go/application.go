// SPDX-License-Identifier: MIT

package tessera

// #include <stdlib.h>
// #include "library.h"
import "C"

import (
	"context"
	"runtime"
	"runtime/cgo"
	"sync"
	"unsafe"
)

// Application is an OAuth 2.0 public client. Any number of goroutines may use it.
type Application struct {
	// A call holds the lock for reading while the library uses the handle.
	mutex     sync.RWMutex
	handle    *C.tessera_application
	callbacks cgo.Handle
	results   resultCache
}

// NewApplication creates an application. It performs no I/O. The host is nil, or has callbacks.
//
// Close frees the application. Otherwise it is freed some time after its last use.
func NewApplication(configuration Configuration, host *Host) (*Application, error) {
	if err := load(); err != nil {
		return nil, err
	}
	if host == nil {
		host = &Host{}
	}
	application := &Application{callbacks: cgo.NewHandle(*host)}
	text := encode(&configuration)
	result := C.tessera_go_create(
		pointer(text), C.uintptr_t(application.callbacks), flag(host.Log != nil), flag(host.StoreKey != nil),
		flag(host.Transport != nil), &application.handle,
	)
	if _, err := finished[struct{}](context.Background(), result); err != nil {
		application.callbacks.Delete()
		return nil, err
	}
	// Not in the goroutine of all finalizers: the library waits for callbacks that are running.
	runtime.SetFinalizer(application, func(unused *Application) { go unused.Close() })
	return application, nil
}

func flag(condition bool) C.int {
	if condition {
		return 1
	}
	return 0
}

// Close frees the application, after the calls that do not wait for a server have ended. Calls that do continue.
// Calls of a closed application fail with ErrFixRequest.
func (a *Application) Close() error {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	if a.handle != nil {
		runtime.SetFinalizer(a, nil)
		C.tessera_go_free(a.handle)
		a.handle = nil
		a.callbacks.Delete()
	}
	return nil
}

// String returns the type; the application has secrets.
func (a *Application) String() string { return "tessera.Application" }

// GoString returns the type.
func (a *Application) GoString() string { return a.String() }

// perform makes a blocking call, which works offline or takes little time.
func perform[Result any](ctx context.Context, a *Application, function C.int32_t, r request) (*Result, error) {
	return performWithData[Result](ctx, a, function, r, nil)
}

// performWithData makes a blocking call with the contents of a cache.
func performWithData[Result any](
	ctx context.Context, a *Application, function C.int32_t, r request, data []byte,
) (*Result, error) {
	a.mutex.RLock()
	defer a.mutex.RUnlock()
	arguments := C.tessera_arguments{application: a.handle, size: C.size_t(len(data))}
	if data != nil {
		arguments.data = C.CBytes(data)
		defer C.free(arguments.data)
	}
	return called[Result](ctx, function, encode(r), arguments)
}

// CopySignIns copies the accounts and tokens from the store of another application.
func (a *Application) CopySignIns(ctx context.Context, from *Application, request CopyRequest) (*CopyReport, error) {
	// Always in the same order: with a waiting Close of each application, two opposite copies would block each other.
	first, second := a, from
	if uintptr(unsafe.Pointer(a)) > uintptr(unsafe.Pointer(from)) {
		first, second = from, a
	}
	first.mutex.RLock()
	defer first.mutex.RUnlock()
	if first != second {
		second.mutex.RLock()
		defer second.mutex.RUnlock()
	}
	arguments := C.tessera_arguments{application: a.handle, from: from.handle}
	return called[CopyReport](ctx, C.CALL_COPY_SIGN_INS, encode(&request), arguments)
}
