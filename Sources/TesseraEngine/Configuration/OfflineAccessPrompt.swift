// SPDX-License-Identifier: MIT
// The value of prompt with which a sign-in obtains a refresh token.

/// The value of `prompt` that a sign-in sends to obtain a refresh token.
public enum OfflineAccessPrompt: String, Sendable, CaseIterable {
  /// Ask the user for consent at each sign-in, as OpenID Connect Core section 11 requires.
  case consent
}
