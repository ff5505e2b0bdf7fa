// SPDX-License-Identifier: MIT

// Package azcore provides the tokens of Tessera to the clients of the Azure SDK for Go.
package azcore

import (
	"context"
	"net/url"

	tessera "example.com/tessera/bindings/go"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"
)

// Credential has the tokens of an account, for the clients of the Azure SDK for Go.
type Credential struct {
	application *tessera.Application
	request     tessera.SilentRequest
}

// NewCredential creates a credential. The request selects the account. The credential never signs in: if that is
// necessary, its error is tessera.ErrSignIn. Clients that request the token of another tenant get it from the cloud of
// the request's Authority; by default, from the public cloud.
func NewCredential(application *tessera.Application, request tessera.SilentRequest) *Credential {
	return &Credential{application, request}
}

// GetToken returns a cached or refreshed token.
func (c *Credential) GetToken(ctx context.Context, options policy.TokenRequestOptions) (azcore.AccessToken, error) {
	request := c.request
	request.Scopes = options.Scopes
	if options.Claims != "" {
		request.Claims = &options.Claims
	}
	if options.TenantID != "" {
		request.Authority = tessera.Ptr(c.authorityHost() + options.TenantID)
	}
	result, err := c.application.AcquireTokenSilent(ctx, request)
	if err != nil {
		return azcore.AccessToken{}, err
	}
	if err := result.RequireAllScopes(); err != nil {
		return azcore.AccessToken{}, err
	}
	return azcore.AccessToken{
		Token: string(result.AccessToken), ExpiresOn: result.ExpiresOn.Time(), RefreshOn: result.RefreshOn.Time(),
	}, nil
}

// authorityHost returns the address of the authority, up to the tenant.
func (c *Credential) authorityHost() string {
	if c.request.Authority != nil {
		if given, err := url.Parse(*c.request.Authority); err == nil {
			return given.Scheme + "://" + given.Host + "/"
		}
	}
	return "https://login.microsoftonline.com/"
}

var _ azcore.TokenCredential = (*Credential)(nil)
