// SPDX-License-Identifier: MIT

// The driver of the Go binding; Tests/Runtimes/run describes the commands.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/signal"
	"runtime"
	"strings"
	"sync"
	"time"

	tessera "example.com/tessera/bindings/go"
	"example.com/tessera/bindings/go/azcore"
	"example.com/tessera/bindings/go/oauth2"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"
)

type document = map[string]any

// command is a line of the input.
type command struct {
	Do            string
	Configuration struct {
		ClientID      string `json:"client_id"`
		Authority     *string
		AuthorityType *string `json:"authority_type"`
		Cloud         *string
		Unknown       *string `json:"clientid"`
		LogLevel      *int64  `json:"log_level"`
		Store         struct {
			Directory  *string
			Group      *string
			KeySources []string `json:"key_sources"`
		}
	}
	Request struct {
		Scopes        []string
		HomeAccountID *string `json:"home_account_id"`
		Username      *string
		ForceRefresh  *bool  `json:"force_refresh"`
		Timeout       *int64 `json:"timeout_milliseconds"`
	}
	Transport    *transport
	Asynchronous bool
	CancelAfter  time.Duration `json:"cancel_after_milliseconds"`
	Throws       string
	Interrupt    bool
	Count        int
}

// transport responds to requests without sending them.
type transport struct {
	Status int
	Error  string
	Throws string
}

func (t *transport) RoundTrip(*http.Request) (*http.Response, error) {
	if t.Throws != "" {
		panic(t.Throws)
	}
	if t.Error != "" {
		return nil, errors.New(t.Error)
	}
	return &http.Response{StatusCode: t.Status, Body: io.NopCloser(strings.NewReader(""))}, nil
}

var (
	application *tessera.Application
	mutex       sync.Mutex
	lines       []string
)

func create(given *command) document {
	if given.Configuration.Unknown != nil {
		return document{"skipped": "a structure has no unknown members"}
	}
	var err error
	application, err = made(given)
	return described(nil, err)
}

func made(given *command) (*tessera.Application, error) {
	configuration := tessera.Configuration{
		ClientID: given.Configuration.ClientID, Authority: given.Configuration.Authority,
		AuthorityType: given.Configuration.AuthorityType, Cloud: given.Configuration.Cloud,
		LogLevel: given.Configuration.LogLevel,
		Store: &tessera.StoreOptions{
			Directory: given.Configuration.Store.Directory, Group: given.Configuration.Store.Group,
			KeySources: given.Configuration.Store.KeySources,
		},
	}
	thrown := given.Throws
	host := tessera.Host{Log: func(_ int, message string) {
		if thrown != "" {
			panic(thrown)
		}
		mutex.Lock()
		defer mutex.Unlock()
		lines = append(lines, message)
	}}
	if given.Transport != nil {
		host.Transport = given.Transport
	}
	return tessera.NewApplication(configuration, &host)
}

func timeout(given *command) *time.Duration {
	if given.Request.Timeout == nil {
		return nil
	}
	return tessera.Ptr(time.Duration(*given.Request.Timeout) * time.Millisecond)
}

func silent(ctx context.Context, given *command) document {
	result, err := application.AcquireTokenSilent(ctx, tessera.SilentRequest{
		Scopes: given.Request.Scopes, HomeAccountID: given.Request.HomeAccountID, Username: given.Request.Username,
		ForceRefresh: given.Request.ForceRefresh, Timeout: timeout(given),
	})
	return described(result, err)
}

// asynchronous makes many calls on few threads, and one by each adapter.
func asynchronous(given *command) document {
	result := silent(context.Background(), given)
	given.Request.ForceRefresh = nil
	var group sync.WaitGroup
	for index := 0; index < 200; index++ {
		group.Add(1)
		go func() {
			defer group.Done()
			silent(context.Background(), given)
		}()
	}
	group.Wait()
	source := oauth2.NewTokenSource(context.Background(), application, tessera.SilentRequest{Scopes: given.Request.Scopes})
	credential := azcore.NewCredential(application, tessera.SilentRequest{})
	one, err := source.Token()
	if err != nil || one.AccessToken != result["token"] || one.Expiry.Before(time.Now()) {
		return document{"status": "the token source has another token", "error": fmt.Sprint(err)}
	}
	options := policy.TokenRequestOptions{Scopes: given.Request.Scopes}
	other, err := credential.GetToken(context.Background(), options)
	if err != nil || other.Token != result["token"] || other.ExpiresOn != one.Expiry {
		return document{"status": "the credential has another token", "error": fmt.Sprint(err)}
	}
	return result
}

func deviceCode(given *command) (result document) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if given.CancelAfter > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithCancel(ctx)
		time.AfterFunc(given.CancelAfter*time.Millisecond, cancel)
	}
	defer func() {
		if thrown := recover(); thrown != nil {
			result = document{"thrown": thrown}
		}
	}()
	request := tessera.DeviceCodeRequest{Scopes: given.Request.Scopes, Timeout: timeout(given)}
	token, err := application.AcquireTokenByDeviceCode(ctx, request, func(prompt tessera.DeviceCodePrompt) {
		if given.Throws != "" {
			panic(given.Throws)
		}
		respond(document{"user_code": prompt.UserCode})
	})
	result = described(token, err)
	if given.Interrupt {
		result["interrupted"] = errors.Is(err, context.Canceled)
	}
	return result
}

func deviceCodeOnAThread(given *command) document {
	finished := make(chan document)
	go func() {
		runtime.LockOSThread()
		finished <- deviceCode(given)
	}()
	return <-finished
}

func accounts() document {
	list, err := application.Accounts(context.Background(), tessera.AccountsRequest{})
	result := described(nil, err)
	names := []string{}
	if err == nil {
		for _, each := range list.Accounts {
			names = append(names, each.Username)
		}
	}
	result["usernames"] = names
	return result
}

func described(token *tessera.TokenResult, err error) document {
	var found *tessera.Error
	switch {
	case errors.Is(err, context.Canceled):
		return document{"status": "cancelled", "code": "cancelled"}
	case errors.As(err, &found):
		return document{"status": found.Remedy, "code": found.Code, "claims": found.Claims}
	case err != nil:
		return document{"status": err.Error()}
	case token == nil:
		return document{"status": "ok"}
	}
	status, declined := "ok", token.DeclinedScopes
	if declined == nil {
		declined = []string{}
	} else {
		status = "sign_in"
	}
	return document{
		"status": status, "token": string(token.AccessToken), "source": token.Source,
		"username": token.Account.Username, "declined": declined,
	}
}

func kilobytes() int {
	runtime.GC()
	var size, resident int
	text, _ := os.ReadFile("/proc/self/statm")
	fmt.Sscan(string(text), &size, &resident)
	return resident * os.Getpagesize() / 1024
}

func descriptors() int {
	files, _ := os.ReadDir("/proc/self/fd")
	return len(files)
}

func repeat(given *command) document {
	for index := 0; index < 1000; index++ {
		silent(context.Background(), given)
	}
	before := kilobytes()
	for index := 0; index < given.Count; index++ {
		silent(context.Background(), given)
	}
	result := silent(context.Background(), given)
	result["kilobytes"] = kilobytes() - before
	return result
}

func drop(given *command) (result document) {
	var files, before int
	// The first round has the peak of the memory, which the allocator keeps.
	for round := 0; round < 2; round++ {
		files, before = descriptors(), kilobytes()
		for index := 0; index < given.Count; index++ {
			create(given)
			result = silent(context.Background(), given)
		}
		application = nil
		// Finalizers run some time after a collection.
		for index := 0; index < 600 && descriptors() > files; index++ {
			runtime.GC()
			time.Sleep(50 * time.Millisecond)
		}
	}
	result["descriptors"] = descriptors() - files
	result["kilobytes"] = kilobytes() - before
	return result
}

// collect makes calls while the garbage collector runs and frees other applications.
func collect(given *command) document {
	var group sync.WaitGroup
	done, tokens := make(chan struct{}), sync.Map{}
	for index := 0; index < 4; index++ {
		group.Add(1)
		go func() {
			defer group.Done()
			for call := 0; call < given.Count; call++ {
				own, err := made(given)
				if err != nil {
					panic(err)
				}
				result, err := own.AcquireTokenSilent(context.Background(), tessera.SilentRequest{Scopes: given.Request.Scopes})
				tokens.Store(described(result, err)["token"], true)
			}
		}()
	}
	go func() {
		group.Wait()
		close(done)
	}()
	for isDone := false; !isDone; {
		select {
		case <-done:
			isDone = true
		default:
			runtime.GC()
		}
	}
	create(given)
	result := silent(context.Background(), given)
	result["tokens"] = size(&tokens)
	return result
}

func size(values *sync.Map) (count int) {
	values.Range(func(any, any) bool {
		count++
		return true
	})
	return count
}

func threads(given *command) document {
	tokens := sync.Map{}
	var group sync.WaitGroup
	for index := 0; index < 8; index++ {
		group.Add(1)
		go func() {
			defer group.Done()
			for call := 0; call < given.Count; call++ {
				tokens.Store(silent(context.Background(), given)["token"], true)
			}
		}()
	}
	group.Wait()
	result := silent(context.Background(), given)
	result["tokens"] = size(&tokens)
	return result
}

func perform(given *command) document {
	switch given.Do {
	case "create":
		return create(given)
	case "silent":
		if given.Asynchronous {
			return asynchronous(given)
		}
		return silent(context.Background(), given)
	// Every call of Go is one of a group.
	case "device_code", "asynchronous_device_code":
		return deviceCode(given)
	case "device_code_on_a_thread":
		return deviceCodeOnAThread(given)
	case "accounts":
		return accounts()
	case "log":
		mutex.Lock()
		defer mutex.Unlock()
		return document{"status": "ok", "lines": lines}
	case "repeat":
		return repeat(given)
	case "threads":
		return threads(given)
	case "drop":
		return drop(given)
	case "collect":
		return collect(given)
	case "fork":
		return document{"skipped": "Go does not fork without exec"}
	}
	return document{"skipped": "the driver does not know this command"}
}

func respond(result document) {
	text, err := json.Marshal(result)
	if err != nil {
		panic(err)
	}
	fmt.Println(string(text))
}

func main() {
	input := bufio.NewScanner(os.Stdin)
	input.Buffer(nil, 1<<20)
	for input.Scan() {
		var given command
		if err := json.Unmarshal(input.Bytes(), &given); err != nil {
			panic(err)
		}
		respond(perform(&given))
	}
}
