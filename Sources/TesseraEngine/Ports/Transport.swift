// SPDX-License-Identifier: MIT
// The port through which requests leave.

package import TesseraWire

/// Sends one request and waits for its response, on the calling thread.
package protocol Transport: Sendable {
  /// The response, whatever its status; redirects are not followed.
  ///
  /// Ends within 100 ms of the limits.
  ///
  /// - Throws: `retryLater` when no response came, `cancelled` at the limits, `fixConfiguration` when the server's
  ///   certificate is not trusted.
  func send(
    _ request: HTTPRequest, within limits: CallLimits
  ) throws(TesseraError) -> HTTPResponse
}
