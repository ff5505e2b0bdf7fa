// SPDX-License-Identifier: MIT
// A hint for callers that pass a user name as the home account ID.

extension PublicClientApplication {
  /// Runs a silent call, and explains its error if the home account ID is the user name of an account.
  ///
  /// The accounts are read only after the call has failed, because an issuer may use email addresses as identifiers.
  ///
  /// - Throws: The error of the call; `fixRequest` with code `invalid_member` for a user name.
  func explainingUserName<Value>(
    _ request: SilentRequest, _ limits: CallLimits, _ call: () throws(TesseraError) -> Value
  ) throws(TesseraError) -> Value {
    do throws(TesseraError) {
      return try call()
    } catch {
      guard error.remedy == .signIn, request.homeAccountID.contains("@"),
        isUserName(request.homeAccountID, limits)
      else { throw error }
      throw TesseraError(
        .fixRequest, .invalidMember,
        """
        home_account_id is "\(request.homeAccountID)", which is a user name: look up the account by \
        username, and pass the account or its home_account_id.
        """)
    }
  }

  private func isUserName(_ name: String, _ limits: CallLimits) -> Bool {
    var named = AccountsRequest()
    named.username = name
    guard let accounts = try? accounts(named, within: limits) else { return false }
    return !accounts.isEmpty && accounts.allSatisfy { $0.homeAccountID != name }
  }
}
