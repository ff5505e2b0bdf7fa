// SPDX-License-Identifier: MIT
// Parsing of JSON requests for an interactive sign-in.

import TesseraEngine
import TesseraWire

extension InteractiveRequest {
  /// Parses "InteractiveRequest" of docs/c-interface.md.
  ///
  /// - Parameters:
  ///   - others: Additional members that the calling function accepts.
  ///   - read: Reads the additional members.
  init(
    _ text: UnsafePointer<CChar>?, others: [String] = [],
    _ read: (RequestDocument) throws(TesseraError) -> Void = { _ in }
  ) throws(TesseraError) {
    let own = [
      "silent_first", "browser", "success_page", "failure_page", "answer_descriptor",
      "webview_type", "prefers_ephemeral_web_browser_session", "webview_program",
    ]
    let document = try RequestDocument(
      text, "request", accepting: AuthorizationOptions.members + own + others)
    self.init(
      try AuthorizationOptions(document),
      triesSilentFirst: try document.bool("silent_first") ?? false,
      browser: try BrowserPreferences(document))
    try read(document)
  }
}

extension SignInRequest {
  /// Parses "SignInRequest" of docs/c-interface.md.
  init(_ text: UnsafePointer<CChar>?) throws(TesseraError) {
    let own = ["delivery", "source_application", "lifetime_seconds", "authenticator"]
    let document = try RequestDocument(
      text, "request", accepting: AuthorizationOptions.members + own)
    self.init(try AuthorizationOptions(document))
    if let value = try document.choice("delivery", SignInRequest.Delivery.self) { delivery = value }
    sourceApplication = try document.string("source_application")
    if let value = try document.count("lifetime_seconds") { lifetime = .seconds(value) }
    authenticator = try document.document(
      "authenticator", accepting: AuthenticatorOptions.members
    ).map { options throws(TesseraError) in try AuthenticatorOptions(options) }
  }
}

extension AuthorizationOptions {
  /// The members that both requests have in common.
  fileprivate static let members = [
    "scopes", "resource", "extra_scopes_to_consent", "authority", "home_account_id",
    "accept_other_account", "login_hint", "domain_hint", "prompt", "claims",
    "extra_query_parameters", "extra_token_parameters", "response_mode", "timeout_milliseconds",
    "correlation_id",
  ]

  fileprivate init(_ document: RequestDocument) throws(TesseraError) {
    self.init(scopes: try document.scopes())
    extraScopesToConsent = try document.strings("extra_scopes_to_consent") ?? []
    authority = try document.string("authority")
    homeAccountID = try document.string("home_account_id")
    acceptsOtherAccount = try document.bool("accept_other_account") ?? false
    loginHint = try document.string("login_hint")
    domainHint = try document.string("domain_hint")
    prompt = try document.choice("prompt", SignInPromptType.self)
    claims = try document.string("claims")
    extraQueryParameters = try document.stringDictionary("extra_query_parameters") ?? [:]
    extraTokenParameters = try document.stringDictionary("extra_token_parameters") ?? [:]
    if let value = try document.choice("response_mode", ResponseMode.self) { responseMode = value }
    timeout = try document.milliseconds("timeout_milliseconds")
    correlationID = try document.string("correlation_id")
  }
}

extension BrowserPreferences {
  /// Reads the members that configure the browser.
  init(_ document: RequestDocument) throws(TesseraError) {
    self.init()
    if let value = try document.choice("browser", BrowserChoice.self) { choice = value }
    if let value = try document.choice("webview_type", WebviewType.self) { webviewType = value }
    if let value = try document.bool("prefers_ephemeral_web_browser_session") {
      prefersEphemeralWebBrowserSession = value
    }
    webviewProgram = try document.string("webview_program")
    successPage = try document.string("success_page")
    failurePage = try document.string("failure_page")
    answerDescriptor = try document.count("answer_descriptor").map { Int32(clamping: $0) }
  }
}
