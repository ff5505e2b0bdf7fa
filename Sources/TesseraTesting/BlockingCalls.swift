// SPDX-License-Identifier: MIT
// The blocking calls without a cancellation, for the tests of this package.

package import TesseraEngine

extension PublicClientApplication {
  /// Calls the blocking form without a cancellation.
  package func acquireTokenSilent(
    _ request: SilentRequest
  ) throws(TesseraError) -> TokenResult {
    try acquireTokenSilent(request, cancellation: nil)
  }

  /// Calls the blocking form without a cancellation.
  package func acquireTokenSilentExplained(
    _ request: SilentRequest
  ) throws(TesseraError) -> TokenResult {
    try acquireTokenSilentExplained(request, cancellation: nil)
  }

  /// Calls the blocking form without a cancellation.
  package func acquireTokenByDeviceCode(
    _ request: DeviceCodeRequest, prompt: (DeviceCodePrompt) -> Void
  ) throws(TesseraError) -> TokenResult {
    try acquireTokenByDeviceCode(request, cancellation: nil, prompt: prompt)
  }

  /// Calls the blocking form without a cancellation.
  package func acquireTokenInteractive(
    _ request: InteractiveRequest, prompt: ((SignInPrompt) -> Void)? = nil
  ) throws(TesseraError) -> TokenResult {
    try acquireTokenInteractive(request, cancellation: nil, prompt: prompt)
  }

  /// Calls the blocking form without a cancellation.
  package func beginSignIn(
    _ request: SignInRequest
  ) throws(TesseraError) -> SignInSession {
    try beginSignIn(request, cancellation: nil)
  }

  /// Calls the blocking form without a cancellation.
  package func completeSignIn(
    _ completion: RedirectResponse
  ) throws(TesseraError) -> TokenResult {
    try completeSignIn(completion, cancellation: nil)
  }
}
