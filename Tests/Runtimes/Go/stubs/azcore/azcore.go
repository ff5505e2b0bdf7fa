// SPDX-License-Identifier: MIT

// Package azcore has the interface of azcore that the adapter uses, for tests without the package.
package azcore

import (
	"context"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"
)

// AccessToken is an access token.
type AccessToken struct {
	Token     string
	ExpiresOn time.Time
	RefreshOn time.Time
}

// TokenCredential returns tokens.
type TokenCredential interface {
	GetToken(ctx context.Context, options policy.TokenRequestOptions) (AccessToken, error)
}
