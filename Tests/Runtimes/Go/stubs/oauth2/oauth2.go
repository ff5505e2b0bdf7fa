// SPDX-License-Identifier: MIT

// Package oauth2 has the interface of golang.org/x/oauth2 that the adapter uses, for tests without the package.
package oauth2

import "time"

// Token is an access token.
type Token struct {
	AccessToken  string
	TokenType    string
	RefreshToken string
	Expiry       time.Time
}

// TokenSource returns tokens.
type TokenSource interface {
	Token() (*Token, error)
}
