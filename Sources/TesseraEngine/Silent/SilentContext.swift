// SPDX-License-Identifier: MIT
// The checked request of a silent call, with the values that its steps share.

import TesseraCache
import TesseraWire

/// A checked silent request, with the account, the authority and the limits of the call.
///
/// It is a class, so that the stack frames of the steps stay small. After its creation, it is changed only by
/// ``changing(_:)``, which copies it.
final class SilentContext {
  let context: FlowContext
  let request: SilentRequest
  var scopes: Scopes
  let authority: Authority
  /// The requested account; empty for a user known only by name, from the cache of an older library.
  var homeAccountID: String
  let environments: [String]
  /// The search for the tokens of older libraries that the call redeems; `nil` if it redeems those of the cache.
  var legacySearch: LegacyNameSearch?
  /// The limits of the caller.
  ///
  /// An optional refresh has shorter limits.
  let limits: CallLimits
  /// The limits of an optional refresh after a broker request; `nil` if none was sent.
  var proactiveLimits: CallLimits?
  /// The limits of the broker: half of the time if a fallback exists; `nil` for the limits of the call.
  var brokerLimits: CallLimits?
  /// The error if user interaction is required regardless of the store; `nil` otherwise.
  let interactionError: TesseraError?
  /// The time at which a forced refresh was requested.
  private let forcedAt: BootTime?
  /// The additional parameters of the application.
  let extras: ExtraParameters
  var serverClient: ServerClient

  /// Checks the request and identifies the account.
  init(
    _ context: FlowContext, _ request: SilentRequest, within limits: CallLimits
  ) throws(TesseraError) {
    let request = try AccountDirectory(context, within: limits).identified(request)
    self.context = context
    self.request = request
    self.limits = limits
    let dependencies = context.dependencies
    authority = try context.authority(of: request, within: limits)
    scopes = try RequestRules.scopes(
      request.scopes, of: context.configuration.clientID, at: authority)
    try RequestRules.application(request)
    homeAccountID = authority.normalised(request.homeAccountID)
    try RequestRules.claims(request.claims, at: authority)
    try RequestRules.correlationID(request.correlationID)
    extras = try context.configuration.extras(
      request.extraTokenParameters, request.extraQueryParameters)
    forcedAt = request.forcesRefresh ? dependencies.time.bootTime : nil
    serverClient = ServerClient(dependencies, limits: limits, correlationID: request.correlationID)
    environments = context.resolver.environments(of: authority, within: limits)
    interactionError =
      request.isForApplication
      ? nil
      : try RequestRules.interactionError(
        of: homeAccountID, named: request.username, in: request.environment, at: authority,
        hosts: environments)
  }

  /// Creates a copy.
  private init(_ other: SilentContext) {
    context = other.context
    request = other.request
    scopes = other.scopes
    authority = other.authority
    homeAccountID = other.homeAccountID
    environments = other.environments
    legacySearch = other.legacySearch
    limits = other.limits
    proactiveLimits = other.proactiveLimits
    brokerLimits = other.brokerLimits
    interactionError = other.interactionError
    forcedAt = other.forcedAt
    extras = other.extras
    serverClient = other.serverClient
  }

  /// Returns a copy with other values.
  func changing(_ change: (SilentContext) -> Void) -> SilentContext {
    let copy = SilentContext(self)
    change(copy)
    return copy
  }
}

extension SilentContext {
  /// The `claims` parameter; `nil` for none.
  var claims: String? {
    ClaimsRequest.parameter(
      request.claims, capabilities: context.configuration.sortedCapabilities)
  }

  /// The records that a call reads from the store.
  var selection: SnapshotSelection {
    let clientID = context.configuration.clientID
    var selection = SnapshotSelection()
    selection.owner = request.isForApplication ? "" : throttleOwner
    selection.scope = scopes.significant.min()?.text
    if authority.isEntra {
      selection.keys = Set(environments).map {
        AppMetadataRecord(clientID: clientID, environment: $0, familyID: "").key
      }
    }
    selection.keys += legacySearch?.names.texts.map(LegacyAccountRecord.key) ?? []
    return selection
  }

  /// Returns the inputs of the decision.
  func inputs(_ snapshot: CacheSnapshot) -> SilentInputs {
    let configuration = context.configuration
    var inputs = SilentInputs(
      homeAccountID: homeAccountID, scopes: scopes, clientID: configuration.clientID,
      environments: environments, isEntra: authority.isEntra,
      realm: authority.realm(
        of: homeAccountID, snapshot.accountMetadata(of: configuration.clientID),
        hosts: environments, isInstanceAware: configuration.supportsMultipleClouds),
      snapshot: snapshot, clocks: time.clocks,
      marginSeconds: configuration.expiryMargin.wholeSeconds, throttleKey: throttleKey)
    inputs.throttles = throttles(snapshot)
    inputs.forcesRefresh = request.forcesRefresh
    inputs.forcedAt = forcedAt
    inputs.hasClaims = ClaimsRequest.isRequest(request.claims)
    inputs.requestedClaims = context.capabilityClaims
    // An app-only token is not subject to app protection.
    inputs.partition = request.isForApplication ? nil : configuration.partition(at: authority)
    inputs.enrollmentID = enrollmentID(in: snapshot)
    inputs.usesExtendedLifetime = configuration.usesExtendedLifetime
    inputs.legacyItems = legacySearch?.items(inputs)
    return inputs
  }
}
