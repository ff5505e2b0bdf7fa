// SPDX-License-Identifier: MIT
// An interactive sign-in in a browser, in one blocking call.

import TesseraWire

/// An interactive sign-in in a browser.
struct InteractiveFlow {
  /// The maximum duration of a sign-in without a deadline, in milliseconds.
  ///
  /// The user may need to fetch a second factor.
  private static let browserTimeoutMilliseconds: Int64 = 3_600_000

  private let context: FlowContext
  private let request: InteractiveRequest
  private let flow: AuthorizationFlow
  private let serverClient: ServerClient
  /// The limits while waiting for the user.
  private let userLimits: CallLimits

  init(
    _ context: FlowContext, _ request: InteractiveRequest, within limits: CallLimits
  ) {
    self.context = context
    self.request = request
    var serverClient = ServerClient(
      context.dependencies, limits: limits, correlationID: request.options.correlationID
    ).identified()
    serverClient.homeAccountID = request.options.homeAccountID?.nonBlank
    // Invalid values are reported when the sign-in begins.
    serverClient.traceContext = try? request.options.traceContext()
    self.serverClient = serverClient
    flow = AuthorizationFlow(context, serverClient)
    userLimits = limits.bounded(
      milliseconds: Self.browserTimeoutMilliseconds, context.dependencies.time)
  }

  /// Signs in, and records the metrics of the call.
  func run(_ prompt: ((SignInPrompt) -> Void)?) throws(TesseraError) -> TokenResult {
    try context.metrics.measure(.acquireTokenInteractive, token: { $0 }) {
      () throws(TesseraError) in try signIn(prompt)
    }
  }

  /// Signs in through the identity broker if it is configured, otherwise in a browser.
  private func signIn(_ prompt: ((SignInPrompt) -> Void)?) throws(TesseraError) -> TokenResult {
    try context.dependencies.stack.check(.signIn)
    try RequestRules.browser(request)
    guard context.configuration.broker != .never else { return try runInBrowser(prompt) }
    let brokered = BrokeredSignIn(
      context: context, request: request.options, serverClient: serverClient,
      windowLimits: userLimits)
    var brokerError: TesseraError?
    if let result = try brokered.run(&brokerError) { return result }
    do throws(TesseraError) {
      var result = try runInBrowser(prompt)
      result.brokers = brokerError.map { [BrokerVisit(skipped: $0)] } ?? []
      return result
    } catch {
      throw brokerError.map { error.caused(by: $0) } ?? error
    }
  }

  private func runInBrowser(
    _ prompt: ((SignInPrompt) -> Void)?
  ) throws(TesseraError) -> TokenResult {
    try context.checkDelivery(request.browser)
    try checkResponseMode()
    var (page, pending, authority) = try flow.begin(request.options)
    // Do not let the user sign in if the store cannot save the tokens.
    try context.cache.checkWritableForSignIn(within: flow.serverClient.limits)
    let (response, reason) = try authorize(&page, &pending, authority, prompt)
    let authorities = try flow.prepare(response, at: authority)
    var result = try flow.redeem(response, of: pending, at: authorities)
    result.browserReason = reason.nonBlank
    return result
  }

  /// Lets the user sign in on the provider's page, and returns the response to this sign-in.
  private func authorize(
    _ page: inout AuthorizationRequest, _ pending: inout PendingAuthorization,
    _ authority: ResolvedAuthority, _ prompt: ((SignInPrompt) -> Void)?
  ) throws(TesseraError) -> (AuthorizationResponse, reason: String) {
    let time = context.dependencies.time
    var browserRequest = BrowserRequest(
      redirectURI: context.redirectURI.text, preferences: request.browser,
      timeout: userLimits.timeLeft(time), cancellation: userLimits.cancellation, prompt: prompt)
    browserRequest.messages = UserMessages(context.configuration.userMessages)
    let session = try context.dependencies.browser.session(browserRequest)
    defer { session.close() }
    page.redirectURI = session.redirectURI
    pending.redirectURI = session.redirectURI
    let expected = pending.expectation(of: authority)
    try session.open(page.address)
    while true {
      let redirect = try session.next()
      do throws(WireError) {
        if let response = try AuthorizationResponse(redirect, matching: expected) {
          session.reply(BrowserReply(response, correlationID: pending.correlationID))
          return (response, session.reason)
        }
      } catch {
        let error = TesseraError(error)
        session.reply(.failure(error))
        throw error
      }
      session.reply(.foreign)
      try userLimits.check(time)
    }
  }

  private func checkResponseMode() throws(TesseraError) {
    guard context.redirectURI.kind != .scheme || request.options.responseMode == .query else {
      throw TesseraError(
        .fixRequest, .invalidMember,
        "response_mode \"form_post\" is not supported with a custom scheme as redirect_uri: use \"query\"."
      )
    }
  }
}

extension BrowserReply {
  /// Creates the reply to the response that ends a sign-in.
  fileprivate init(_ response: AuthorizationResponse, correlationID: String) {
    guard case .errorResponse(let errorResponse) = response.content else {
      self = .success
      return
    }
    self = .failure(TesseraError(errorResponse, correlationID: correlationID))
  }
}
