// SPDX-License-Identifier: MIT
// The device code flow.

import TesseraCache
package import TesseraWire

/// A sign-in with a device code.
struct DeviceCodeFlow {
  private let context: FlowContext
  private let request: DeviceCodeRequest
  private let scopes: Scopes
  private let authority: Authority
  private let serverClient: ServerClient
  private let extras: ExtraParameters
  /// Measures the time spent on network requests; `nil` unless an explanation was requested.
  private let stopwatch: Stopwatch?

  /// Signs in, and records the metrics of the call.
  static func run(
    _ context: FlowContext, _ request: DeviceCodeRequest, _ cancellation: Cancellation?,
    _ prompt: (DeviceCodePrompt) -> Void
  ) throws(TesseraError) -> TokenResult {
    try context.metrics.measure(.acquireTokenByDeviceCode, token: { $0 }) {
      () throws(TesseraError) in try DeviceCodeFlow(context, request, cancellation).run(prompt)
    }
  }

  /// Checks the request.
  private init(
    _ context: FlowContext, _ request: DeviceCodeRequest,
    _ cancellation: Cancellation?
  ) throws(TesseraError) {
    try context.checkBroker("The device code flow")
    self.context = context
    self.request = request
    authority = try context.authority(named: request.authority)
    scopes = try RequestRules.scopes(
      request.scopes, of: context.configuration.clientID, at: authority)
    try RequestRules.claims(request.claims, at: authority)
    try RequestRules.correlationID(request.correlationID)
    extras = try context.configuration.extras(
      request.extraTokenParameters, request.extraQueryParameters)
    var dependencies = context.dependencies
    stopwatch =
      request.explains ? Stopwatch(dependencies.transport, dependencies.time) : nil
    if let stopwatch { dependencies.transport = stopwatch }
    var serverClient = ServerClient(
      dependencies,
      limits: CallLimits(
        timeout: request.timeout, cancellation: cancellation,
        time: dependencies.time),
      correlationID: request.correlationID
    ).identified()
    serverClient.telemetry = context.telemetry(of: .deviceCode)
    serverClient.traceContext = try request.traceContext()
    self.serverClient = serverClient
  }

  /// Signs in, and adds an explanation with the durations if one was requested.
  private func run(_ prompt: (DeviceCodePrompt) -> Void) throws(TesseraError) -> TokenResult {
    let time = context.dependencies.time
    let began = time.monotonicNanoseconds
    var result = try signIn(prompt)
    guard let stopwatch else { return result }
    var explanation = Explanation(
      signIn: result, authority, scopes, store: context.configuration.store.kind)
    explanation.networkMicroseconds = stopwatch.microseconds
    explanation.totalMicroseconds = Stopwatch.microseconds(since: began, time)
    result.explanation = explanation
    return result
  }

  private func signIn(_ prompt: (DeviceCodePrompt) -> Void) throws(TesseraError) -> TokenResult {
    try serverClient.limits.check(context.dependencies.time)
    // Check this before the user is prompted.
    try context.dependencies.stack.check(.signIn)
    let resolved = try context.resolver.resolve(authority, serverClient)
    let authorization = try authorize(resolved)
    let messages = UserMessages(context.configuration.userMessages)
    prompt(DeviceCodePrompt(authorization, message: messages.deviceCode(of: authorization)))
    let document = try poll(authorization, resolved)
    let tokenRecords = try TokenResponseRecords(
      document, context.expectation(of: resolved, scopes))
    return try context.storeSignIn(
      tokenRecords, at: (authority, resolved), scopes, answering: request.claims,
      requestsRefreshToken: offlineAccess.isRequested)
  }

  private var offlineAccess: OfflineAccess {
    context.configuration.offlineAccess(at: authority)
  }

  private func authorize(
    _ resolved: ResolvedAuthority
  ) throws(TesseraError) -> DeviceAuthorization {
    guard let endpoint = resolved.configuration.deviceAuthorizationEndpoint else {
      throw TesseraError(
        .fixConfiguration, .flowUnsupported,
        "\(authority.text) has no device authorization endpoint: sign in with a browser.")
    }
    var message = DeviceAuthorizationRequest(
      clientID: context.configuration.clientID, scopes: scopes.union(offlineAccess.scopes),
      claims: ClaimsRequest.parameter(
        request.claims, capabilities: context.configuration.sortedCapabilities))
    let subject = AuthenticatedRequest(
      clientID: message.clientID, endpoint: endpoint, authority: resolved, claims: message.claims,
      correlationID: serverClient.correlationID)
    let outcome = try serverClient.authenticated(subject) { authentication throws(TesseraError) in
      message.authentication = authentication
      return try serverClient.send(
        message.httpRequest(to: extras.endpoint(endpoint)), to: authority)
    }
    switch outcome {
    case .errorResponse(let errorResponse):
      let error = TesseraError(errorResponse, correlationID: serverClient.correlationID)
      guard !authority.isMicrosoft else { throw error }
      throw error.withAdvice(on: offlineAccess, context.configuration, showsPage: false)
    case .success(let document):
      return try TesseraError.wrapping { () throws(WireError) in
        try DeviceAuthorization(document.json, receivedAt: document.responseTime.at)
      }
    }
  }

  private func poll(
    _ authorization: DeviceAuthorization, _ resolved: ResolvedAuthority
  ) throws(TesseraError) -> ReceivedDocument {
    let time = context.dependencies.time
    // The lifetime of the code is measured with the monotonic clock, because the wall clock may be set during the
    // sign-in.
    let life = max(authorization.expiresAt.seconds(since: time.now), 0)
    let end = time.monotonicNanoseconds(inSeconds: life)
    var wait = authorization.intervalSeconds
    var interval = authorization.intervalSeconds
    while time.monotonicNanoseconds(inSeconds: wait) <= end {
      try time.wait(nanoseconds: .nanoseconds(in: wait), within: serverClient.limits)
      switch try attempt(authorization, resolved, interval) {
      case .tokens(let document): return document
      case .poll(.wait(let seconds, let next)): (wait, interval) = (seconds, next)
      case .poll(.fail(let error)): throw error.withAppProtectionDetails(authority, nil)
      }
    }
    throw TesseraError(
      .signIn, .codeExpired,
      "The device code expired before the user entered it: start the sign-in again.")
  }

  private enum Attempt {
    case tokens(ReceivedDocument)
    case poll(DeviceCodePoll)
  }

  private func attempt(
    _ authorization: DeviceAuthorization, _ resolved: ResolvedAuthority, _ interval: Int64
  ) throws(TesseraError) -> Attempt {
    let tokenRequest = TokenRequest(
      grant: .deviceCode(authorization.deviceCode), clientID: context.configuration.clientID,
      scopes: Scopes([]), requestsClientInfo: authority.isEntra)
    do throws(TesseraError) {
      let outcome = try serverClient.redeem(
        tokenRequest.adding(extras), at: resolved.configuration.tokenEndpoint, of: resolved)
      switch outcome {
      case .success(let document): return .tokens(document)
      case .errorResponse(let errorResponse):
        return .poll(
          DeviceCodePoll(
            errorResponse, intervalSeconds: interval, correlationID: serverClient.correlationID))
      }
    } catch {
      return .poll(DeviceCodePoll(error, intervalSeconds: interval))
    }
  }
}

extension DeviceCodePrompt {
  fileprivate init(_ authorization: DeviceAuthorization, message: String) {
    self.init(
      userCode: authorization.userCode, verificationURI: authorization.verificationURI,
      verificationURIComplete: authorization.verificationURIComplete,
      message: message, expiresOn: authorization.expiresAt,
      interval: .seconds(authorization.intervalSeconds))
  }
}

/// The next step of the device code flow after a poll without tokens.
package enum DeviceCodePoll: Sendable {
  /// Wait the given number of seconds, then poll again. The interval applies to all later polls.
  case wait(seconds: Int64, interval: Int64)
  /// Stop polling and throw an error.
  case fail(TesseraError)

  /// Decides the next step after an error response.
  package init(_ errorResponse: ServerError, intervalSeconds: Int64, correlationID: String) {
    switch errorResponse.error?.lowercased() {
    case "authorization_pending":
      self = .wait(seconds: intervalSeconds, interval: intervalSeconds)
    case "slow_down":
      // RFC 8628 section 3.5: increase the interval by five seconds for this and all later polls.
      self = .wait(seconds: intervalSeconds + 5, interval: intervalSeconds + 5)
    case _ where errorResponse.isTemporary:
      let seconds = DeviceCodePoll.doubledInterval(intervalSeconds)
      self = .wait(seconds: max(seconds, errorResponse.retryAfterSeconds ?? 0), interval: seconds)
    default:
      self = .fail(TesseraError(ofCode: errorResponse, correlationID: correlationID))
    }
  }

  /// Decides the next step after a failed request.
  ///
  /// RFC 8628 section 3.5 requires exponential backoff if the server cannot be reached.
  package init(_ error: TesseraError, intervalSeconds: Int64) {
    let seconds = DeviceCodePoll.doubledInterval(intervalSeconds)
    self = error.code == .networkFailed ? .wait(seconds: seconds, interval: seconds) : .fail(error)
  }

  /// Returns twice the interval, but at most 60 seconds.
  ///
  /// A longer interval of the server is kept.
  private static func doubledInterval(_ intervalSeconds: Int64) -> Int64 {
    max(intervalSeconds, min(intervalSeconds * 2, 60))
  }
}
