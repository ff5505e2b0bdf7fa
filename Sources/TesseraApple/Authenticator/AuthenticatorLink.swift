// SPDX-License-Identifier: MIT
// The two kinds of URLs that open Microsoft Authenticator: a custom scheme or a universal link.

import TesseraWire

/// The kind of URL that opens Microsoft Authenticator.
package enum AuthenticatorLink: Sendable, Hashable, CaseIterable {
  /// A custom URL scheme.
  case customScheme
  /// A universal link: an https URL that opens the application associated with it.
  case universalLink

  /// Selects the kind for a redirect URI.
  ///
  /// As in MSAL for Apple, an https redirect URI requires a universal link.
  package init(redirectURI: String) {
    self = redirectURI.lowercased().hasPrefix("https") ? .universalLink : .customScheme
  }

  /// The URL without its query (MSAL for Apple, `MSIDBrokerInvocationOptions`).
  package var base: String {
    switch self {
    case .customScheme: "\(AuthenticatorLink.scheme)://broker"
    case .universalLink:
      "https://login.microsoftonline.com/applebroker/\(AuthenticatorLink.scheme)"
    }
  }

  /// The URL scheme of requests from MSAL; ADAL used `msauth`.
  private static let scheme = "msauthv2"
  /// The schemes that the application must be able to open, so that the broker returns the nonce.
  ///
  /// The second one is never the scheme of a request URL.
  package static let requiredSchemes = [scheme, "msauthv3"]
  /// The bundle IDs of the brokers (MSAL for Apple, `MSIDBrokerConstants`).
  package static let brokers: Set<String> = [
    "com.microsoft.azureauthenticator", "com.microsoft.azureauthenticator-df",
    "com.microsoft.CompanyPortalMac",
  ]
}
