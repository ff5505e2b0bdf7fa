// SPDX-License-Identifier: MIT
// What can be wrong with a redirect URI of a program's own scheme, as Microsoft's identity platform and MSAL have them.

import TesseraWire

extension RedirectRules {
  /// MSAL for Apple: at B2C, external tenants and for personal accounts a scheme alone will do.
  static func microsoft(_ uri: RedirectParts, _ owner: RedirectOwner) -> Problem? {
    guard uri.hasAuthority, !uri.isWeb, uri.host.isEmpty,
      case .entra(let tenant) = owner.authority.kind, tenant != "consumers"
    else { return nil }
    return Problem(
      "has nothing behind ://, and Entra wants a host: register \(uri.scheme ?? "")://auth.")
  }

  /// `msauth.[bundle id]://auth`: the form is fixed, and names the program.
  static func bundle(_ uri: RedirectParts, _ owner: RedirectOwner) -> Problem? {
    guard let scheme = uri.scheme, scheme.hasPrefix("msauth.") else { return nil }
    let named = scheme.dropFirst("msauth.".count)
    guard !named.isEmpty else {
      return Problem("lacks the bundle id behind \"msauth.\": register msauth.[bundle id]://auth.")
    }
    if let bundle = owner.bundleID?.lowercased(), named != bundle {
      return Problem(
        "names the program \(named), and bundle_id is \(bundle): register msauth.\(bundle)://auth.")
    }
    guard uri.host == "auth", uri.path.isEmpty || uri.path == "/" else {
      return Problem(
        "has to end in ://auth where it begins with msauth.: register \(scheme)://auth.")
    }
    return nil
  }

  /// `msauth://code/…`, where a certificate on another device answers; every other `msauth://` is Android's.
  static func certificate(_ uri: RedirectParts, _ owner: RedirectOwner) -> Problem? {
    guard uri.scheme == "msauth" else { return nil }
    guard uri.host == "code" else {
      return Problem(
        "is in the form of Android (msauth://package/hash): register msauth.[bundle id]://auth.")
    }
    guard uri.path.count > 1 else {
      return Problem(
        "lacks the redirect URI that certificates answer to: write msauth://code/ and it, encoded.")
    }
    return nil
  }

  /// `msal[client id]://auth` is of the application with that id.
  static func client(_ uri: RedirectParts, _ owner: RedirectOwner) -> Problem? {
    guard let scheme = uri.scheme, scheme.hasPrefix("msal"), scheme.utf8.count == 40,
      scheme.utf8.count(where: { $0 == UInt8(ascii: "-") }) == 4,
      scheme.dropFirst(4) != owner.clientID.normalised
    else { return nil }
    return Problem(
      "belongs to the application \(scheme.dropFirst(4)): register msal\(owner.clientID.normalised)://auth."
    )
  }

  /// A scheme that is not registered opens nothing, or another program.
  static func registration(_ uri: RedirectParts, _ owner: RedirectOwner) -> Problem? {
    guard let schemes = owner.schemes, let scheme = uri.scheme, !uri.isWeb,
      !schemes.contains(where: { $0.normalised == scheme })
    else { return nil }
    return Problem(
      "has the scheme \(scheme), which is not registered for this program: register it, or use http://localhost.",
      code: .redirectSchemeNotRegistered)
  }
}
