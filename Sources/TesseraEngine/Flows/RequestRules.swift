// SPDX-License-Identifier: MIT
// What every request must fulfil before anything is read or sent.

import TesseraWire

/// Checks of what a caller asks for.
enum RequestRules {
  /// The scopes, if they can be asked for.
  ///
  /// - Throws: `fixRequest` for none, for those that the library adds itself, and for the application's own id, which is
  ///   a scope at B2C and plain issuers only (MSAL for Apple rejects them too).
  static func scopes(
    _ list: [String], of clientID: String, at authority: Authority
  ) throws(TesseraError) -> Scopes {
    let scopes = Scopes(list)
    guard !scopes.isEmpty else {
      throw TesseraError(
        .fixRequest, .scopesRequired, "scopes is empty: name at least one scope of a resource.")
    }
    guard scopes.list.count <= Scopes.limit else {
      throw TesseraError(
        .fixRequest, .invalidMember, "scopes has more than \(Scopes.limit) scopes.")
    }
    guard !scopes.list.contains(where: { $0.utf8.contains { $0 <= 0x20 || $0 == 0x7F } }) else {
      throw TesseraError(
        .fixRequest, .invalidMember,
        "A scope contains white space or a control character: give a list of scopes.")
    }
    guard !scopes.intersects(.reserved) else {
      throw TesseraError(
        .fixRequest, .reservedScope,
        "Leave out \(Scopes.reserved.list.joined(separator: ", ")): the library adds them itself.")
    }
    guard !scopes.normalised.contains(Scopes.everything(at: "")) else {
      throw TesseraError(.fixRequest, .invalidMember, "The scope /.default names no resource.")
    }
    if [.entra, .ciam].contains(authority.type), scopes.normalised.contains(clientID.normalised) {
      throw TesseraError(
        .fixRequest, .invalidMember,
        "The client_id is no scope here: ask for \(clientID)/.default, or a scope that it exposes.")
    }
    return scopes
  }

  /// Throws unless a claims challenge is a JSON object.
  static func claims(_ claims: String?) throws(TesseraError) {
    guard let claims else { return }
    do throws(WireError) {
      _ = try ClaimsRequest.object(claims)
    } catch {
      throw TesseraError(.fixRequest, .invalidMember, error.message)
    }
  }

  /// Throws unless an account is one of the authority's: the same identifier may be somebody else there.
  ///
  /// MSAL for Apple asks for a sign-in too when the token endpoint is in another cloud than the account.
  static func environment(
    _ environment: String?, of authority: Authority, hosts: [String]
  ) throws(TesseraError) {
    guard let environment else { return }
    guard environment.nonBlank != nil else {
      throw TesseraError(.fixRequest, .invalidMember, "environment is empty.")
    }
    let own = authority.isEntra ? environment.normalised : environment
    guard !hosts.contains(where: { AccountPerson.sharesCloud($0, own) }) else { return }
    throw TesseraError(
      .signIn, .interactionRequired,
      """
      The account belongs to \(environment), which is another provider than \(authority.text): name the account's \
      own authority, or sign in at this one.
      """)
  }
}
