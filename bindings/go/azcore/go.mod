module example.com/tessera/bindings/go/azcore

go 1.19

require (
	example.com/tessera/bindings/go v0.1.0
	github.com/Azure/azure-sdk-for-go/sdk/azcore v1.13.0
)
