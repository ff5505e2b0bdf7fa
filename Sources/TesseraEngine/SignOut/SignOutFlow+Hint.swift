// SPDX-License-Identifier: MIT
// The ID token that identifies the session to end (OpenID Connect RP-Initiated Logout 1.0 section 2).

import TesseraCache
import TesseraWire

extension SignOutFlow {
  /// Returns the application's ID token of the account that signs out.
  ///
  /// Adds a warning if the token is too long.
  ///
  /// Only an ID token issued by the provider of the end-session URL is used.
  func idTokenHint(among removedRecords: Set<CacheRecord>, _ report: inout SignOutReport) -> Secret?
  {
    guard let account = report.accounts.first else { return nil }
    let hosts = context.resolver.environments(of: authority, within: limits)
    let clientID = context.configuration.clientID.normalised
    let home = account.homeAccountID.split(separator: ".").last.map(String.init)
    let tokens = removedRecords.compactMap { record -> CredentialRecord? in
      guard case .credential(let token) = record, token.type == .idToken,
        token.clientID.normalised == clientID,
        authority.normalised(token.homeAccountID) == authority.normalised(account.homeAccountID),
        hosts.contains(authority.isEntra ? token.environment.normalised : token.environment)
      else { return nil }
      return token
    }
    // Prefer the tenant of the authority, then the home tenant of the account.
    func rank(_ token: CredentialRecord) -> Int {
      token.realm == authority.tenant ? 0 : token.realm == home ? 1 : 2
    }
    let best = tokens.min { (rank($0), $0.realm ?? "") < (rank($1), $1.realm ?? "") }
    guard let hint = best?.secret else { return nil }
    guard hint.reveal().utf8.count <= EndSessionRequest.hintLimit else {
      report.warnings.append(
        """
        The ID token is too long for the end-session address (more than \(EndSessionRequest.hintLimit) bytes) and was \
        omitted: the provider may ask the user to confirm.
        """)
      return nil
    }
    return hint
  }
}
