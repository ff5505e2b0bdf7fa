// SPDX-License-Identifier: MIT

// Package tessera signs users in to the Microsoft identity platform and to any OpenID Connect provider, with one token
// cache that all applications of a user on a machine share.
//
// The package loads the Tessera library when it is first used. It is searched in this order:
//
//  1. TESSERA_LIBRARY, an absolute path, for builds that are not installed. A process with elevated privileges ignores
//     the variable.
//  2. libtessera.so.1, found by the dynamic linker.
//
// A call that waits for a server does not occupy a thread of the Go runtime: one goroutine receives the results of all
// calls. Its context ends the call; the error is then that of the context.
//
// All other errors are of type *Error. Compare the remedy with errors.Is:
//
//	token, err := application.AcquireTokenSilent(ctx, tessera.SilentRequest{Scopes: []string{"User.Read"}})
//	if errors.Is(err, tessera.ErrSignIn) {
//		token, err = application.AcquireTokenInteractive(ctx, request, nil)
//	}
//
// Tokens and other secrets have the type Secret, which the verbs of package fmt do not print, but package encoding/json
// does. Strings in Go cannot be overwritten, so a token remains in memory until it is collected.
package tessera
