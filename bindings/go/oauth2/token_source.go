// SPDX-License-Identifier: MIT

// Package oauth2 provides the tokens of Tessera to packages that use golang.org/x/oauth2.
package oauth2

import (
	"context"

	tessera "example.com/tessera/bindings/go"
	"golang.org/x/oauth2"
)

type tokenSource struct {
	ctx         context.Context
	application *tessera.Application
	request     tessera.SilentRequest
}

// NewTokenSource returns a source of the tokens of an account. It never signs in: if that is necessary, its error is
// tessera.ErrSignIn. The context ends its calls. Do not wrap it in oauth2.ReuseTokenSource: the cache of Tessera also
// has the tokens of other processes.
func NewTokenSource(
	ctx context.Context, application *tessera.Application, request tessera.SilentRequest,
) oauth2.TokenSource {
	return &tokenSource{ctx, application, request}
}

// Token returns a cached or refreshed token.
func (s *tokenSource) Token() (*oauth2.Token, error) {
	result, err := s.application.AcquireTokenSilent(s.ctx, s.request)
	if err != nil {
		return nil, err
	}
	if err := result.RequireAllScopes(); err != nil {
		return nil, err
	}
	return &oauth2.Token{
		AccessToken: string(result.AccessToken), TokenType: result.TokenType, Expiry: result.ExpiresOn.Time(),
	}, nil
}
