// SPDX-License-Identifier: MIT
// Requests to the endpoints of an authority: their resolution, and what the responses must contain.

import Synchronization
package import TesseraCache
package import TesseraWire

/// Resolves the endpoints of authorities on demand and caches them for all processes of the user.
package final class AuthorityResolver: Sendable {
  private let dependencies: Dependencies
  private let usesInstanceDiscovery: Bool
  /// The hosts that the application configuration declares as trusted.
  private let knownHosts: Set<String>
  private let cachedRecords = SpinLock<[Authority: DiscoveryRecord]>([:])
  /// The times on the monotonic clock until which a failed discovery is not retried.
  private let retryTimes = SpinLock<[Authority: UInt64]>([:])

  /// Creates a resolver with an empty cache.
  package init(
    _ dependencies: Dependencies, usesInstanceDiscovery: Bool, knownHosts: Set<String> = []
  ) {
    self.dependencies = dependencies
    self.usesInstanceDiscovery = usesInstanceDiscovery
    self.knownHosts = knownHosts
  }

  /// Returns the authority with its endpoints.
  ///
  /// A cached discovery document is valid for one day. Then it is fetched again. If the server is unavailable, the
  /// stale document is used with a warning.
  ///
  /// - Parameter snapshot: A snapshot that includes ``unreadKey(of:)``; `nil` to read the record if necessary.
  package func resolve(
    _ authority: Authority, _ serverClient: ServerClient, in snapshot: CacheSnapshot? = nil
  ) throws(TesseraError) -> ResolvedAuthority {
    let record = newestRecord(of: authority, snapshot, serverClient.limits)
    if let record, record.isFresh(at: dependencies.time.now),
      let resolved = try resolved(authority, record)
    {
      return resolved
    }
    guard let record, var old = try? resolved(authority, record) else {
      return try discover(authority, serverClient, after: record)
    }
    if !isBackingOff(authority) {
      do throws(TesseraError) {
        return try discover(
          authority, serverClient.within(halved(serverClient.limits)), after: record)
      } catch {
        try serverClient.limits.check(dependencies.time)
        guard error.isRetryable || error.code == .deadlineExceeded else { throw error }
        backOff(authority)
      }
    }
    old.warnings.append(
      "The discovery document of \(authority.text) is older than one day and could not be fetched again; the cached document was used."
    )
    return old
  }

  private func discover(
    _ authority: Authority, _ serverClient: ServerClient, after old: DiscoveryRecord?
  ) throws(TesseraError) -> ResolvedAuthority {
    let needsDiscovery = requiresInstanceDiscovery(about: authority)
    // Keep a verified cloud: an application whose configuration trusts the host must not replace it by an unverified one.
    let known = old?.trustedCloud(of: authority) ?? authority.cloud
    let cloud = needsDiscovery ? try cloud(of: authority, serverClient) : known
    let configuration = try configuration(of: authority, serverClient)
    let resolved = try ResolvedAuthority(authority, configuration, cloud: cloud)
    cache(authority, resolved, isVerified: needsDiscovery, after: old, serverClient.limits)
    return resolved
  }

  /// Returns the authority of a cached record, or `nil` if the record has no discovery document.
  private func resolved(
    _ authority: Authority, _ record: DiscoveryRecord
  ) throws(TesseraError) -> ResolvedAuthority? {
    guard let configuration = record.configuration else { return nil }
    return try ResolvedAuthority(
      authority, configuration, cloud: record.trustedCloud(of: authority))
  }

  /// Returns the environments under which records of an authority may be stored, without network access.
  package func environments(of authority: Authority, within limits: CallLimits) -> [String] {
    guard let builtIn = authority.cloud else { return [authority.issuerEnvironment ?? ""] }
    let isKnown =
      authority.type != .entra || CloudTable.cloud(of: authority.address.authority) != nil
    let cloud =
      isKnown ? builtIn : record(of: authority, limits)?.trustedCloud(of: authority) ?? builtIn
    return [cloud.preferredCache] + cloud.aliases
  }

  /// The clouds from instance discovery that this process has cached, except those of loopback authorities.
  package var discoveredClouds: [CloudInstance] {
    cachedRecords.withLock { records in
      records.filter { !$0.key.address.isLoopback }
        .compactMap { authority, record in record.trustedCloud(of: authority) }
    }
  }

  private func record(of authority: Authority, _ limits: CallLimits) -> DiscoveryRecord? {
    cachedRecords.withLock { $0[authority] } ?? storedRecord(of: authority, limits)
  }

  /// Returns the key of the stored record, or `nil` if this process has cached a fresh one.
  package func unreadKey(of authority: Authority) -> RecordKey? {
    let own = cachedRecords.withLock { $0[authority] }
    if let own, own.isFresh(at: dependencies.time.now) { return nil }
    return DiscoveryRecord.key(authority: authority.text)
  }

  /// Returns the cached record of this process, or a newer one from the store.
  private func newestRecord(
    of authority: Authority, _ snapshot: CacheSnapshot?, _ limits: CallLimits
  ) -> DiscoveryRecord? {
    let own = cachedRecords.withLock { $0[authority] }
    if let own, own.isFresh(at: dependencies.time.now) { return own }
    guard let snapshot else { return storedRecord(of: authority, limits) ?? own }
    return record(of: authority, in: snapshot) ?? own
  }

  private func storedRecord(of authority: Authority, _ limits: CallLimits) -> DiscoveryRecord? {
    var selection = SnapshotSelection()
    selection.keys = [DiscoveryRecord.key(authority: authority.text)]
    // If the store cannot be read, the document is fetched from the server.
    let snapshot = try? dependencies.store.snapshot(selection, within: limits)
    return snapshot.flatMap { record(of: authority, in: $0) }
  }

  /// Returns the record in a snapshot, and caches it, unless this application must not use it.
  private func record(of authority: Authority, in snapshot: CacheSnapshot) -> DiscoveryRecord? {
    guard let record = snapshot.discovery(of: authority.text),
      record.isVerified || !requiresInstanceDiscovery(about: authority)
    else { return nil }
    cachedRecords.withLock { $0[authority] = record }
    return record
  }

  private func cache(
    _ authority: Authority, _ resolved: ResolvedAuthority, isVerified: Bool,
    after old: DiscoveryRecord?, _ limits: CallLimits
  ) {
    let record = DiscoveryRecord(
      authority: authority.text, configuration: resolved.configuration, cloud: resolved.cloud,
      isVerified: isVerified, at: dependencies.time.now)
    cachedRecords.withLock { $0[authority] = record }
    // Keep the old record in the store: a verified record is usable by more applications than an unverified one.
    if old?.isVerified == true, !isVerified { return }
    do throws(TesseraError) {
      try dependencies.store.commit(CacheChange([.put(.discovery(record))]), within: limits)
    } catch {
      dependencies.log.write(
        .warning, "The discovery document could not be stored: \(error.code.rawValue)")
    }
  }

  /// Returns whether the host of an authority requires instance discovery.
  ///
  /// Built-in hosts and the known hosts of the configuration do not. Neither do authorities other than Entra, for which
  /// Microsoft publishes no list of hosts.
  private func requiresInstanceDiscovery(about authority: Authority) -> Bool {
    let host = authority.address.authority
    return authority.type == .entra && usesInstanceDiscovery && CloudTable.cloud(of: host) == nil
      && !knownHosts.contains(host)
  }

  /// Verifies the host by instance discovery, and returns its cloud.
  ///
  /// The instance discovery of the public cloud must list the host. A provider at a loopback address is trusted for its own
  /// host only.
  private func cloud(
    of authority: Authority, _ serverClient: ServerClient
  ) throws(TesseraError) -> CloudInstance? {
    let host = authority.address.authority
    let origin =
      authority.address.isLoopback
      ? authority.address.origin : "https://" + CloudTable.trustedHost
    let request = InstanceDiscoveryRequest(discoveryOrigin: origin, authority: authority.text)
    let json = try serverClient.document(request.httpRequest, of: authority)
    let cloud = try TesseraError.wrapping { () throws(WireError) in
      try InstanceDiscovery(json).cloud(of: host)
    }
    return CloudInstance.trusted(cloud, isVerified: true, for: authority)
  }

  private func configuration(
    of authority: Authority, _ serverClient: ServerClient
  ) throws(TesseraError) -> OpenIDConfiguration {
    let json = try serverClient.document(.get(authority.configurationURL), of: authority)
    return try TesseraError.wrapping { () throws(WireError) in try OpenIDConfiguration(json) }
  }
}

extension AuthorityResolver {
  /// Returns the authority with its token endpoint only, without a discovery request at a Microsoft cloud.
  ///
  /// The endpoints of Entra tenants differ only in the tenant, so a service with many tenants needs no document of each.
  /// Other authorities are resolved as by ``resolve(_:_:in:)``.
  package func resolveTokenEndpoint(
    of authority: Authority, _ serverClient: ServerClient, in snapshot: CacheSnapshot? = nil
  ) throws(TesseraError) -> ResolvedAuthority {
    guard case .entra(let tenant) = authority.kind,
      let cloud = CloudTable.cloud(of: authority.address.authority)
    else { return try resolve(authority, serverClient, in: snapshot) }
    return try ResolvedAuthority(
      authority, OpenIDConfiguration(entraAt: authority.address.origin, tenant: tenant),
      cloud: cloud)
  }

  /// The backoff after a failed discovery while a stale document is cached, in seconds.
  private static let backoffSeconds: Int64 = 300
  /// The timeout for refreshing a stale document, in milliseconds.
  private static let refreshTimeoutMilliseconds: Int64 = 10_000

  private func isBackingOff(_ authority: Authority) -> Bool {
    let now = dependencies.time.monotonicNanoseconds
    return retryTimes.withLock { $0[authority] ?? 0 } > now
  }

  private func backOff(_ authority: Authority) {
    let end = dependencies.time.monotonicNanoseconds(inSeconds: AuthorityResolver.backoffSeconds)
    retryTimes.withLock { $0[authority] = end }
  }

  /// Returns limits with half of the remaining time, because the token request follows.
  private func halved(_ limits: CallLimits) -> CallLimits {
    let time = dependencies.time
    let half = limits.nanosecondsLeft(time).map { Int64(clamping: $0 / 2_000_000) } ?? .max
    return limits.atMost(
      milliseconds: min(half, AuthorityResolver.refreshTimeoutMilliseconds), time)
  }
}

/// The context in which one call communicates with servers.
package struct ServerClient: Sendable {
  /// The response of a server.
  package enum Outcome: Sendable {
    /// A successful response with its document.
    case success(ReceivedDocument)
    /// An error response.
    case errorResponse(ServerError)
  }

  package let dependencies: Dependencies
  package var limits: CallLimits
  /// The correlation ID, sent to Microsoft's authorities and reported in errors; empty before ``identified()``.
  package private(set) var correlationID: String
  /// The account of the request, by which Entra routes it to its region; `nil` to omit the header field.
  package var homeAccountID: String?
  /// The trace context of the call, sent with each request; `nil` for none.
  package var traceContext: TraceContext?
  /// The telemetry for Entra; `nil` for none.
  var telemetry: CallTelemetry?

  /// Creates the context of one call.
  package init(_ dependencies: Dependencies, limits: CallLimits, correlationID: String? = nil) {
    self.dependencies = dependencies
    self.limits = limits
    self.correlationID = correlationID ?? ""
  }

  /// Returns the context with a correlation ID.
  ///
  /// Only a call that sends a request needs one.
  package func identified() -> ServerClient {
    guard correlationID.isEmpty else { return self }
    var serverClient = self
    serverClient.correlationID = dependencies.randomness.uuid()
    return serverClient
  }

  /// Returns the context with other limits.
  package func within(_ limits: CallLimits) -> ServerClient {
    var serverClient = self
    serverClient.limits = limits
    return serverClient
  }

  /// Sends a request to an endpoint of an authority.
  package func send(
    _ request: HTTPRequest, to authority: Authority
  ) throws(TesseraError) -> Outcome {
    let response = try response(to: request, at: authority)
    let sent = RequestSecrets(request)
    if let errorResponse = ServerError(response, sent: sent) {
      return .errorResponse(errorResponse)
    }
    guard let json = response.json else { throw unreadable(response, to: request) }
    return .success(ReceivedDocument(json, responseTime(of: response), sent: sent))
  }

  private func unreadable(_ response: HTTPResponse, to request: HTTPRequest) -> TesseraError {
    let origin = WebURL(request.url)?.origin ?? ""
    var error = TesseraError(
      .retryLater, .invalidResponse,
      "The response of \(origin) is not a JSON object; possibly a proxy or a captive portal responded instead."
    ).caused(by: TesseraError.Cause(status: response.status))
    let sent = RequestSecrets(request)
    error.correlationID =
      sent.removed(from: response.correlationID) ?? (correlationID.isEmpty ? nil : correlationID)
    error.traceID = sent.removed(from: response.traceID)
    return error
  }

  /// Sends a request with a response that has no content, such as a revocation.
  ///
  /// - Throws: The error of an error response.
  package func sendWithoutContent(_ request: HTTPRequest, to authority: Authority)
    throws(TesseraError)
  {
    let response = try response(to: request, at: authority)
    guard let errorResponse = ServerError(response, sent: RequestSecrets(request)) else { return }
    throw TesseraError(errorResponse, correlationID: correlationID)
  }

  private func response(
    to request: HTTPRequest, at authority: Authority
  ) throws(TesseraError) -> HTTPResponse {
    var request = request
    request.headers += headers(to: authority) + (traceContext?.headers ?? [])
    let origin = WebURL(request.url)?.origin ?? ""
    try TesseraError.beforeSending { () throws(TesseraError) in
      try limits.check(dependencies.time)
    }
    dependencies.log.write(.detail, "\(request.method) \(origin), correlation ID \(correlationID)")
    let response = try dependencies.transport.send(request, within: limits)
    dependencies.log.write(.detail, "\(origin) returned status \(response.status)")
    return response
  }

  private func responseTime(of response: HTTPResponse) -> ResponseTime {
    let time = dependencies.time
    let responseTime = ResponseTime(of: response, at: time.now, bootTime: time.bootTime)
    if responseTime.serverAheadSeconds.magnitude > 300 {
      dependencies.log.write(
        .warning,
        "The clock of this machine is \(responseTime.serverAheadSeconds.magnitude) seconds \(responseTime.serverAheadSeconds > 0 ? "behind" : "ahead of") the server's."
      )
    }
    return responseTime
  }

  /// Fetches a discovery document.
  package func document(
    _ request: HTTPRequest, of authority: Authority
  ) throws(TesseraError) -> JSONObject {
    switch try send(request, to: authority) {
    case .success(let document): return document.json
    case .errorResponse(let errorResponse) where errorResponse.isTemporary:
      throw TesseraError(errorResponse, correlationID: correlationID)
    case .errorResponse(let errorResponse)
    where errorResponse.status < 400 && errorResponse.error == nil:
      // A captive portal redirects. The authority itself may be valid.
      throw TesseraError(
        .retryLater, .invalidResponse,
        "The discovery request to \(authority.text) returned status \(errorResponse.status); possibly a proxy or a captive portal responded instead."
      ).caused(by: TesseraError.Cause(status: errorResponse.status))
    case .errorResponse(let errorResponse):
      var error = TesseraError(errorResponse, correlationID: correlationID)
      error.remedy = .fixConfiguration
      error.code = .invalidAuthority
      error.message =
        "\(authority.text) is not a valid authority: its discovery request returned status \(errorResponse.status)."
        + authority.entraHint()
      throw error
    }
  }
}

extension TesseraError {
  /// Runs a parser of server messages, and converts its errors.
  ///
  /// - Parameter sent: The secrets of the request, which are removed from the error message.
  package static func wrapping<Value>(
    without sent: RequestSecrets = RequestSecrets(), _ body: () throws(WireError) -> Value
  ) throws(TesseraError) -> Value {
    do throws(WireError) {
      return try body()
    } catch {
      throw TesseraError(WireError(error.code, sent.removed(from: error.message)))
    }
  }
}

extension ServerClient {
  /// Returns the additional header fields of a request to an authority.
  ///
  /// All requests of a call have the same correlation ID. No information about the machine, the operating system or the
  /// application is sent. Telemetry about earlier calls is added to token requests only, if the configuration enables it.
  func headers(to authority: Authority) -> [HTTPHeader] {
    guard authority.isMicrosoft else { return [] }
    var headers = [
      HTTPHeader("client-request-id", correlationID),
      HTTPHeader("return-client-request-id", "true"),
      HTTPHeader("x-client-SKU", "Tessera"), HTTPHeader("x-client-Ver", TesseraVersion.text),
    ]
    if authority.type == .entra, let anchorMailbox = anchorMailbox {
      headers.append(HTTPHeader("X-AnchorMailbox", anchorMailbox))
    }
    return headers
  }

  /// The account in the form by which Entra routes the request to its region, even if another region is down.
  private var anchorMailbox: String? {
    guard let account = homeAccountID, let dot = account.firstIndex(of: ".") else { return nil }
    let parts = [account[..<dot], account[account.index(after: dot)...]]
    // The identifier came from a token response, so it may contain characters that are invalid in a header field.
    guard parts.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy { (0x21...0x7E).contains($0) } })
    else { return nil }
    return "Oid:\(parts.joined(separator: "@"))"
  }
}

extension ServerClient {
  /// Sends a token request, with the credential of a confidential client.
  ///
  /// If the server rejects the credential, and another one has replaced it, the request is sent once more.
  ///
  /// - Throws: `stackTooSmall` if the stack is too small to store the response, because a credential can be redeemed only
  ///   once.
  package func redeem(
    _ request: TokenRequest, at endpoint: String, of authority: ResolvedAuthority
  ) throws(TesseraError) -> Outcome {
    try TesseraError.beforeSending { () throws(TesseraError) in
      try dependencies.stack.check(.credential)
    }
    let subject = AuthenticatedRequest(
      clientID: request.clientID, endpoint: endpoint, authority: authority, claims: request.claims,
      correlationID: correlationID)
    return try authenticated(subject) { authentication throws(TesseraError) in
      var request = request
      request.authentication = authentication
      return try redeem(request.httpRequest(to: endpoint), request.grant, of: authority.authority)
    }
  }

  /// Sends a request with the credential of a confidential client, or without one.
  ///
  /// If the server rejects the credential, and another one has replaced it, the request is sent once more.
  package func authenticated(
    _ request: AuthenticatedRequest,
    _ send: (ClientAuthentication?) throws(TesseraError) -> Outcome
  ) throws(TesseraError) -> Outcome {
    guard let authenticator = dependencies.authenticator else { return try send(nil) }
    let credential = try authenticator.credential(for: request)
    let outcome = try send(credential.authentication)
    guard case .errorResponse(let rejection) = outcome,
      let other = authenticator.replacement(for: credential, rejection, in: request)
    else { return outcome }
    dependencies.log.write(
      .information, "The server rejected the credential, which was replaced: trying the new one")
    return try send(other.authentication)
  }

  private func redeem(
    _ message: HTTPRequest, _ grant: TokenRequest.Grant, of authority: Authority
  ) throws(TesseraError) -> Outcome {
    var message = message
    message.spendsCredential = true
    guard let telemetry, authority.type == .entra else { return try send(message, to: authority) }
    let host = authority.address.authority
    let report = telemetry.history.report(to: host)
    message.headers += [
      HTTPHeader("x-client-current-telemetry", telemetry.current.text),
      HTTPHeader("x-client-last-telemetry", report.text),
    ]
    do throws(TesseraError) {
      let outcome = try send(message, to: authority)
      switch outcome {
      case .success: telemetry.history.removeReported(report, at: host)
      case .errorResponse(let errorResponse) where errorResponse.isPending: break
      case .errorResponse(let errorResponse):
        var error = TesseraError(ofCode: errorResponse, correlationID: correlationID)
        if case .refreshToken = grant {
          error = TesseraError(errorResponse, correlationID: correlationID)
        }
        record(error, telemetry, at: host)
      }
      return outcome
    } catch {
      record(error, telemetry, at: host)
      throw error
    }
  }

  /// Records the failure of a request, unless the user or the application cancelled it.
  private func record(_ error: TesseraError, _ telemetry: CallTelemetry, at host: String) {
    guard error.remedy != .cancelled else { return }
    telemetry.history.record(
      LastTelemetry.Failure(
        apiID: telemetry.current.apiID, correlationID: correlationID, error: error.code.rawValue),
      at: host)
  }
}

/// The telemetry of one call, and the history of earlier calls.
struct CallTelemetry: Sendable {
  /// The API IDs of MSAL for Apple.
  ///
  /// The ID for device codes is that of MSAL for Python, because MSAL for Apple has none.
  enum Function: Int, Sendable {
    case silent = 34
    case interactive = 167
    case deviceCode = 622
  }

  let history: TelemetryHistory
  let current: CurrentTelemetry
}

extension RefreshReason {
  /// The refresh reason as MSAL for Apple encodes it.
  var telemetryType: CurrentTelemetry.RefreshType {
    switch self {
    case .claims: .none
    case .forced: .forced
    case .missing: .missing
    case .expired: .expired
    case .due, .doubtful: .proactive
    }
  }
}

/// The history of an application's calls since the last request to each host of Entra.
///
/// It is kept in memory only.
package final class TelemetryHistory: Sendable {
  /// The maximum number of recorded failures for each host, as in MSAL for Apple.
  ///
  /// The oldest one is evicted.
  private static let maximumFailures = 75
  /// The maximum number of hosts.
  ///
  /// If it is exceeded, all are evicted.
  private static let maximumHosts = 10

  private struct History {
    var silentSuccesses = 0
    var failures: [(number: Int, failure: LastTelemetry.Failure)] = []
    var latestNumber = 0
    var hasOverflowed = false
  }

  /// The history by host, so that no host receives the history of another one.
  private let histories = SpinLock<[String: History]>([:])

  package init() {}

  /// The history in a request, which is deleted when the request has succeeded.
  package struct Report: Sendable {
    package let text: String
    fileprivate let silentSuccesses: Int
    fileprivate let reported: Set<Int>
  }

  /// Records a cache hit.
  package func countSilentSuccess(at host: String) {
    change(host) { $0.silentSuccesses = min($0.silentSuccesses, Int(Int32.max)) + 1 }
  }

  /// Records a failed request.
  package func record(_ failure: LastTelemetry.Failure, at host: String) {
    change(host) { history in
      history.latestNumber += 1
      history.failures.append((history.latestNumber, failure))
      let excess = history.failures.count - TelemetryHistory.maximumFailures
      if excess > 0 { history.failures.removeFirst(excess) }
    }
  }

  /// Returns the history to send to a host.
  package func report(to host: String) -> Report {
    let history = histories.withLock { $0[host] } ?? History()
    let telemetry = LastTelemetry(
      silentSuccesses: history.silentSuccesses, failures: history.failures.map(\.failure),
      hasOverflowed: history.hasOverflowed)
    return Report(
      text: telemetry.text, silentSuccesses: history.silentSuccesses,
      reported: Set(history.failures.suffix(telemetry.reportedFailureCount).map(\.number)))
  }

  /// Deletes the history that a host has received.
  ///
  /// Entries added by other threads in the meantime are kept.
  package func removeReported(_ report: Report, at host: String) {
    change(host) { history in
      history.silentSuccesses = max(history.silentSuccesses - report.silentSuccesses, 0)
      history.failures.removeAll { report.reported.contains($0.number) }
      history.hasOverflowed = !history.failures.isEmpty
    }
  }

  private func change(_ host: String, _ body: (inout History) -> Void) {
    histories.withLock { histories in
      if histories[host] == nil, histories.count >= TelemetryHistory.maximumHosts {
        histories = [:]
      }
      body(&histories[host, default: History()])
    }
  }
}

/// Measures the total time of the HTTP requests of one call.
final class Stopwatch: Transport {
  private let transport: any Transport
  private let time: any TimeSource
  private let nanoseconds = Atomic<UInt64>(0)

  init(_ transport: any Transport, _ time: any TimeSource) {
    self.transport = transport
    self.time = time
  }

  func send(
    _ request: HTTPRequest, within limits: CallLimits
  ) throws(TesseraError) -> HTTPResponse {
    let start = time.monotonicNanoseconds
    defer { nanoseconds.wrappingAdd(time.monotonicNanoseconds &- start, ordering: .relaxed) }
    return try transport.send(request, within: limits)
  }

  /// The total time of all requests, in microseconds.
  var microseconds: Int64 { Int64(clamping: nanoseconds.load(ordering: .relaxed) / 1000) }

  /// Returns the microseconds since a reading of the monotonic clock.
  static func microseconds(since start: UInt64, _ time: any TimeSource) -> Int64 {
    Int64(clamping: (time.monotonicNanoseconds &- start) / 1000)
  }
}

/// The expected values of a token response.
package struct TokenExpectation: Sendable {
  /// The authority of the request.
  package var authority: ResolvedAuthority
  package var clientID: String
  /// The scopes that the caller requested.
  package var scopes: Scopes
  /// The account of the expected tokens; `nil` if any account may sign in.
  package var homeAccountID: String?
  /// The client capabilities of the application, in the form stored with its tokens.
  package var requestedClaims: String?
  /// The nonce of the ID token.
  ///
  /// If it is set, an ID token is required.
  package var nonce: Secret?
  /// Whether the ID token may have expired, because a broker may return a cached one.
  package var allowsExpiredIDToken = false

  package init(
    authority: ResolvedAuthority, clientID: String, scopes: Scopes, homeAccountID: String? = nil
  ) {
    self.authority = authority
    self.clientID = clientID
    self.scopes = scopes
    self.homeAccountID = homeAccountID
  }
}

extension TokenExpectation {
  /// Validates the ID token of a response and returns its claims; `nil` if there is none.
  ///
  /// - Throws: ``WireError`` for an unknown token type, and for an ID token of another issuer or application.
  package func checkedClaims(
    of response: TokenResponse, at now: Instant
  ) throws(WireError) -> IDTokenClaims? {
    try response.checkType()
    if authority.authority.isEntra, response.clientInfo == nil {
      throw WireError("client_info_missing", "The token response has no client_info.")
    }
    guard let secret = response.idToken else {
      guard nonce == nil else {
        throw WireError(
          "id_token_missing", "The token response has no ID token, although one was requested.")
      }
      return nil
    }
    let token = try JSONWebToken(secret)
    var check = IDTokenValidator(
      issuer: authority.configuration.issuer, clientID: clientID,
      nonce: nonce?.reveal(), now: homeAccountID == nil && !allowsExpiredIDToken ? now : nil)
    check.ignoresCase = authority.authority.isEntra
    try check.check(token)
    let claims = IDTokenClaims(token)
    try authority.authority.checkTenant(
      claims.tenantID, issuer: authority.configuration.issuer)
    return claims
  }

  /// The tenant of tokens without a tenant claim.
  package var tenant: String {
    authority.authority.tenant
  }
}

extension TokenResponse {
  /// Checks the type of the access token.
  ///
  /// RFC 6749 section 7.1: a token of an unknown type must not be used.
  fileprivate func checkType() throws(WireError) {
    guard tokenType.normalised == "bearer" else {
      throw WireError(
        "token_type_unknown", "The token response has a token_type other than Bearer.")
    }
  }
}

extension TokenResponseRecords {
  /// Validates a token response and creates its records.
  ///
  /// - Throws: `fixConfiguration` for an ID token of another issuer or application, `retryLater` for an invalid response,
  ///   `signIn` for tokens of another account.
  package init(
    _ document: ReceivedDocument, _ expected: TokenExpectation
  ) throws(TesseraError) {
    let authority = expected.authority
    let received = document.responseTime
    self = try TesseraError.wrapping(without: document.sent) { () throws(WireError) in
      var response = try TokenResponse(document.json, received: received)
      if !authority.authority.isEntra { response.clientInfo = nil }
      let claims = try expected.checkedClaims(of: response, at: received.atServer)
      return TokenResponseRecords(
        response: response, claims: claims,
        identity: try TokenIdentity(
          response, claims, tenant: expected.tenant, expected: expected.homeAccountID,
          hasTenants: authority.authority.isEntra),
        clientID: expected.clientID, environment: authority.environment,
        requestedScopes: expected.scopes.union(.reserved), hasFamilies: authority.authority.isEntra,
        received: received)
    }
    // ADFS grants "openid user_impersonation" for any scopes of a resource. Stored under these, the token would never be
    // found.
    trustsRequestedScopes = authority.authority.type == .adfs
    accountType = AccountType(of: authority.authority.type)
    requestedClaims = expected.requestedClaims
    guard let requestedHomeAccountID = expected.homeAccountID else { return }
    guard authority.authority.normalised(requestedHomeAccountID) == identity.homeAccountID else {
      throw TesseraError(
        .signIn, .accountMismatch,
        """
        The server returned tokens of a different account than requested; they were not stored. \
        Sign in with the requested account.
        """
      )
    }
  }

  /// Validates a response to an application without a user, and creates its records.
  ///
  /// The requested scopes count as granted: the same request would be granted the same scopes again.
  ///
  /// - Throws: `retryLater` for an invalid response.
  package init(
    ofApplication document: ReceivedDocument, _ expected: TokenExpectation
  ) throws(TesseraError) {
    let authority = expected.authority
    self = try TesseraError.wrapping(without: document.sent) { () throws(WireError) in
      let response = try TokenResponse(document.json, received: document.responseTime)
      try response.checkType()
      return TokenResponseRecords(
        response: response, claims: nil,
        identity: TokenIdentity(ofApplicationIn: expected.tenant),
        clientID: expected.clientID, environment: authority.environment,
        requestedScopes: expected.scopes, hasFamilies: false, received: document.responseTime)
    }
    trustsRequestedScopes = true
    requestedClaims = expected.requestedClaims
  }

  /// Returns the change that stores the tokens and the resolved authority.
  ///
  /// - Parameters:
  ///   - authority: The authority that issued the tokens.
  ///   - requested: The requested authority, if a sign-in was redirected to another cloud; see
  ///     ``Authority/inCloud(of:discovered:)``.
  ///   - isInstanceAware: Whether the application supports several clouds.
  package func change(
    from authority: ResolvedAuthority, requested: Authority? = nil, isInstanceAware: Bool = false
  ) -> CacheChange {
    var change = change
    if authority.authority.isEntra {
      change.steps.append(
        .signIn(
          homeAccountID: identity.homeAccountID, clientID: clientID,
          requested: (requested ?? authority.authority).text,
          result: authority.resultAuthority(realm: identity.realm),
          isInstanceAware: isInstanceAware))
    }
    return change
  }

  /// Returns the result.
  ///
  /// If the response has no ID token, the one in the snapshot is used.
  ///
  /// - Throws: `retryLater` for a response without an access token or with an invalid account identifier.
  package func result(
    from authority: ResolvedAuthority, before: CacheSnapshot?
  ) throws(TesseraError) -> TokenResult {
    guard let accessToken else {
      throw TesseraError(.retryLater, .invalidResponse, "The token response has no access token.")
    }
    let stored = before?.accounts.filter { $0.homeAccountID == identity.homeAccountID } ?? []
    let older = stored.first { $0.key == account.key }
    let profiles = stored.filter { $0.key != account.key }
    let merged = AccountList.merged([older?.overlaid(with: account) ?? account] + profiles)
    guard
      let account = merged.first(where: { AccountKey.isSameCloud($0.environment, environment) })
    else {
      throw TesseraError(
        .retryLater, .invalidResponse, "The token response contains an invalid account identifier.")
    }
    let oldIDToken = before?.credentials.first { record in
      record.type == .idToken && record.clientID == clientID && record.realm == identity.realm
        && record.environment == environment && record.homeAccountID == identity.homeAccountID
    }
    return TokenResult(
      accessToken: accessToken, idToken: idToken ?? oldIDToken, account: account,
      authority: authority.resultAuthority(realm: identity.realm), source: .network)
  }
}

extension AccountType {
  /// Returns the account type for an authority type.
  fileprivate init(of type: AuthorityType) {
    self =
      switch type {
      case .entra, .b2c, .ciam: .microsoft
      case .adfs: .adfs
      case .openID: .generic
      }
  }
}

extension TesseraError {
  /// Adds the values that the Intune library needs if app protection is required.
  package func withAppProtectionDetails(_ authority: Authority, _ homeAccountID: String?)
    -> TesseraError
  {
    guard code == .protectionPolicyRequired else { return self }
    var error = self
    error.authority = authority.text
    error.homeAccountID = self.homeAccountID ?? homeAccountID?.nonBlank
    return error
  }
}
