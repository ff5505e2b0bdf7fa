// SPDX-License-Identifier: MIT
// The fuzz targets: each passes bytes to one part of the library and checks invariants.

/// A function that processes one input of any content.
package typealias FuzzTarget = (FuzzInput) -> Void

/// The targets by name.
///
/// Each has a directory of seeds with that name.
package nonisolated(unsafe) let targets: [(name: String, make: () -> FuzzTarget)] = [
  ("text", { fuzzText }),
  ("http", { fuzzHTTP }),
  ("loopback", { fuzzLoopback }),
  ("desktop", { fuzzDesktop }),
  ("authorization", { fuzzAuthorization }),
  ("authenticator", { fuzzAuthenticator }),
  ("webview", { fuzzWebView }),
  ("tokens", { fuzzTokens }),
  ("ssoextension", { fuzzSSOExtension }),
  ("discovery", { fuzzDiscovery }),
  ("records", { fuzzRecords }),
  ("caches", { fuzzOlderCaches }),
  ("unified", { fuzzUnified }),
  ("files", { StoreFiles().fuzz }),
  ("documents", { Documents().fuzz }),
  ("answers", { ResponseFuzzer().fuzz }),
  ("archives", { fuzzArchives }),
  ("broker", { fuzzBroker }),
]

/// One input: a byte that selects a variant, and the remaining bytes.
package struct FuzzInput {
  /// The value of the first byte; 0 for an empty input.
  let choice: UInt8
  /// The bytes after the first.
  let bytes: [UInt8]

  package init(_ buffer: UnsafeBufferPointer<UInt8>) {
    // An ASCII digit counts as its value, so that seeds are readable.
    choice = buffer.first.map { (0x30...0x39).contains($0) ? $0 - 0x30 : $0 } ?? 0
    bytes = Array(buffer.dropFirst())
  }

  /// The remaining bytes as text.
  var text: String { String(decoding: bytes, as: UTF8.self) }

  /// The remaining bytes before and after the first line break.
  var lines: (first: [UInt8], rest: [UInt8]) {
    let parts = bytes.split(separator: 0x0A, maxSplits: 1, omittingEmptySubsequences: false)
    return (Array(parts.first ?? []), parts.count > 1 ? Array(parts[1]) : [])
  }
}

/// Ends the program unless a condition holds, so that libFuzzer saves the input.
func require(_ holds: Bool, _ what: String) {
  if !holds { fatalError("this does not hold: \(what)") }
}
