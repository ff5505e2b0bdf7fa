// SPDX-License-Identifier: MIT
// The members of the requests that need a browser, in the one place where C spells them.

import TesseraEngine
import TesseraWire

extension InteractiveRequest {
  /// Reads "InteractiveRequest" of docs/c-interface.md.
  init(_ text: UnsafePointer<CChar>?) throws(TesseraError) {
    let document = try RequestDocument(text, "request", accepting: InteractiveRequest.members)
    self.init(scopes: try document.scopes())
    try readPerson(document)
    extraScopesToConsent = try document.strings("extra_scopes_to_consent") ?? []
    triesSilentFirst = try document.bool("silent_first") ?? false
    authority = try document.string("authority")
    prompt = try document.choice("prompt", SignInPromptType.self)
    claims = try document.string("claims")
    extraQueryParameters = try document.texts("extra_query_parameters") ?? [:]
    if let value = try document.choice("response_mode", ResponseMode.self) { responseMode = value }
    browser = try BrowserPreferences(document)
    timeoutMilliseconds = try document.count("timeout_milliseconds")
    correlationID = try document.string("correlation_id")
  }

  private mutating func readPerson(_ document: RequestDocument) throws(TesseraError) {
    homeAccountID = try document.string("home_account_id")
    acceptsOtherAccount = try document.bool("accept_other_account") ?? false
    loginHint = try document.string("login_hint")
    domainHint = try document.string("domain_hint")
  }

  private static let members = [
    "scopes", "resource", "silent_first", "extra_scopes_to_consent", "authority", "home_account_id",
    "accept_other_account", "login_hint", "domain_hint", "prompt", "claims",
    "extra_query_parameters", "response_mode", "browser", "success_page", "failure_page",
    "answer_descriptor", "timeout_milliseconds", "correlation_id",
  ]
}

extension BrowserPreferences {
  /// Reads the members that are about the browser.
  init(_ document: RequestDocument) throws(TesseraError) {
    self.init()
    if let value = try document.choice("browser", BrowserChoice.self) { choice = value }
    successPage = try document.string("success_page")
    failurePage = try document.string("failure_page")
    answerDescriptor = try document.count("answer_descriptor").map { Int32(clamping: $0) }
  }
}
