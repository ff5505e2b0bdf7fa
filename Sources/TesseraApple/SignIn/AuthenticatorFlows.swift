// SPDX-License-Identifier: MIT
// The flows of Microsoft Authenticator, for the engine.

package import TesseraEngine
package import TesseraWire

/// Sign-ins with Microsoft Authenticator.
package struct AuthenticatorFlows: AuthenticatorSignIn {
  /// Creates the flows.
  package init() {}

  package func begin(
    _ request: SignInRequest, _ options: AuthenticatorOptions, _ context: FlowContext,
    _ limits: CallLimits
  ) throws(TesseraError) -> SignInSession {
    try AuthenticatorFlow(context, limits).begin(request, options)
  }

  package func complete(
    _ response: RedirectResponse, _ context: FlowContext, _ limits: CallLimits
  ) throws(TesseraError) -> TokenResult {
    try AuthenticatorFlow(context, limits).complete(response)
  }

  package func deviceRequirement(
    in response: RedirectResponse, at redirectURI: String
  ) -> TesseraError? {
    response.prompt(at: redirectURI).map { TesseraError($0) }
  }
}
