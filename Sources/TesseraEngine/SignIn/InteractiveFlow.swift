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
    self.serverClient = serverClient
    flow = AuthorizationFlow(context, serverClient)
    userLimits = limits.bounded(
      milliseconds: Self.browserTimeoutMilliseconds, context.dependencies.time)
  }

  /// Signs in through the identity broker if it is configured, otherwise in a browser.
  func run(_ prompt: ((SignInPrompt) -> Void)?) throws(TesseraError) -> TokenResult {
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
    let prepared = try flow.begin(request.options)
    // Do not let the user sign in if the store cannot save the tokens.
    try context.cache.checkWritableForSignIn(within: flow.serverClient.limits)
    let waiting = SpinLock<PendingSignIn?>(nil)
    let authority = prepared.authority
    let answer = try context.dependencies.browser.answer(
      to: BrowserRequest(
        redirectURI: context.redirectURI.text, preferences: request.browser,
        messages: UserMessages(context.configuration.userMessages),
        page: { redirectURI in
          let (pending, address) = flow.pendingSignIn(for: prepared, redirectURI: redirectURI)
          waiting.withLock { $0 = pending }
          return address
        },
        classify: { answer in
          guard let pending = waiting.withLock({ $0 }) else { return .foreign }
          return pending.classify(on: answer, of: authority)
        }, prompt: prompt),
      within: userLimits)
    guard let pending = waiting.withLock({ $0 }) else {
      throw TesseraError(
        .reportBug, .internalError,
        "The browser returned a response before the sign-in page was opened.")
    }
    let response = try TesseraError.wrapping { () throws(WireError) in
      try AuthorizationResponse(answer.answer, to: pending.expectation(of: authority))
    }
    let authorities = try flow.prepare(response, at: authority)
    var result = try flow.redeem(response, of: pending, at: authorities)
    result.browserReason = answer.reason.nonBlank
    return result
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

extension PendingSignIn {
  /// Returns the verdict on a redirect response.
  ///
  /// A response with the right state ends the sign-in, even if it is otherwise invalid.
  func classify(
    on answer: RawAuthorizationResponse, of authority: ResolvedAuthority
  ) -> RedirectClassification {
    guard AuthorizationResponse.matchesState(answer, to: secrets.state) else { return .foreign }
    do throws(WireError) {
      let response = try AuthorizationResponse(answer, to: expectation(of: authority))
      guard case .errorResponse(let errorResponse) = response.content else { return .success }
      return .failure(TesseraError(errorResponse, correlationID: correlationID))
    } catch {
      return .failure(TesseraError(error))
    }
  }
}
