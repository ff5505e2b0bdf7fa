// SPDX-License-Identifier: MIT
// A silent call: runs the flow, caches its result, and explains the error for a user name instead of an identifier.

import TesseraWire

/// A silent call of the application.
struct SilentCall {
  private let context: FlowContext
  private let limits: CallLimits

  init(_ context: FlowContext, within limits: CallLimits) {
    self.context = context
    self.limits = limits
  }

  /// Runs the flow, and caches its result.
  func run(_ request: SilentRequest) throws(TesseraError) -> TokenResult {
    let silent = try result(of: request)
    context.results.store(silent, for: request)
    return silent.result
  }

  /// Runs the flow, without caching its result.
  ///
  /// - Returns: The result, with the conditions under which it may be cached.
  func result(of request: SilentRequest) throws(TesseraError) -> SilentResult {
    var silent = try explainingUserName(request) { () throws(TesseraError) in
      try SilentFlow(SilentContext(context, request, within: limits)).run()
    }
    // Any sign-in may change the account of a user name. Such a result is not cached.
    if request.homeAccountID.isEmpty { silent.validity = nil }
    return silent
  }

  /// Runs a silent call, and explains its error if the home account ID is the user name of an account.
  ///
  /// The accounts are read only after the call has failed, because an issuer may use email addresses as identifiers.
  ///
  /// - Throws: The error of the call; `fixRequest` with code `invalid_member` for a user name.
  func explainingUserName<Value>(
    _ request: SilentRequest, _ call: () throws(TesseraError) -> Value
  ) throws(TesseraError) -> Value {
    do throws(TesseraError) {
      return try call()
    } catch {
      guard error.remedy == .signIn, request.homeAccountID.contains("@"),
        isUserName(request.homeAccountID)
      else { throw error }
      throw TesseraError(
        .fixRequest, .invalidMember,
        """
        home_account_id is "\(request.homeAccountID)", which is a user name: look up the account by \
        username, and pass the account or its home_account_id.
        """)
    }
  }

  private func isUserName(_ name: String) -> Bool {
    var named = AccountsRequest()
    named.username = name
    guard let accounts = try? AccountDirectory(context, within: limits).accounts(named) else {
      return false
    }
    return !accounts.isEmpty && accounts.allSatisfy { $0.homeAccountID != name }
  }
}
