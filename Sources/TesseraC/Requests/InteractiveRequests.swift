// SPDX-License-Identifier: MIT
// Parsing of JSON requests for an interactive sign-in.

import TesseraEngine
import TesseraWire

extension InteractiveRequest {
  /// Parses "InteractiveRequest" of docs/c-interface.md.
  init(_ text: UnsafePointer<CChar>?) throws(TesseraError) {
    try self.init(InteractiveRequestMembers(text))
  }

  /// Reads the members of a sign-in in a browser.
  init(_ members: InteractiveRequestMembers) throws(TesseraError) {
    self.init(
      try AuthorizationOptions(members.signInOptions),
      triesSilentFirst: try members.silentFirst ?? false,
      browser: try BrowserPreferences(members))
  }
}

extension SignInRequest {
  /// Parses "SignInRequest" of docs/c-interface.md.
  init(_ text: UnsafePointer<CChar>?) throws(TesseraError) {
    let members = try SignInRequestMembers(text)
    self.init(try AuthorizationOptions(members.signInOptions))
    if let value = try members.delivery { delivery = value }
    sourceApplication = try members.sourceApplication
    if let value = try members.lifetime { lifetime = value }
    authenticator = try members.authenticator.map { options throws(TesseraError) in
      try AuthenticatorOptions(options)
    }
  }
}

extension AuthorizationOptions {
  /// Reads the members that both requests have in common.
  fileprivate init(_ members: SignInOptionsMembers) throws(TesseraError) {
    self.init(scopes: try members.requestedScopes())
    extraScopesToConsent = try members.extraScopesToConsent ?? []
    authority = try members.authority
    homeAccountID = try members.homeAccountID
    acceptsOtherAccount = try members.acceptOtherAccount ?? false
    loginHint = try members.loginHint
    domainHint = try members.domainHint
    uiLocales = try members.uiLocales
    prompt = try members.prompt
    claims = try members.claims
    extraQueryParameters = try members.extraQueryParameters ?? [:]
    extraTokenParameters = try members.extraTokenParameters ?? [:]
    if let value = try members.responseMode { responseMode = value }
    timeout = try members.timeout
    correlationID = try members.correlationID
    (traceparent, tracestate) = (try members.traceparent, try members.tracestate)
  }
}

extension BrowserPreferences {
  /// Reads the members that configure the browser.
  init(_ members: InteractiveRequestMembers) throws(TesseraError) {
    self.init()
    if let value = try members.browser { choice = value }
    if let value = try members.webviewType { webviewType = value }
    if let value = try members.prefersEphemeralWebBrowserSession {
      prefersEphemeralWebBrowserSession = value
    }
    webviewProgram = try members.webviewProgram
    successPage = try members.successPage
    failurePage = try members.failurePage
    answerDescriptor = try members.answerDescriptor.map { Int32(clamping: $0) }
  }
}
