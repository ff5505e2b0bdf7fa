// SPDX-License-Identifier: MIT
// The trace context of an application's request, for the header fields of W3C Trace Context level 1.

/// The position of a call in a distributed trace (W3C Trace Context level 1).
package struct TraceContext: Sendable, Hashable {
  /// The maximum size of `tracestate`, in bytes: the size that every participant must forward (section 3.3.1.5).
  private static let maximumStateSize = 512
  /// The maximum number of entries of `tracestate` (section 3.3.1.1).
  private static let maximumEntries = 32

  private let parent: String
  private let state: String?

  /// Creates a trace context.
  ///
  /// - Parameters:
  ///   - parent: `traceparent`, of version 00: `00-<trace ID>-<parent ID>-<flags>` in lower-case hexadecimal digits. Neither ID
  ///     may consist of zeros only (section 3.2.2).
  ///   - state: `tracestate`; `nil` for none.
  /// - Returns: `nil` for invalid values.
  package init?(parent: String, state: String?) {
    guard TraceContext.isValid(parent: parent) else { return nil }
    if let state, !TraceContext.isValid(state: state) { return nil }
    self.parent = parent
    self.state = state
  }

  /// The header fields, which a request sends unchanged.
  package var headers: [HTTPHeader] {
    [HTTPHeader("traceparent", parent)] + (state.map { [HTTPHeader("tracestate", $0)] } ?? [])
  }

  private static func isValid(parent: String) -> Bool {
    let parts = parent.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    guard parts.map(\.count) == [2, 32, 16, 2], parts[0].elementsEqual("00".utf8) else {
      return false
    }
    return parts.allSatisfy { $0.allSatisfy(isHexadecimal) }
      && parts[1...2].allSatisfy { !$0.allSatisfy { $0 == UInt8(ascii: "0") } }
  }

  private static func isHexadecimal(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
      || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
  }

  private static func isValid(state: String) -> Bool {
    let entries = state.utf8.split(separator: UInt8(ascii: ","))
    return state.utf8.count <= maximumStateSize && entries.count <= maximumEntries
      && state.utf8.allSatisfy { (0x20...0x7E).contains($0) }
      && entries.allSatisfy { entry in
        entry.filter { $0 == UInt8(ascii: "=") }.count == 1 && entry.first != UInt8(ascii: "=")
      }
  }
}
