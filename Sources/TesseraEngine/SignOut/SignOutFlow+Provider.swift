// SPDX-License-Identifier: MIT
// The provider's part of a sign-out: revocation of refresh tokens and the end-session URL.

import TesseraCache
import TesseraWire

extension SignOutFlow {
  /// Revokes the refresh tokens and builds the end-session URL, if requested.
  ///
  /// Failures are reported as warnings.
  func contactProvider(about removedRecords: Set<CacheRecord>, _ report: inout SignOutReport) {
    guard request.revokesTokens || request.wantsEndSessionURL else { return }
    let resolved: ResolvedAuthority
    do throws(TesseraError) {
      resolved = try context.resolver.resolve(authority, serverClient)
    } catch {
      report.warnings.append("\(authority.text) could not be contacted: \(error.message)")
      if request.revokesTokens {
        report.revocations = tokens(in: removedRecords).map {
          SignOutReport.Revocation(clientID: $0.clientID, error: error)
        }
      }
      return
    }
    if request.revokesTokens { revoke(tokens(in: removedRecords), at: resolved, &report) }
    guard request.wantsEndSessionURL else { return }
    guard let endpoint = resolved.configuration.endSessionEndpoint else {
      return report.warnings.append("\(authority.text) has no end-session endpoint.")
    }
    var session = EndSessionRequest(
      clientID: context.configuration.clientID, username: report.accounts.first?.username,
      postLogoutRedirectURI: request.postLogoutRedirectURI)
    session.idTokenHint = idTokenHint(among: removedRecords, &report)
    report.endSessionURL = session.url(at: endpoint)
  }

  /// Returns the distinct refresh tokens among the removed records, each followed by the unverified token that replaced it.
  private func tokens(in removedRecords: Set<CacheRecord>) -> [CredentialRecord] {
    var seen: Set<Secret> = []
    return removedRecords.flatMap { record -> [CredentialRecord] in
      guard case .credential(let token) = record, token.type.isRefreshToken else { return [] }
      return [token, token.unverifiedSuccessor].compactMap(\.self)
    }.sorted { ($0.clientID, $0.environment) < ($1.clientID, $1.environment) }
      .filter { seen.insert($0.secret).inserted }
  }

  /// Revokes refresh tokens.
  ///
  /// Each is sent only to the provider that issued it.
  private func revoke(
    _ tokens: [CredentialRecord], at resolved: ResolvedAuthority, _ report: inout SignOutReport
  ) {
    let hosts = context.resolver.environments(of: authority, within: limits)
    var endpoint: Result<String, TesseraError>?
    for token in tokens {
      let own = authority.isEntra ? token.environment.normalised : token.environment
      let problem: TesseraError?
      if !hosts.contains(own) {
        problem = TesseraError(
          .fixRequest, .invalidMember,
          "The token belongs to \(token.environment): pass its authority to revoke it.")
      } else {
        let known = endpoint ?? revocationEndpoint(of: resolved)
        endpoint = known
        problem = revoke(token, at: known)
      }
      report.revocations.append(
        SignOutReport.Revocation(clientID: token.clientID, error: problem))
    }
  }
}

extension SignOutReport {
  /// Counts the removed records.
  mutating func count(_ removedRecords: Set<CacheRecord>) {
    for record in removedRecords {
      switch record {
      case .account: removed.accounts += 1
      case .credential(let token) where token.type.isAccessToken: removed.accessTokens += 1
      case .credential(let token) where token.type.isRefreshToken: removed.refreshTokens += 1
      case .credential: removed.idTokens += 1
      default: continue
      }
    }
  }

  /// Adds the tokens and sessions that remain: in the store, at resource servers and at the provider.
  mutating func addRemaining(
    _ removedRecords: Set<CacheRecord>, _ after: [CacheRecord], _ hosts: [String]?
  ) {
    var others: Set<ExactString> = []
    var expiry: Int64?
    for case .credential(let token) in after where hosts?.contains(token.environment) != false {
      if token.familyID == nil { others.insert(token.clientID) }
      if token.familyID != nil { remaining.append(LeftoverToken(.familyToken)) }
    }
    for clientID in others.sorted() {
      var remainder = LeftoverToken(.otherApplication)
      remainder.clientID = clientID.text
      remaining.append(remainder)
    }
    for token in removedRecords.compactMap(\.accessToken) {
      expiry = max(expiry ?? 0, token.expiresAt?.secondsSince1970 ?? 0)
    }
    if let expiry {
      var remainder = LeftoverToken(.handedOutTokens)
      remainder.expiresOn = expiry
      remaining.append(remainder)
    }
    let isRevoked = !revocations.isEmpty && revocations.allSatisfy { $0.error == nil }
    if removed.refreshTokens > 0, !isRevoked { remaining.append(LeftoverToken(.unrevokedTokens)) }
    remaining.append(LeftoverToken(.browserSession))
  }
}
