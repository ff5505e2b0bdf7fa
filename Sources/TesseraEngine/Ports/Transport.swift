// SPDX-License-Identifier: MIT
// The port to the HTTP client.

package import TesseraWire

/// Sends one request and waits for its response, on the calling thread.
package protocol Transport: Sendable {
  /// Returns the response with any status.
  ///
  /// Redirects are not followed.
  ///
  /// Ends within 100 ms of the limits. If the request spends a credential and its response has begun at the limits, the rest
  /// of the response has more time (``CallLimits/responseMilliseconds``).
  ///
  /// - Throws: `retryLater` if no response was received, `cancelled` at the limits, `fixConfiguration` if the server's
  ///   certificate is not trusted. ``TesseraError/isUnsent`` is set only if no byte of the request was sent.
  func send(
    _ request: HTTPRequest, within limits: CallLimits
  ) throws(TesseraError) -> HTTPResponse
}
