module example.com/tessera/tests/runtimes

go 1.19

require (
	example.com/tessera/bindings/go v0.1.0
	example.com/tessera/bindings/go/azcore v0.1.0
	example.com/tessera/bindings/go/oauth2 v0.1.0
)
