// SPDX-License-Identifier: MIT
// A checked request for a token of the application, with the values that its steps share.

import TesseraCache
import TesseraEngine
import TesseraWire

/// A checked request for a token of the application.
struct ClientTokenCall {
  let context: FlowContext
  let request: ClientTokenRequest
  let authority: Authority
  let scopes: Scopes
  let limits: CallLimits
  let extras: ExtraParameters
  /// The hosts under which the tokens may be stored.
  let environments: [String]
  /// The time of the request.
  private let requestedAt: BootTime?
  var serverClient: ServerClient

  /// Checks the request.
  init(
    _ context: FlowContext, _ request: ClientTokenRequest, within limits: CallLimits
  ) throws(TesseraError) {
    self.context = context
    self.request = request
    self.limits = limits
    authority = try context.authority(ofClient: request)
    scopes = try RequestRules.scopes(
      request.scopes, of: context.configuration.clientID, at: authority)
    try RequestRules.claims(request.claims, at: authority)
    try RequestRules.correlationID(request.correlationID)
    try request.checkDigest()
    extras = try context.configuration.extras(
      request.extraTokenParameters, request.extraQueryParameters)
    environments = context.resolver.environments(of: authority, within: limits)
    requestedAt = request.forcesRefresh ? context.dependencies.time.bootTime : nil
    serverClient = ServerClient(
      context.dependencies, limits: limits, correlationID: request.correlationID)
    serverClient.traceContext = try request.traceContext()
  }
}

extension FlowContext {
  /// Returns the authority of a request for a token of the application.
  ///
  /// - Throws: `fixConfiguration` for an application without a credential. `fixRequest` for an invalid tenant, and for an
  ///   authority of users of several tenants.
  fileprivate func authority(
    ofClient request: ClientTokenRequest
  ) throws(TesseraError) -> Authority {
    guard configuration.credential != nil else {
      throw TesseraError(
        .fixConfiguration, .clientRejected,
        "The application has no credential, so it has no tokens of its own: add credential to its configuration."
      )
    }
    guard request.authority == nil || request.tenant == nil else {
      throw TesseraError(
        .fixRequest, .invalidMember, "Pass either \"authority\" or \"tenant\", not both.")
    }
    var authority = try authority(named: request.authority)
    if let tenant = request.tenant {
      authority = try FlowContext.authority(of: tenant, at: authority)
    }
    guard case .entra(let tenant) = authority.kind, CloudTable.sharedTenants.contains(tenant) else {
      return authority
    }
    throw TesseraError(
      .fixRequest, .invalidMember,
      "\(authority.text) is for users of several tenants: set tenant to the one whose resources the application uses."
    )
  }
}

extension FlowContext {
  /// Returns the authority of another tenant at the same host.
  ///
  /// - Throws: `fixRequest` for a provider other than Entra, and for a text that is not a tenant.
  private static func authority(
    of tenant: String, at authority: Authority
  ) throws(TesseraError) -> Authority {
    guard authority.type == .entra else {
      throw TesseraError(
        .fixRequest, .invalidMember, "tenant applies to Entra authorities: pass authority instead.")
    }
    let isName = tenant.utf8.allSatisfy { byte in
      (0x61...0x7A).contains(byte | 0x20) || (0x30...0x39).contains(byte)
        || [UInt8(ascii: "."), UInt8(ascii: "-")].contains(byte)
    }
    guard isName, !tenant.isEmpty else {
      throw TesseraError(
        .fixRequest, .invalidMember, "tenant must be the ID or a domain of a tenant.")
    }
    return try Authority("\(authority.address.origin)/\(tenant)", type: .entra)
  }
}

extension ClientTokenCall {
  var time: any TimeSource { context.dependencies.time }

  /// The `claims` parameter; `nil` for none.
  var claims: String? {
    ClaimsRequest.parameter(
      request.claims, capabilities: context.configuration.sortedCapabilities)
  }

  /// The tenant of the tokens; empty for a provider without tenants.
  private var tenant: String { authority.tenant }

  /// The tokens that the call reads from the store.
  var selection: SnapshotSelection {
    var selection = SnapshotSelection()
    selection.owner = ""
    let scope = scopes.significant.min()?.text
    selection.scope = scope.map { scope in
      tenant.isEmpty ? scope : TenantScope(scope: scope, tenant: tenant).name
    }
    // The recorded failures of the application are not needed for a cached token.
    selection.isSufficient = { _, _ in true }
    return selection
  }

  /// The records that the call reads before a request.
  var selectionBeforeRequest: SnapshotSelection {
    var selection = selection
    selection.isSufficient = nil
    selection.keys = [ThrottleRecord.key(named: throttleKey.name, of: throttleOwner)]
    if let key = context.resolver.unreadKey(of: authority) { selection.keys.append(key) }
    return selection
  }

  /// The owner of recorded failures: the application in a tenant.
  ///
  /// No home account ID contains a line break.
  var throttleOwner: String {
    "application\n\(context.configuration.clientID.normalised)\n\(tenant)"
  }

  /// The key under which failures of this request are recorded.
  var throttleKey: ThrottleKey {
    ThrottleKey(
      environment: environments.first ?? "", tenant: tenant,
      clientID: context.configuration.clientID, homeAccountID: throttleOwner, scopes: scopes,
      claims: claims)
  }

  /// The lock of the token, which one caller at a time requests.
  var lock: CredentialLock {
    let names = scopes.normalised.texts.sorted().joined(separator: " ")
    return CredentialLock(
      environment: environments.first ?? "",
      owner: "application \(context.configuration.clientID.normalised)",
      homeAccountID: "\(tenant) \(names)")
  }
}

extension ClientTokenCall {
  /// Returns the cached tokens in the form of a silent call.
  private func silentInputs(_ snapshot: CacheSnapshot) -> SilentInputs {
    let configuration = context.configuration
    var inputs = SilentInputs(
      homeAccountID: "", scopes: scopes, clientID: configuration.clientID,
      environments: environments, isEntra: authority.isEntra, realm: tenant, snapshot: snapshot,
      clocks: time.clocks, marginSeconds: configuration.expiryMargin.wholeSeconds,
      throttleKey: throttleKey)
    inputs.requestedClaims = context.capabilityClaims
    inputs.usesExtendedLifetime = configuration.usesExtendedLifetime
    inputs.hasClaims = request.claims != nil
    inputs.forcesRefresh = request.forcesRefresh
    return inputs
  }

  /// Returns the inputs of the decision.
  func inputs(_ snapshot: CacheSnapshot) -> ClientTokenInputs {
    let silent = silentInputs(snapshot)
    var inputs = ClientTokenInputs(
      token: silent.accessToken, clocks: silent.clocks, marginSeconds: silent.marginSeconds)
    inputs.hasClaims = ClaimsRequest.isRequest(request.claims)
    inputs.forcesRefresh = request.forcesRefresh
    inputs.requestedAt = requestedAt
    inputs.rejectedDigest = request.tokenSHA256ToRefresh.flatMap(Hexadecimal.bytes)
    inputs.throttle = throttle(snapshot)
    return inputs
  }

  /// Returns the expired token that may be returned while the server is unavailable; `nil` for none.
  func outageToken(_ snapshot: CacheSnapshot) -> CachedToken? {
    silentInputs(snapshot).outageToken
  }

  /// Returns the recorded failure of this request, from the store or from this process.
  func throttle(_ snapshot: CacheSnapshot) -> ThrottleRecord? {
    let records = snapshot.throttles + context.throttles.records(of: throttleOwner)
    guard !records.isEmpty else { return nil }
    let name = throttleKey.name
    return records.first { $0.name == name }
  }

  /// Returns the result for a token.
  func result(of token: CredentialRecord, from source: TokenSource) -> TokenResult {
    let account = Account(
      homeAccountID: "", environment: token.environment, username: nil, name: nil,
      tenantProfiles: [], isEntra: authority.isEntra)
    return TokenResult(
      accessToken: token, idToken: nil, account: account,
      authority: authority.resultText(realm: token.realm ?? ""), source: source)
  }

  /// Returns the result for a cached token.
  func result(for token: CachedToken, _ snapshot: CacheSnapshot) -> SilentResult {
    var result = result(of: token.accessToken, from: .cache)
    if let unstored = snapshot.unstored,
      unstored.records.contains(.credential(token.accessToken))
    {
      result.isPersisted = false
      result.warnings.append(unstored.reason)
    }
    return SilentResult(result: result, validity: validity(snapshot, forSeconds: token.secondsLeft))
  }

  /// Returns the validity of a cached result; `nil` if it must not be cached.
  func validity(_ snapshot: CacheSnapshot, forSeconds seconds: Int64) -> ResponseValidity? {
    guard seconds > 0, let version = snapshot.version else { return nil }
    let now = time.now
    return ResponseValidity(
      version, from: now.adding(seconds: -60), until: now.adding(seconds: seconds),
      monotonicUntil: time.monotonicNanoseconds(inSeconds: seconds))
  }
}
