// SPDX-License-Identifier: MIT
// The state of the provider as a value.

import TesseraWire

/// The state of the provider.
///
/// Requests and commands change it one at a time.
struct ProviderState: Sendable {
  /// The scheme, host and port under which the provider is reached.
  let origin: String
  /// Returns random bytes for codes, tokens and IDs.
  let randomBytes: @Sendable (Int) -> [UInt8]
  var settings: ProviderSettings
  var clients = ClientRegistry()
  var deviceGrants = DeviceGrants()
  var authorizations = AuthorizationGrants()
  var refreshTokens = RefreshTokens()
  var accessTokens = AccessTokens()
  var simulatedFailures = SimulatedFailures()
  var counts = ProviderCounts()
  var requestLog: [ProviderLogEntry] = []
  /// The number of issued access tokens, from which their sequence numbers are derived.
  var accessTokenCount = 0
  /// The signing key; created at its first use.
  var signingKey: SigningKey?

  /// Returns an unpredictable text.
  func randomToken() -> String {
    Base64URL.encode(randomBytes(32))
  }
}
