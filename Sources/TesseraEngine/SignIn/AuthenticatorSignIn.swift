// SPDX-License-Identifier: MIT
// The flows of Microsoft Authenticator in a sign-in that the host application drives.

package import TesseraWire

/// Begins and completes sign-ins with Microsoft Authenticator.
package protocol AuthenticatorSignIn: Feature {
  /// Begins a sign-in.
  func begin(
    _ request: SignInRequest, _ options: AuthenticatorOptions, _ context: FlowContext,
    _ limits: CallLimits
  ) throws(TesseraError) -> SignInSession

  /// Completes a sign-in.
  ///
  /// A response that is not authenticated leaves the sign-in pending.
  func complete(
    _ response: RedirectResponse, _ context: FlowContext, _ limits: CallLimits
  ) throws(TesseraError) -> TokenResult

  /// Returns the error for a device requirement that a sign-in page returned instead of an authorization response; `nil`
  /// for none.
  func deviceRequirement(in response: RedirectResponse, at redirectURI: String) -> TesseraError?
}
