// SPDX-License-Identifier: MIT
// Without the person if that is possible, in a browser if not: ADAL's automatic prompt.

extension PublicClientApplication {
  /// A token for a request that wants one without the person, if there is one; nil when the person is needed.
  ///
  /// What the refusal says about the sign-in that has to follow is added to the request.
  func tokenWithoutPerson(
    _ request: inout InteractiveRequest, _ cancellation: Cancellation?
  ) throws(TesseraError) -> TokenResult? {
    guard request.triesSilentFirst, let account = try likelyAccount(request) else { return nil }
    do throws(TesseraError) {
      return try acquireTokenSilent(request.silent(account), cancellation: cancellation)
    } catch {
      guard error.remedy == .signIn else { throw error }
      request.claims = error.claims ?? request.claims
      return nil
    }
  }

  /// The token for a request that wants one without the person, if this process gave it before.
  package func remembered(_ request: InteractiveRequest) -> TokenResult? {
    guard request.triesSilentFirst, let account = request.homeAccountID else { return nil }
    return remembered(request.silent(account))
  }

  /// Whose token is meant: the account that is named, or the only one that fits.
  private func likelyAccount(_ request: InteractiveRequest) throws(TesseraError) -> String? {
    if let account = request.homeAccountID { return account }
    do throws(TesseraError) {
      let fitting = try accounts().filter { account in
        request.loginHint.map { $0.lowercased() == account.username?.lowercased() } ?? true
      }
      return fitting.count == 1 ? fitting.first?.homeAccountID : nil
    } catch {
      // Nobody has signed in yet, or the store is damaged: a sign-in mends both.
      guard error.remedy == .signIn else { throw error }
      return nil
    }
  }
}

extension InteractiveRequest {
  /// The same for an account, without the person.
  fileprivate func silent(_ account: String) -> SilentRequest {
    var silent = SilentRequest(homeAccountID: account, scopes: scopes)
    silent.authority = authority
    silent.claims = claims
    silent.extraTokenParameters = extraTokenParameters
    silent.timeoutMilliseconds = timeoutMilliseconds
    silent.correlationID = correlationID
    return silent
  }
}
