// SPDX-License-Identifier: MIT

//go:build !cgo

package tessera

// The package calls a C library: build it with CGO_ENABLED=1 and a C compiler.
var _ = tessera_requires_CGO_ENABLED_1
