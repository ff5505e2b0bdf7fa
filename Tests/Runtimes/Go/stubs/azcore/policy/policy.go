// SPDX-License-Identifier: MIT

// Package policy has the interface of azcore/policy that the adapter uses, for tests without the package.
package policy

// TokenRequestOptions has the requested scopes and claims.
type TokenRequestOptions struct {
	Claims    string
	EnableCAE bool
	Scopes    []string
	TenantID  string
}
