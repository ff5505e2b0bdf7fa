// SPDX-License-Identifier: MIT
// The policy for the identity broker of the machine.

/// The use of the identity broker of this machine (``ApplicationConfiguration/broker``).
public enum BrokerPolicy: String, Sendable, CaseIterable {
  /// The broker is not used.
  case never
  /// The broker is tried first.
  ///
  /// If it fails, the call continues without it.
  case prefer
  /// Tokens come from the broker or the cache, and never from a server.
  ///
  /// Device codes and pages that the host application opens (``PublicClientApplication/beginSignIn(_:cancellation:)``) are
  /// then rejected. Microsoft Authenticator and the single sign-on extension are brokers, so they may be used.
  case require
}
