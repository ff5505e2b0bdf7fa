// SPDX-License-Identifier: MIT
// Errors of D-Bus calls.

package import TesseraEngine

/// The reason for which a D-Bus call has no result.
///
/// The caller converts it to its own error.
package enum BusFailure: Error {
  /// No D-Bus client library could be loaded, with the reason for each library.
  case libraryMissing(String)
  /// The bus cannot be reached or the connection failed, with the `errno`.
  ///
  /// `EPERM` also means that the bus is another user's.
  case unreachable(Int32)
  /// The call could not be built: an argument was invalid, or memory ran out.
  case invalidCall
  /// The bus or the service returned an error, with its name and message.
  case errorReply(String, String)
  /// The response has values of unexpected types.
  case unexpectedType
  /// The response is longer than this limit, in bytes.
  case tooLong(Int)
  /// The service did not respond in time.
  case timeout
  /// The deadline of the caller passed, or the call was cancelled.
  case ended(TesseraError)
}
