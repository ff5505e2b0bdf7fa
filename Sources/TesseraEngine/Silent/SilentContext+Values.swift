// SPDX-License-Identifier: MIT
// The values of a silent call that follow from its request and a snapshot.

import TesseraCache
import TesseraWire

extension SilentContext {
  var time: any TimeSource { context.dependencies.time }

  /// Returns the result for a cached token.
  func result(for token: CachedToken, _ snapshot: CacheSnapshot) -> SilentResult {
    let record = token.accessToken
    let account =
      account(record.homeAccountID, in: snapshot)
      ?? Account(
        homeAccountID: record.homeAccountID, environment: record.environment, username: nil,
        name: nil, tenantProfiles: [], isEntra: authority.isEntra)
    let realm = record.realm ?? ""
    var result = TokenResult(
      accessToken: record, idToken: token.idToken, account: account,
      authority: authority.resultText(realm: realm), source: .cache)
    if let unstored = snapshot.unstored, unstored.records.contains(.credential(record)) {
      result.isPersisted = false
      result.warnings.append(unstored.reason)
    }
    return SilentResult(result: result, validity: validity(snapshot, forSeconds: token.secondsLeft))
  }

  /// Returns the Intune app-protection enrollment ID of the user, if any.
  func enrollmentID(in snapshot: CacheSnapshot) -> String? {
    guard context.configuration.intune.enrollments != nil else { return nil }
    return context.configuration.enrollmentID(
      at: authority, homeAccountID: homeAccountID.nonBlank,
      username: account(homeAccountID, in: snapshot)?.username ?? request.username)
  }

  /// Returns the account from a snapshot; `nil` if it has no record in the authority's cloud.
  func account(_ homeAccountID: String, in snapshot: CacheSnapshot) -> Account? {
    let records = snapshot.accounts.filter {
      ($0.homeAccountID == homeAccountID
        || authority.normalised($0.homeAccountID) == authority.normalised(homeAccountID))
        && environments.contains(authority.isEntra ? $0.environment.normalised : $0.environment)
    }
    return AccountList.merged(records).first
  }

  /// Returns the validity of a new response; `nil` if it must not be cached.
  func validity(_ snapshot: CacheSnapshot, forSeconds seconds: Int64) -> ResponseValidity? {
    // Cached responses are not counted by telemetry. With telemetry, therefore, no response is cached.
    guard seconds > 0, context.telemetry == nil, let version = snapshot.version else {
      return nil
    }
    let now = time.now
    return ResponseValidity(
      version, from: now.adding(seconds: -60), until: now.adding(seconds: seconds),
      monotonicUntil: time.monotonicNanoseconds(inSeconds: seconds))
  }

  /// The key under which failures of this request are recorded.
  var throttleKey: ThrottleKey {
    ThrottleKey(
      environment: environments.first ?? "", tenant: authority.tenant,
      clientID: context.configuration.clientID, homeAccountID: throttleOwner, scopes: scopes,
      claims: claims)
  }

  /// The account ID for recorded failures, or an owner derived from the user name if the account has none.
  var throttleOwner: String {
    homeAccountID.isEmpty
      ? LegacyAccountRecord(name: request.username ?? "").owner : homeAccountID
  }

  /// Returns the recorded failures from the store and from this process.
  func throttles(_ snapshot: CacheSnapshot) -> [ThrottleRecord] {
    snapshot.throttles + context.throttles.records(of: throttleOwner)
  }

  /// Returns the error of a throttled request.
  func recordedError(_ record: ThrottleRecord) -> TesseraError {
    TesseraError.recordedError(record, at: time.clocks)
  }

  func stored(_ tokenRecords: TokenResponseRecords, from resolved: ResolvedAuthority) -> CacheChange
  {
    context.configuration.withAppProtection(tokenRecords, from: authority).change(
      from: resolved,
      isInstanceAware: context.configuration.supportsMultipleClouds)
  }

  /// Returns the context for requests to servers.
  ///
  /// It has a short timeout if the cached token is still usable.
  func prepared(for reason: RefreshReason) -> SilentContext {
    changing { call in
      call.serverClient = serverClient.identified()
      call.serverClient.telemetry = context.telemetry(of: .silent, reason.telemetryType)
      if reason.isOptional {
        call.serverClient.limits =
          proactiveLimits
          ?? limits.atMost(
            milliseconds: context.configuration.proactiveRefreshTimeout.wholeMilliseconds, time)
      }
    }
  }
}
