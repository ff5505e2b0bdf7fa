// SPDX-License-Identifier: MIT
// A silent attempt before a browser sign-in, as with ADAL's automatic prompt behavior.

import TesseraWire

extension PublicClientApplication {
  /// Tries a silent request first, if the interactive request allows it.
  ///
  /// If the silent request fails, the claims of its error are added to the interactive request.
  ///
  /// - Returns: The token, or `nil` if the user must sign in.
  func tokenWithoutInteraction(
    _ request: inout InteractiveRequest, within limits: CallLimits
  ) throws(TesseraError) -> TokenResult? {
    guard request.triesSilentFirst, let silent = try matchingSilentRequest(request, within: limits)
    else { return nil }
    do throws(TesseraError) {
      if let result = cachedResult(silent) { return result }
      let result = try acquireTokenSilent(silent, within: limits)
      // The user may consent to the scopes that the server declined.
      return result.declinedScopes.isEmpty ? result : nil
    } catch {
      guard error.remedy == .signIn else { throw error }
      request.options.claims = error.claims ?? request.options.claims
      return nil
    }
  }

  /// Returns the cached result for an interactive request that allows a silent attempt; `nil` on a cache miss.
  package func cachedResult(_ request: InteractiveRequest) -> TokenResult? {
    guard request.triesSilentFirst, let account = request.options.homeAccountID?.nonBlank else {
      return nil
    }
    return cachedResult(request.options.silent(account))
  }

  /// Returns the silent request for the requested account, or for the only account that matches the login hint.
  private func matchingSilentRequest(
    _ request: InteractiveRequest, within limits: CallLimits
  ) throws(TesseraError) -> SilentRequest? {
    if let account = request.options.homeAccountID?.nonBlank {
      return request.options.silent(account)
    }
    do throws(TesseraError) {
      let matching = try accountList(within: limits).accounts.filter { account in
        request.options.loginHint.map { $0.lowercased() == account.username?.lowercased() } ?? true
      }
      guard let account = matching.first, matching.count == 1 else { return nil }
      return request.options.silent(account.homeAccountID, account.username)
    } catch {
      // There is no account yet, or the store is damaged. A sign-in fixes both.
      guard error.remedy == .signIn else { throw error }
      return nil
    }
  }
}

extension AuthorizationOptions {
  /// Returns the silent request for an account with the same parameters.
  fileprivate func silent(_ account: String, _ username: String? = nil) -> SilentRequest {
    var silent = SilentRequest(homeAccountID: account, scopes: scopes)
    // The name is only for accounts without an identifier. With an identifier, it would change the cache key.
    if account.isEmpty { silent.username = username }
    silent.authority = authority
    silent.claims = claims
    silent.extraTokenParameters = extraTokenParameters
    silent.timeout = timeout
    silent.correlationID = correlationID
    return silent
  }
}
