// SPDX-License-Identifier: MIT

// Code generated from docs/documents.toml and include/tessera.h. DO NOT EDIT.

package tessera

// #include "library.h"
import "C"

import "context"

// Accounts lists the accounts that are signed in to this application. It works offline.
func (a *Application) Accounts(ctx context.Context, request AccountsRequest) (*AccountList, error) {
	return perform[AccountList](ctx, a, C.CALL_GET_ACCOUNTS, &request)
}

// Account returns the account that the request identifies.
func (a *Application) Account(ctx context.Context, request AccountsRequest) (*AccountResult, error) {
	return perform[AccountResult](ctx, a, C.CALL_GET_ACCOUNT, &request)
}

// CurrentAccount returns the account of a single-account application, and the account that the
// previous such call returned.
func (a *Application) CurrentAccount(ctx context.Context, request StoreRequest) (*CurrentAccount, error) {
	return perform[CurrentAccount](ctx, a, C.CALL_GET_CURRENT_ACCOUNT, &request)
}

// RemoveAccount deletes the tokens of an account for this application from this machine.
func (a *Application) RemoveAccount(ctx context.Context, request RemoveAccountRequest) (*RemovedAccount, error) {
	return perform[RemovedAccount](ctx, a, C.CALL_REMOVE_ACCOUNT, &request)
}

// SignOut signs a user out, and reports which data was removed and which remains.
func (a *Application) SignOut(ctx context.Context, request SignOutRequest) (*SignOutReport, error) {
	return perform[SignOutReport](ctx, a, C.CALL_SIGN_OUT, &request)
}

// Explain explains the decision about a silent request, as a dry run.
func (a *Application) Explain(ctx context.Context, request ExplainRequest) (*Explanation, error) {
	return perform[Explanation](ctx, a, C.CALL_EXPLAIN, &request)
}

// BeginSignIn begins a sign-in for a page that the application shows itself.
func (a *Application) BeginSignIn(ctx context.Context, request SignInRequest) (*SignInSession, error) {
	return start[SignInSession](ctx, a, C.START_BEGIN_SIGN_IN, &request, nil)
}

// CompleteSignIn completes a sign-in with the redirect.
func (a *Application) CompleteSignIn(ctx context.Context, request RedirectResponse) (*TokenResult, error) {
	return start[TokenResult](ctx, a, C.START_COMPLETE_SIGN_IN, &request, nil)
}

// StoreInfo returns the location, the protection and the state of the store.
func (a *Application) StoreInfo(ctx context.Context, request StoreRequest) (*StoreInfo, error) {
	return perform[StoreInfo](ctx, a, C.CALL_GET_STORE_INFO, &request)
}

// RotateStoreKey rotates the key of the store.
func (a *Application) RotateStoreKey(ctx context.Context, request RotateKeyRequest) (*RotatedKey, error) {
	return perform[RotatedKey](ctx, a, C.CALL_ROTATE_STORE_KEY, &request)
}

// ReadCache reads the whole store as an MSAL cache document.
func (a *Application) ReadCache(ctx context.Context, request StoreRequest) (*CacheText, error) {
	return perform[CacheText](ctx, a, C.CALL_READ_CACHE, &request)
}

// WriteCache applies the changes that another library made to an MSAL cache document.
func (a *Application) WriteCache(ctx context.Context, request CacheWriteRequest) (*CacheChanges, error) {
	return perform[CacheChanges](ctx, a, C.CALL_WRITE_CACHE, &request)
}

// Migrate imports the sign-ins from the cache of an older library: the data, or the file that the
// request names.
func (a *Application) Migrate(ctx context.Context, request MigrationRequest, data []byte) (*MigrationReport, error) {
	return performWithData[MigrationReport](ctx, a, C.CALL_MIGRATE, &request, data)
}

// ExportSignIns exports the sign-ins for an older library. The data is its present cache.
func (a *Application) ExportSignIns(ctx context.Context, request ExportRequest, data []byte) (*ExportedSignIns, error) {
	return performWithData[ExportedSignIns](ctx, a, C.CALL_EXPORT_SIGN_INS, &request, data)
}

// BrokerVersion returns the version of the identity broker.
func (a *Application) BrokerVersion(ctx context.Context, request BrokerRequest) (*BrokerVersion, error) {
	return perform[BrokerVersion](ctx, a, C.CALL_GET_BROKER_VERSION, &request)
}

// BrokerAccounts lists the accounts of the identity broker.
func (a *Application) BrokerAccounts(ctx context.Context, request BrokerRequest) (*BrokerAccountList, error) {
	return perform[BrokerAccountList](ctx, a, C.CALL_GET_BROKER_ACCOUNTS, &request)
}

// BrokerSSOCookie returns single sign-on cookies of the identity broker.
func (a *Application) BrokerSSOCookie(ctx context.Context, request BrokerCookieRequest) (*BrokerCookies, error) {
	return perform[BrokerCookies](ctx, a, C.CALL_GET_BROKER_SSO_COOKIE, &request)
}

// BrokerSignedHTTPRequest returns an HTTP request that the identity broker signed.
func (a *Application) BrokerSignedHTTPRequest(
	ctx context.Context, request BrokerSigningRequest,
) (*BrokerSignature, error) {
	return perform[BrokerSignature](ctx, a, C.CALL_GET_BROKER_SIGNED_HTTP_REQUEST, &request)
}
