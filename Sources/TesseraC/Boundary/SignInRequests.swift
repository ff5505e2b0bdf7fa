// SPDX-License-Identifier: MIT
// The members of the requests of a sign-in that the host drives.

import TesseraEngine
import TesseraWire

extension InteractiveRequest {
  /// Reads "SignInRequest" of docs/c-interface.md.
  init(beginning text: UnsafePointer<CChar>?) throws(TesseraError) {
    let document = try RequestDocument(
      text, "request",
      accepting: [
        "scopes", "resource", "extra_scopes_to_consent", "authority", "home_account_id",
        "accept_other_account", "login_hint", "domain_hint", "prompt", "claims",
        "extra_query_parameters", "response_mode", "source_application", "lifetime_seconds",
        "timeout_milliseconds", "correlation_id",
      ])
    self.init(scopes: try document.scopes())
    extraScopesToConsent = try document.strings("extra_scopes_to_consent") ?? []
    authority = try document.string("authority")
    homeAccountID = try document.string("home_account_id")
    acceptsOtherAccount = try document.bool("accept_other_account") ?? false
    loginHint = try document.string("login_hint")
    domainHint = try document.string("domain_hint")
    prompt = try document.choice("prompt", SignInPromptType.self)
    claims = try document.string("claims")
    extraQueryParameters = try document.texts("extra_query_parameters") ?? [:]
    if let value = try document.choice("response_mode", ResponseMode.self) { responseMode = value }
    sourceApplication = try document.string("source_application")
    if let value = try document.count("lifetime_seconds") { lifetimeSeconds = value }
    timeoutMilliseconds = try document.count("timeout_milliseconds")
    correlationID = try document.string("correlation_id")
  }
}

extension SignInCompletion {
  /// Reads "SignInCompletion" of docs/c-interface.md.
  init(_ text: UnsafePointer<CChar>?) throws(TesseraError) {
    let document = try RequestDocument(
      text, "request",
      accepting: ["state", "url", "form", "source_application", "timeout_milliseconds"])
    let state = Secret(try document.requiredString("state"))
    let answer: AuthorizationAnswer
    switch (try document.string("url"), try document.string("form")) {
    case (let url?, nil): answer = .address(Secret(url))
    case (nil, let form?): answer = .form(Secret(form))
    default:
      throw TesseraError(
        .fixRequest, .invalidMember,
        "Give either \"url\", the address that was opened, or \"form\", the body that was posted.")
    }
    self.init(state: state, answer: answer)
    sourceApplication = try document.string("source_application")
    timeoutMilliseconds = try document.count("timeout_milliseconds")
  }
}
