// SPDX-License-Identifier: MIT
// What is fuzzed: each target reads bytes as one part of the library does, and says what must hold afterwards.

/// Reads one input; whatever the bytes are, it comes back.
package typealias FuzzTarget = (FuzzInput) -> Void

/// The targets by name; each has a folder of seeds with that name.
package nonisolated(unsafe) let targets: [(name: String, make: () -> FuzzTarget)] = [
  ("text", { fuzzText }),
  ("http", { fuzzHTTP }),
  ("loopback", { fuzzLoopback }),
  ("desktop", { fuzzDesktop }),
  ("authorization", { fuzzAuthorization }),
  ("authenticator", { fuzzAuthenticator }),
  ("certificate", { fuzzCertificate }),
  ("webview", { fuzzWebView }),
  ("tokens", { fuzzTokens }),
  ("ssoextension", { fuzzSSOExtension }),
  ("discovery", { fuzzDiscovery }),
  ("records", { fuzzRecords }),
  ("caches", { fuzzOlderCaches }),
  ("unified", { fuzzUnified }),
  ("files", { StoreFiles().fuzz }),
  ("documents", { Documents().fuzz }),
  ("answers", { Answers().fuzz }),
  ("archives", { fuzzArchives }),
  ("broker", { fuzzBroker }),
]

/// The bytes of one input: a byte that chooses, and the rest.
package struct FuzzInput {
  /// What the first byte chooses; 0 for an empty input.
  let choice: UInt8
  /// What follows.
  let bytes: [UInt8]

  package init(_ buffer: UnsafeBufferPointer<UInt8>) {
    // A digit chooses the same as the number that it shows, so that seeds can be read.
    choice = buffer.first.map { (0x30...0x39).contains($0) ? $0 - 0x30 : $0 } ?? 0
    bytes = Array(buffer.dropFirst())
  }

  /// What follows, as text.
  var text: String { String(decoding: bytes, as: UTF8.self) }

  /// What follows, up to and after the first line break.
  var lines: (first: [UInt8], rest: [UInt8]) {
    let parts = bytes.split(separator: 0x0A, maxSplits: 1, omittingEmptySubsequences: false)
    return (Array(parts.first ?? []), parts.count > 1 ? Array(parts[1]) : [])
  }
}

/// Ends the program unless something holds: libFuzzer keeps the input that broke it.
func require(_ holds: Bool, _ what: String) {
  if !holds { fatalError("this does not hold: \(what)") }
}
