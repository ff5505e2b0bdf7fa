// SPDX-License-Identifier: MIT
// The kinds of authorities, with their detection from a URL.

package import TesseraWire

/// The kind of an authority.
public enum AuthorityType: String, Sendable, CaseIterable {
  /// A tenant of the Microsoft identity platform, or `common`, `organizations`, `consumers`.
  case entra
  /// A policy of an Azure AD B2C tenant.
  case b2c
  /// An external tenant of Entra (CIAM).
  case ciam
  /// Active Directory Federation Services, 2019 or later.
  case adfs
  /// Any other OpenID Connect provider.
  case openID = "openid"
}

extension AuthorityType {
  /// Derives the kind from a URL; `nil` if any provider may use it.
  ///
  /// The order is that of MSAL for Apple. A Microsoft cloud host is never an ADFS server.
  package init?(of address: WebURL) {
    let isCloud = CloudTable.cloud(of: address.host) != nil
    let first = address.pathSegments.first?.normalised
    if first == "tfp" || CloudTable.hasSuffix(address.host, CloudTable.b2cDomains) {
      self = .b2c
    } else if CloudTable.hasSuffix(address.host, [CloudTable.ciamDomain]) {
      self = .ciam
    } else if isCloud {
      self = .entra
    } else if first == "adfs" {
      self = .adfs
    } else {
      return nil
    }
  }
}
