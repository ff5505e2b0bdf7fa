module example.com/tessera/benchmarks

go 1.19

require example.com/tessera/bindings/go v0.1.0

replace example.com/tessera/bindings/go v0.1.0 => ../../bindings/go
