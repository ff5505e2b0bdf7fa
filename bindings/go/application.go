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
func perform[Result any](ctx context.Context, a *Application, function *[0]byte, r request) (*Result, error) {
	a.mutex.RLock()
	defer a.mutex.RUnlock()
	text := encode(r)
	return finished[Result](ctx, cancelled(ctx, func(cancellation *C.tessera_cancellation) C.tessera_go_result {
		return C.tessera_go_perform((*C.tessera_go_call)(function), a.handle, pointer(text), cancellation)
	}))
}

// performWithData makes a blocking call with the contents of a cache.
func performWithData[Result any](
	ctx context.Context, a *Application, function *[0]byte, r request, data []byte,
) (*Result, error) {
	a.mutex.RLock()
	defer a.mutex.RUnlock()
	text := encode(r)
	bytes := C.CBytes(data)
	defer C.free(bytes)
	if data == nil {
		bytes = nil
	}
	return finished[Result](ctx, cancelled(ctx, func(cancellation *C.tessera_cancellation) C.tessera_go_result {
		return C.tessera_go_perform_with_data(
			(*C.tessera_go_data_call)(function), a.handle, pointer(text), bytes, C.size_t(len(data)), cancellation,
		)
	}))
}

// Accounts lists the accounts that are signed in to this application. It works offline.
func (a *Application) Accounts(ctx context.Context, request AccountsRequest) (*AccountList, error) {
	return perform[AccountList](ctx, a, C.tessera_go.tessera_application_get_accounts, &request)
}

// Account returns the account that the request identifies.
func (a *Application) Account(ctx context.Context, request AccountsRequest) (*AccountResult, error) {
	return perform[AccountResult](ctx, a, C.tessera_go.tessera_application_get_account, &request)
}

// CurrentAccount returns the account of a single-account application, and the account that the previous such call
// returned.
func (a *Application) CurrentAccount(ctx context.Context, request StoreRequest) (*CurrentAccount, error) {
	return perform[CurrentAccount](ctx, a, C.tessera_go.tessera_application_get_current_account, &request)
}

// RemoveAccount deletes the tokens of an account for this application from this machine.
func (a *Application) RemoveAccount(ctx context.Context, request RemoveAccountRequest) (*RemovedAccount, error) {
	return perform[RemovedAccount](ctx, a, C.tessera_go.tessera_application_remove_account, &request)
}

// SignOut signs a user out, and reports which data was removed and which remains.
func (a *Application) SignOut(ctx context.Context, request SignOutRequest) (*SignOutReport, error) {
	return perform[SignOutReport](ctx, a, C.tessera_go.tessera_application_sign_out, &request)
}

// Explain explains the decision that AcquireTokenSilent would make, as a dry run.
func (a *Application) Explain(ctx context.Context, request ExplainRequest) (*Explanation, error) {
	return perform[Explanation](ctx, a, C.tessera_go.tessera_application_explain, &request)
}

// StoreInfo returns the location, the protection and the state of the store.
func (a *Application) StoreInfo(ctx context.Context, request StoreRequest) (*StoreInfo, error) {
	return perform[StoreInfo](ctx, a, C.tessera_go.tessera_application_get_store_info, &request)
}

// RotateStoreKey rotates the key of the store.
func (a *Application) RotateStoreKey(ctx context.Context, request RotateKeyRequest) (*RotatedKey, error) {
	return perform[RotatedKey](ctx, a, C.tessera_go.tessera_application_rotate_store_key, &request)
}

// ReadCache reads the whole store as an MSAL cache document.
func (a *Application) ReadCache(ctx context.Context, request StoreRequest) (*CacheText, error) {
	return perform[CacheText](ctx, a, C.tessera_go.tessera_application_read_cache, &request)
}

// WriteCache applies the changes that another library made to an MSAL cache document.
func (a *Application) WriteCache(ctx context.Context, request CacheWriteRequest) (*CacheChanges, error) {
	return perform[CacheChanges](ctx, a, C.tessera_go.tessera_application_write_cache, &request)
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
	text := encode(&request)
	return finished[CopyReport](ctx, cancelled(ctx, func(cancellation *C.tessera_cancellation) C.tessera_go_result {
		return C.tessera_go_copy(a.handle, from.handle, pointer(text), cancellation)
	}))
}

// Migrate imports the sign-ins from the cache of an older library: the data, or the file that the request names.
func (a *Application) Migrate(ctx context.Context, request MigrationRequest, data []byte) (*MigrationReport, error) {
	return performWithData[MigrationReport](ctx, a, C.tessera_go.tessera_application_migrate, &request, data)
}

// ExportSignIns exports the sign-ins for an older library; the data is its present cache.
func (a *Application) ExportSignIns(ctx context.Context, request ExportRequest, data []byte) (*ExportedSignIns, error) {
	return performWithData[ExportedSignIns](ctx, a, C.tessera_go.tessera_application_export_sign_ins, &request, data)
}

// BrokerVersion returns the version of the identity broker.
func (a *Application) BrokerVersion(ctx context.Context, request BrokerRequest) (*BrokerVersion, error) {
	return perform[BrokerVersion](ctx, a, C.tessera_go.tessera_application_get_broker_version, &request)
}

// BrokerAccounts lists the accounts of the identity broker.
func (a *Application) BrokerAccounts(ctx context.Context, request BrokerRequest) (*BrokerAccountList, error) {
	return perform[BrokerAccountList](ctx, a, C.tessera_go.tessera_application_get_broker_accounts, &request)
}

// BrokerSSOCookie returns a single sign-on cookie of the identity broker.
func (a *Application) BrokerSSOCookie(ctx context.Context, request BrokerCookieRequest) (*BrokerCookies, error) {
	return perform[BrokerCookies](ctx, a, C.tessera_go.tessera_application_get_broker_sso_cookie, &request)
}

// BrokerSignedHTTPRequest returns an HTTP request that the identity broker signed.
func (a *Application) BrokerSignedHTTPRequest(
	ctx context.Context, request BrokerSigningRequest,
) (*BrokerSignature, error) {
	return perform[BrokerSignature](
		ctx, a, C.tessera_go.tessera_application_get_broker_signed_http_request, &request,
	)
}
