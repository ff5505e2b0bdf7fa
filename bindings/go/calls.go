// SPDX-License-Identifier: MIT

package tessera

// #include "library.h"
import "C"

import (
	"context"
	"encoding/json"
	"os"
	"runtime"
	"sync"
	"syscall"
)

// event is an event of a non-blocking call.
type event struct {
	isPrompt bool
	status   int
	response []byte
}

// callGroup has the calls of all applications. One goroutine waits for its descriptor in the poller of the runtime.
type callGroup struct {
	once    sync.Once
	problem error
	handle  *C.tessera_call_group

	mutex   sync.Mutex
	waiting map[int64]chan event
	// The events of calls whose start function has not returned yet.
	early map[int64][]event
}

var calls callGroup

// open creates the group at the first use.
func (g *callGroup) open() error {
	g.once.Do(func() {
		g.waiting, g.early = map[int64]chan event{}, map[int64][]event{}
		if _, g.problem = finished[struct{}](context.Background(), C.tessera_go_open(&g.handle)); g.problem != nil {
			return
		}
		// A copy, because the file closes its descriptor.
		descriptor, err := syscall.Dup(int(C.tessera_go_descriptor(g.handle)))
		if err == nil {
			syscall.CloseOnExec(descriptor)
			err = syscall.SetNonblock(descriptor, true)
		}
		var connection syscall.RawConn
		file := os.NewFile(uintptr(descriptor), "tessera_call_group")
		if err == nil {
			connection, err = file.SyscallConn()
		}
		if err != nil {
			g.problem = &Error{Remedy: ErrRetryLater.Remedy, Code: CodeTooManyOpenFiles, Message: err.Error()}
			return
		}
		go func() {
			defer file.Close()
			_ = connection.Read(func(uintptr) bool { return g.dispatch() })
		}()
	})
	return g.problem
}

// dispatch passes all events to their calls. It returns false, so that the poller waits for the next one.
func (g *callGroup) dispatch() bool {
	for {
		next := C.tessera_go_next_event(g.handle)
		if next.kind == C.TESSERA_EVENT_NONE {
			C.tessera_go_string_free(next.response)
			return false
		}
		call := int64(next.call)
		received := event{next.kind == C.TESSERA_EVENT_PROMPT, int(next.status), taken(next.response)}
		g.mutex.Lock()
		if channel, ok := g.waiting[call]; ok {
			g.deliver(call, channel, received)
		} else {
			g.early[call] = append(g.early[call], received)
		}
		g.mutex.Unlock()
	}
}

// deliver passes on an event, with the lock. A prompt is dropped if its function has not returned from many others.
func (g *callGroup) deliver(call int64, channel chan event, received event) {
	if !received.isPrompt {
		delete(g.waiting, call)
	}
	if !received.isPrompt || len(channel) < cap(channel)-1 {
		channel <- received
	}
}

// register returns the channel of the events of a call.
func (g *callGroup) register(call int64) chan event {
	channel := make(chan event, 16)
	g.mutex.Lock()
	defer g.mutex.Unlock()
	g.waiting[call] = channel
	for _, each := range g.early[call] {
		g.deliver(call, channel, each)
	}
	delete(g.early, call)
	return channel
}

// wait returns the result of a call. The context cancels it. Prompts are passed to a function.
func (g *callGroup) wait(ctx context.Context, call int64, prompt func([]byte)) (status int, response []byte) {
	channel, done := g.register(call), ctx.Done()
	isFinished := false
	defer func() {
		if !isFinished {
			// The function has panicked: the call ends without a receiver.
			C.tessera_go_cancel_call(g.handle, C.int64_t(call))
		}
	}()
	for {
		select {
		case <-done:
			C.tessera_go_cancel_call(g.handle, C.int64_t(call))
			done = nil
		case received := <-channel:
			if !received.isPrompt {
				isFinished = true
				return received.status, received.response
			}
			if done == nil && ctx.Err() != nil {
				continue
			}
			prompt(received.response)
		}
	}
}

// begin starts a call. It has no response if that is at hand and equals the known one.
func begin(
	ctx context.Context, a *Application, function C.int32_t, request []byte, known []byte,
) (begun C.tessera_go_result, err error) {
	if err = calls.open(); err != nil {
		return begun, err
	}
	if err = ctx.Err(); err != nil {
		return begun, err
	}
	a.mutex.RLock()
	defer a.mutex.RUnlock()
	begun = C.tessera_go_start(
		function, calls.handle, a.handle, pointer(request), first(known), C.size_t(len(known)),
	)
	return begun, nil
}

// finish returns the result of a call that was begun.
func (g *callGroup) finish(
	ctx context.Context, begun C.tessera_go_result, prompt func([]byte),
) (status int, response []byte) {
	status, response = int(begun.status), taken(begun.response)
	if begun.call != 0 {
		status, response = g.wait(ctx, int64(begun.call), prompt)
	}
	return status, response
}

// start starts a call of the group and waits for its result.
func start[Result any](
	ctx context.Context, a *Application, function C.int32_t, r request, prompt func([]byte),
) (*Result, error) {
	// The library calls the host until the call has ended.
	defer runtime.KeepAlive(a)
	begun, err := begin(ctx, a, function, encode(r), nil)
	if err != nil {
		return nil, err
	}
	status, response := calls.finish(ctx, begun, prompt)
	return decoded[Result](ctx, status, response)
}

// AcquireTokenSilent returns a cached token, or refreshes it, without user interaction. The result is shared with
// other calls: do not change it. If the server granted fewer scopes than requested, DeclinedScopes has the others.
func (a *Application) AcquireTokenSilent(ctx context.Context, request SilentRequest) (*TokenResult, error) {
	defer runtime.KeepAlive(a)
	text := encode(&request)
	known := a.results.find(text)
	begun, err := begin(ctx, a, C.START_ACQUIRE_TOKEN_SILENT, text, known.response)
	if err != nil {
		return nil, err
	}
	if begun.call == 0 && begun.status == C.TESSERA_STATUS_OK && begun.response == nil {
		return known.result, nil
	}
	status, response := calls.finish(ctx, begun, nil)
	result, err := decoded[TokenResult](ctx, status, response)
	if err == nil && status == 0 && begun.call == 0 {
		a.results.insert(text, cachedResult{response, result})
	}
	return result, err
}

// AcquireTokenByDeviceCode signs a user in on another device: it passes a code to the prompt function, and waits until
// the user enters it (RFC 8628).
func (a *Application) AcquireTokenByDeviceCode(
	ctx context.Context, request DeviceCodeRequest, prompt func(DeviceCodePrompt),
) (*TokenResult, error) {
	return start[TokenResult](
		ctx, a, C.START_ACQUIRE_TOKEN_BY_DEVICE_CODE, &request, prompting(prompt),
	)
}

// AcquireTokenInteractive signs a user in with a browser. The prompt function receives the address of the sign-in page;
// it is nil if the program cannot show an address, and the call then fails at once without a browser.
func (a *Application) AcquireTokenInteractive(
	ctx context.Context, request InteractiveCallRequest, prompt func(SignInPrompt),
) (*TokenResult, error) {
	if prompt == nil && request.ShowsAddress == nil {
		request.ShowsAddress = Ptr(false)
	}
	return start[TokenResult](
		ctx, a, C.START_ACQUIRE_TOKEN_INTERACTIVE, &request, prompting(prompt),
	)
}

// prompting returns a function that decodes a prompt.
func prompting[Prompt any](prompt func(Prompt)) func([]byte) {
	return func(text []byte) {
		var decoded Prompt
		if prompt != nil && json.Unmarshal(text, &decoded) == nil {
			prompt(decoded)
		}
	}
}

// cachedResult is a decoded response.
type cachedResult struct {
	response []byte
	result   *TokenResult
}

// resultCache has the decoded responses of silent requests, by the text of the request.
type resultCache struct {
	mutex   sync.RWMutex
	entries map[string]cachedResult
}

// The cache is emptied when it is full.
const cacheLimit = 1000

func (c *resultCache) find(request []byte) cachedResult {
	c.mutex.RLock()
	defer c.mutex.RUnlock()
	return c.entries[string(request)]
}

func (c *resultCache) insert(request []byte, result cachedResult) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if c.entries == nil || len(c.entries) >= cacheLimit {
		c.entries = map[string]cachedResult{}
	}
	c.entries[string(request)] = result
}
