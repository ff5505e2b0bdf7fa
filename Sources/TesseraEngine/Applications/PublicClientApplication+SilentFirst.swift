// SPDX-License-Identifier: MIT
// Without the person if that is possible, in a browser if not: ADAL's automatic prompt.

import TesseraWire

extension PublicClientApplication {
  /// A token for a request that wants one without the person, if there is one; nil when the person is needed.
  ///
  /// What the refusal says about the sign-in that has to follow is added to the request.
  func tokenWithoutPerson(
    _ request: inout InteractiveRequest, within limits: CallLimits
  ) throws(TesseraError) -> TokenResult? {
    guard request.triesSilentFirst, let silent = try likely(request, within: limits)
    else { return nil }
    do throws(TesseraError) {
      if let result = remembered(silent) { return result }
      return try acquireTokenSilent(silent, within: limits)
    } catch {
      guard error.remedy == .signIn else { throw error }
      request.claims = error.claims ?? request.claims
      return nil
    }
  }

  /// The token for a request that wants one without the person, if this process gave it before.
  package func remembered(_ request: InteractiveRequest) -> TokenResult? {
    guard request.triesSilentFirst, let account = request.homeAccountID?.nonBlank else {
      return nil
    }
    return remembered(request.silent(account))
  }

  /// The request for the token of the account that is named, or of the only one that fits.
  private func likely(
    _ request: InteractiveRequest, within limits: CallLimits
  ) throws(TesseraError) -> SilentRequest? {
    if let account = request.homeAccountID?.nonBlank { return request.silent(account) }
    do throws(TesseraError) {
      let fitting = try accountsAnswer(within: limits).accounts.filter { account in
        request.loginHint.map { $0.lowercased() == account.username?.lowercased() } ?? true
      }
      guard let account = fitting.first, fitting.count == 1 else { return nil }
      return request.silent(account.homeAccountID, account.username)
    } catch {
      // Nobody has signed in yet, or the store is damaged: a sign-in mends both.
      guard error.remedy == .signIn else { throw error }
      return nil
    }
  }
}

extension InteractiveRequest {
  /// The same for an account, without the person.
  fileprivate func silent(_ account: String, _ username: String? = nil) -> SilentRequest {
    var silent = SilentRequest(homeAccountID: account, scopes: scopes)
    // The name is for those who have no identifier yet; with one it would be another request.
    if account.isEmpty { silent.username = username }
    silent.authority = authority
    silent.claims = claims
    silent.extraTokenParameters = extraTokenParameters
    silent.timeoutMilliseconds = timeoutMilliseconds
    silent.correlationID = correlationID
    return silent
  }
}
