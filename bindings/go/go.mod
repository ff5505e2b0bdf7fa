module example.com/tessera/bindings/go

go 1.19
