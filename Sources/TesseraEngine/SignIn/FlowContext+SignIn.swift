// SPDX-License-Identifier: MIT
// The conditions of a sign-in that depend on the configuration.

extension FlowContext {
  /// Checks that the policy allows a sign-in without the broker.
  ///
  /// - Throws: `fixConfiguration` with code `flow_unsupported` if the broker is required.
  func checkBroker(_ flow: String) throws(TesseraError) {
    guard configuration.broker == .require else { return }
    throw TesseraError(
      .fixConfiguration, .flowUnsupported,
      "\(flow) does not use the broker, but broker is \"require\": sign in interactively, or set broker to \"prefer\"."
    )
  }

  /// Checks that the system delivers the redirect to this process.
  ///
  /// The check is skipped if the host application configured its registered schemes.
  func checkDelivery(_ preferences: BrowserPreferences?) throws(TesseraError) {
    guard redirectURI.kind == .scheme, configuration.registeredSchemes == nil else { return }
    try dependencies.browser.checkDelivery(to: redirectURI.text, preferences)
  }
}
