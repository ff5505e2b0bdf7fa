// SPDX-License-Identifier: MIT
// The page at the root: the addresses of the provider, and its users.

import TesseraWire

/// The page for a developer who opens the address of the provider.
enum IndexPage {
  /// Returns the page.
  static func page(origin: String) -> Page {
    let authorities: [HTML] = [
      ("Entra ID", Issuer.entra(.everyone).path),
      ("B2C", Issuer.b2c(policy: policy, isTFP: true).path),
      ("External tenant", "/\(Tenant.external.name)"), ("ADFS", Issuer.adfs.path),
      ("OpenID Connect", Issuer.plain("main").path),
    ].map { name, path in row(name, "\(origin)\(path)") }
    let pages: [HTML] = [
      ("Discovery", "\(Issuer.plain("main").path)/.well-known/openid-configuration"),
      ("Device page", DevicePage.path), ("Counters and requests", "/_control/state"),
    ].map { name, path in
      "<dt>\(name)</dt>\n<dd><a href=\"\(path)\">\(origin)\(path)</a></dd>\n"
    }
    let users: [HTML] = LocalUser.all.map { row($0.name, $0.username) }
    return Page(
      title: "Local provider",
      content: """
        <p>Use one of these authorities in an application. Every client ID and every scope is accepted.</p>
        <dl id="authorities">
        \(authorities)</dl>
        <h2>Pages</h2>
        <dl id="pages">
        \(pages)</dl>
        <h2>Users</h2>
        <dl id="users">
        \(users)</dl>
        <p>Resource servers introspect tokens with any client ID and the secret \
        <strong>\(ResourceServer.secret)</strong>.</p>
        """)
  }

  private static let policy = "b2c_1_signin"

  private static func row(_ name: String, _ value: String) -> HTML {
    "<dt>\(name)</dt>\n<dd>\(value)</dd>\n"
  }
}
