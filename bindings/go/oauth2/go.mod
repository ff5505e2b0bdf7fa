module example.com/tessera/bindings/go/oauth2

go 1.19

require (
	example.com/tessera/bindings/go v0.1.0
	golang.org/x/oauth2 v0.3.0
)
