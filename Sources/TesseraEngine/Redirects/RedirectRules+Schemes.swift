// SPDX-License-Identifier: MIT
// The rules for redirect URIs with an application's own scheme, as Microsoft's identity platform and MSAL define them.

import TesseraWire

extension RedirectRules {
  /// Requires a host, except for B2C, external tenants and personal accounts (MSAL for Apple).
  static func microsoft(_ uri: RedirectParts, _ owner: RedirectOwner) -> Problem? {
    guard uri.hasAuthority, !uri.isWeb, uri.host.isEmpty,
      case .entra(let tenant) = owner.authority.kind, tenant != "consumers"
    else { return nil }
    return Problem(
      "has no host after ://, but Entra requires one: register \(uri.scheme ?? "")://auth.")
  }

  /// Checks the fixed form `msauth.[bundle id]://auth`, which names the application.
  static func bundle(_ uri: RedirectParts, _ owner: RedirectOwner) -> Problem? {
    guard let scheme = uri.scheme, scheme.hasPrefix("msauth.") else { return nil }
    let named = scheme.dropFirst("msauth.".count)
    guard !named.isEmpty else {
      return Problem("has no bundle ID after \"msauth.\": register msauth.[bundle id]://auth.")
    }
    if let bundle = owner.bundleID?.lowercased(), named != bundle {
      return Problem(
        "contains the bundle ID \(named), but bundle_id is \(bundle): register msauth.\(bundle)://auth."
      )
    }
    guard uri.host == "auth", uri.path.isEmpty || uri.path == "/" else {
      return Problem(
        "starts with msauth. but does not end with ://auth: register \(scheme)://auth.")
    }
    return nil
  }

  /// Checks the form `msauth://code/…`, which is for authentication with a certificate on another device.
  ///
  /// Every other `msauth://` URI is for Android.
  static func certificate(_ uri: RedirectParts, _ owner: RedirectOwner) -> Problem? {
    guard uri.scheme == "msauth" else { return nil }
    guard uri.host == "code" else {
      return Problem(
        "has the form for Android (msauth://package/hash): register msauth.[bundle id]://auth.")
    }
    guard uri.path.count > 1 else {
      return Problem(
        "has no redirect URI after msauth://code/, for certificate authentication: append it, percent-encoded."
      )
    }
    return nil
  }

  /// Checks that a URI of the form `msal[client id]://auth` names this application.
  static func client(_ uri: RedirectParts, _ owner: RedirectOwner) -> Problem? {
    guard let scheme = uri.scheme, scheme.hasPrefix("msal"), scheme.utf8.count == 40,
      scheme.utf8.count(where: { $0 == UInt8(ascii: "-") }) == 4,
      scheme.dropFirst(4) != owner.clientID.normalised
    else { return nil }
    return Problem(
      "contains the client ID of another application, \(scheme.dropFirst(4)): register msal\(owner.clientID.normalised)://auth."
    )
  }

  /// Checks that the scheme is registered.
  ///
  /// Otherwise the redirect opens no application, or another one.
  static func registration(_ uri: RedirectParts, _ owner: RedirectOwner) -> Problem? {
    guard let schemes = owner.schemes, let scheme = uri.scheme, !uri.isWeb,
      !schemes.contains(where: { $0.normalised == scheme })
    else { return nil }
    return Problem(
      "has the scheme \(scheme), which is not registered for this application: register it, or use http://localhost.",
      code: .redirectSchemeNotRegistered)
  }
}
