// SPDX-License-Identifier: MIT
// Tokens of the single sign-on extension of Apple systems.

public import TesseraEngine
import TesseraWire

extension PublicClientApplication {
  /// Validates the tokens in a response of the single sign-on extension of an Apple system, and stores them.
  ///
  /// Issuer, application, tenant, nonce, account and scopes must match the request, as with a server. On a shared device,
  /// the access token is returned but not stored. Later silent calls use the stored tokens.
  ///
  /// - Throws: ``TesseraError``; the error of the server for an error response; `signIn` with code `account_mismatch` for
  ///   tokens of another account; `fixConfiguration` with code `issuer_mismatch` for tokens of another authority.
  public func storeSSOExtensionTokens(
    _ completion: SSOExtensionCompletion, cancellation: Cancellation? = nil
  ) throws(TesseraError) -> TokenResult {
    try SSOExtensionFlow(context, completion, cancellation).run()
  }
}
