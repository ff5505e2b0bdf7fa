// SPDX-License-Identifier: MIT
// The reason for a refresh.

/// The reason for a refresh.
///
/// The raw values are part of the JSON interface (docs/explain.md) and must not change.
package enum RefreshReason: String, Sendable {
  case forced
  case claims
  case missing
  case expired
  case due
  case doubtful

  /// Whether the cached token is still usable, so that the caller need not wait for a new one.
  package var isOptional: Bool { self == .due || self == .doubtful }
}
