// SPDX-License-Identifier: MIT
// A silent attempt before a browser sign-in, as with ADAL's automatic prompt behavior.

import TesseraWire

/// The silent attempt of an interactive request.
struct SilentAttempt {
  private let context: FlowContext
  private let limits: CallLimits

  init(_ context: FlowContext, within limits: CallLimits) {
    self.context = context
    self.limits = limits
  }

  /// Tries a silent request first, if the interactive request allows it.
  ///
  /// If the silent request fails, the claims of its error are added to the interactive request.
  ///
  /// - Returns: The token, or `nil` if the user must sign in.
  func run(_ request: inout InteractiveRequest) throws(TesseraError) -> TokenResult? {
    guard request.triesSilentFirst, let silent = try silentRequest(for: request)
    else { return nil }
    do throws(TesseraError) {
      if let cached = context.results.result(for: silent) { return cached.result }
      let result = try SilentTokenCall(context, within: limits).run(silent)
      // The user may consent to the scopes that the server declined.
      return result.declinedScopes.isEmpty ? result : nil
    } catch {
      guard error.remedy == .signIn else { throw error }
      request.options.claims = error.claims ?? request.options.claims
      return nil
    }
  }

  /// Returns the silent request for the requested account, or for the only account that matches the login hint.
  private func silentRequest(
    for request: InteractiveRequest
  ) throws(TesseraError) -> SilentRequest? {
    if let account = request.options.homeAccountID?.nonBlank {
      return request.options.silent(account)
    }
    do throws(TesseraError) {
      let matching = try AccountDirectory(context, within: limits).list().accounts.filter {
        account in
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
