// SPDX-License-Identifier: MIT
// Why a request is refused before anybody asks what it wants.

/// Why a request cannot be answered; its number is the status of HTTP that says so.
package enum LoopbackRefusal: Int, Error, Sendable, CaseIterable {
  /// It is no request of HTTP, or can be read in two ways.
  case malformed = 400
  /// It took too long.
  case late = 408
  /// Its body has no length.
  case lengthRequired = 411
  /// Its body is longer than any answer.
  case bodyTooLarge = 413
  /// Its head is longer than any answer.
  case tooLarge = 431
  /// Its body is encoded in a way that no browser uses for a form.
  case unsupported = 501
  /// It is of another version of HTTP.
  case otherVersion = 505
}
