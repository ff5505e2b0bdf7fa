// SPDX-License-Identifier: MIT
// How an address reaches Microsoft Authenticator: by its scheme, or by an address of the web that it has claimed.

/// The way to Microsoft Authenticator.
package enum AuthenticatorLink: Sendable, Hashable, CaseIterable {
  /// A scheme of its own.
  case customScheme
  /// An address of the web that opens the application that has claimed it.
  case universalLink

  /// The way for a redirect URI; MSAL for Apple uses the web where the answer comes over the web.
  package init(redirectURI: String) {
    self = redirectURI.lowercased().hasPrefix("https") ? .universalLink : .customScheme
  }

  /// The address without its query (MSAL for Apple, `MSIDBrokerInvocationOptions`).
  package var base: String {
    switch self {
    case .customScheme: "\(AuthenticatorLink.scheme)://broker"
    case .universalLink:
      "https://login.microsoftonline.com/applebroker/\(AuthenticatorLink.scheme)"
    }
  }

  /// The scheme of requests of MSAL; ADAL had `msauth`.
  private static let scheme = "msauthv2"
  /// What must be openable for a broker that sends the nonce back: the second one is never the base of an address.
  package static let requiredSchemes = [scheme, "msauthv3"]
  /// The programs that are brokers (MSAL for Apple, `MSIDBrokerConstants`).
  package static let brokers: Set<String> = [
    "com.microsoft.azureauthenticator", "com.microsoft.azureauthenticator-df",
    "com.microsoft.CompanyPortalMac",
  ]
}
