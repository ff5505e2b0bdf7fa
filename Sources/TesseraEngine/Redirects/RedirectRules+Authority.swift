// SPDX-License-Identifier: MIT
// The rules for the authority, path and query of redirect URIs.

import TesseraWire

extension RedirectRules {
  static func authority(_ uri: RedirectParts, _ owner: RedirectOwner) -> Problem? {
    let scheme = uri.scheme ?? ""
    guard uri.hasAuthority else {
      if uri.isWeb {
        return Problem("has no // after \(scheme): write \(scheme)://host/path.")
      }
      guard uri.path.hasPrefix("/") else {
        return Problem("has neither // nor / after its scheme: register \(scheme)://auth.")
      }
      // RFC 8252 section 7.1 uses one slash, but Microsoft's registration requires a host.
      guard owner.authority.isMicrosoft else { return nil }
      return Problem(
        "has one slash after its scheme, but Entra requires a host: register \(scheme)://auth.")
    }
    guard !uri.path.contains("://"), !uri.authority.hasSuffix(":") || !uri.path.hasPrefix("//")
    else {
      return Problem("contains two schemes: remove the first one.")
    }
    guard !uri.authority.contains("@") else {
      return Problem("has a user name or password before its host: remove everything up to the @.")
    }
    return nil
  }

  static func host(_ uri: RedirectParts, _ owner: RedirectOwner) -> Problem? {
    guard uri.hasAuthority else { return nil }
    if uri.isWeb, uri.host.isEmpty {
      return Problem("has no host: add the host after \(uri.scheme ?? "")://.")
    }
    guard !uri.host.contains("*") else {
      return Problem("has a wildcard, which no provider accepts: register each host separately.")
    }
    guard !uri.host.contains("%") else {
      return Problem(
        "has a percent-encoded character in its host, which conceals the host: write the host without encoding."
      )
    }
    guard !uri.host.hasSuffix(".") else {
      return Problem(
        "has a dot at the end of its host, which makes it a different host: remove the dot.")
    }
    return nil
  }

  static func port(_ uri: RedirectParts, _ owner: RedirectOwner) -> Problem? {
    guard let port = uri.port else { return nil }
    guard uri.isWeb else {
      return Problem("has a port, which a custom scheme does not support: remove :\(port).")
    }
    guard !port.isEmpty else {
      return Problem("has a colon without a port: remove the colon.")
    }
    guard let number = UInt16(port), number > 0,
      port.utf8.allSatisfy({ (0x30...0x39).contains($0) })
    else { return Problem("has an invalid port: use a port from 1 to 65535, or none.") }
    return nil
  }

  static func web(_ uri: RedirectParts, _ owner: RedirectOwner) -> Problem? {
    guard uri.isWeb, WebURL(uri.text.prefix { $0 != "?" }.description) == nil else {
      return nil
    }
    return Problem("is not a valid web address: write https://host/path.")
  }

  static func loopback(_ uri: RedirectParts, _ owner: RedirectOwner) -> Problem? {
    guard uri.scheme == "http" else { return nil }
    let host = uri.host.lowercased()
    let isLoopback = WebURL("http://\(host)")?.isLoopback == true
    if !isLoopback {
      return ["0.0.0.0", "[::]"].contains(host)
        ? Problem(
          "is the address of all network interfaces: register http://localhost, the loopback interface, instead."
        )
        : Problem(
          "uses http to another machine, so the response could be read on the network: use https, or http://localhost."
        )
    }
    // Entra does not support IPv6 loopback addresses in a registration.
    if owner.authority.isMicrosoft, host.hasPrefix("[") {
      return Problem("is [::1], which Entra does not accept: register http://localhost instead.")
    }
    return nil
  }

  static func query(_ uri: RedirectParts, _ owner: RedirectOwner) -> Problem? {
    guard let query = uri.query else { return nil }
    let own = ["code", "state", "error", "error_description", "iss", "session_state"]
    let fields = FormFields(decoding: query)
    guard let clash = own.first(where: { fields[$0] != nil }) else { return nil }
    return Problem(
      "has \"\(clash)\" in its query, which is a parameter of the response: remove it.")
  }

  static func path(_ uri: RedirectParts, _ owner: RedirectOwner) -> Problem? {
    let segments = uri.path.lowercased().split(separator: "/").map(String.init)
    guard segments.contains(where: { ["..", ".", "%2e", "%2e%2e"].contains($0) }) else {
      return nil
    }
    return Problem("has . or .. in its path, which browsers resolve: write the resolved path.")
  }
}
