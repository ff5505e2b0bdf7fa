// SPDX-License-Identifier: MIT
// The trace context of a request.

package import TesseraWire

/// A request with a trace context.
package protocol TracedRequest {
  var traceparent: String? { get }
  var tracestate: String? { get }
}

extension TracedRequest {
  /// Returns the trace context; `nil` without one.
  ///
  /// - Throws: `fixRequest` with code `invalid_member` for invalid values.
  package func traceContext() throws(TesseraError) -> TraceContext? {
    guard traceparent != nil || tracestate != nil else { return nil }
    if let traceparent, let context = TraceContext(parent: traceparent, state: tracestate) {
      return context
    }
    throw TesseraError(
      .fixRequest, .invalidMember,
      """
      traceparent and tracestate must be values of W3C Trace Context level 1, such as the traceparent \
      00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01. tracestate requires traceparent.
      """)
  }
}
