// SPDX-License-Identifier: MIT
// The client credentials grant (RFC 6749 section 4.4): tokens for an application without a user.

import TesseraWire

extension SignIn {
  /// Creates the grant of an application for itself.
  ///
  /// Entra requires one scope that ends in `/.default`, and a tenant in the address. MSAL Go also sends the scopes of a
  /// sign-in, which are ignored.
  ///
  /// - Throws: `unauthorized_client` for a public client, `invalid_scope` and `invalid_request`.
  init(
    of client: AuthenticatedClient, _ form: FormFields, at issuer: Issuer
  ) throws(ErrorResponse) {
    let principal = try client.servicePrincipal(at: issuer)
    let scope = issuer.isEntra ? try form.required("scope") : form["scope"] ?? ""
    self.init(
      subject: .application(principal), clientID: client.clientID, issuer: issuer,
      scopes: Scopes(parsing: scope))
    guard issuer.isEntra else { return }
    guard tenant != nil else { throw .noTenant }
    let resources = resourceScopes.list
    guard resources.count == 1, resources[0].hasSuffix("/.default") else {
      throw .notDefaultScope(scope)
    }
  }
}
