// SPDX-License-Identifier: MIT
// The mapping of paths to endpoints.

import TesseraWire

/// An endpoint, with the parameters in its path.
enum Route: Sendable, Hashable {
  case instanceDiscovery
  case configuration(Issuer)
  case keys(Issuer)
  case deviceAuthorization(Issuer)
  case authorization(Issuer)
  case token(Issuer)
  case revocation(Issuer)
  case introspection(Issuer)
  case index
  case devicePage
  case state
  case command(String)
  case unknownTenant(String)

  /// Parses the segments of a path.
  ///
  /// Returns nil if there is no such endpoint.
  init?(_ segments: [String]) {
    let first = segments.first ?? ""
    let rest = Array(segments.dropFirst())
    switch first {
    case "": self = .index
    case "device" where rest.isEmpty: self = .devicePage
    case "_control" where rest == ["state"]: self = .state
    case "_control" where rest.count == 1: self = .command(rest[0])
    case "_control": return nil
    case "common" where rest == ["discovery", "instance"]: self = .instanceDiscovery
    case "oidc":
      guard let name = rest.first, let issuer = Issuer.named(name) else { return nil }
      self.init(plain: issuer, Array(rest.dropFirst()))
    case "adfs": self.init(adfs: rest)
    case "tfp":
      guard rest.first.map(Tenant.customers.isNamed) == true else { return nil }
      self.init(policy: Array(rest.dropFirst()), isTFP: true)
    case let name where Tenant.customers.isNamed(name): self.init(policy: rest, isTFP: false)
    case let name where Tenant.external.isNamed(name): self.init(.ciam, rest)
    default:
      // An unknown tenant is an error of an endpoint, an unknown path is not.
      guard let route = Route(.entra(EntraAudience(first) ?? .everyone), rest) else { return nil }
      self = EntraAudience(first) == nil ? .unknownTenant(first) : route
    }
  }

  /// Parses the path of a policy.
  ///
  /// Every name with the prefix `b2c_1` is a policy.
  private init?(policy segments: [String], isTFP: Bool) {
    guard let policy = segments.first?.normalised, policy.hasPrefix("b2c_1"),
      policy == FormFields.escape(policy)
    else { return nil }
    self.init(.b2c(policy: policy, isTFP: isTFP), Array(segments.dropFirst()))
  }

  private init?(adfs rest: [String]) {
    switch rest {
    case [".well-known", "openid-configuration"]: self = .configuration(.adfs)
    case ["oauth2", "devicecode"]: self = .deviceAuthorization(.adfs)
    case ["oauth2", "token"]: self = .token(.adfs)
    case ["oauth2", "authorize"]: self = .authorization(.adfs)
    case ["discovery", "keys"]: self = .keys(.adfs)
    default: return nil
    }
  }

  private init?(plain issuer: Issuer, _ rest: [String]) {
    switch rest {
    case [".well-known", "openid-configuration"]: self = .configuration(issuer)
    case ["device"]: self = .deviceAuthorization(issuer)
    case ["token"]: self = .token(issuer)
    case ["authorize"]: self = .authorization(issuer)
    case ["revoke"]: self = .revocation(issuer)
    case ["introspect"]: self = .introspection(issuer)
    case ["keys"]: self = .keys(issuer)
    default: return nil
    }
  }

  private init?(_ issuer: Issuer, _ rest: [String]) {
    switch rest {
    case ["v2.0", ".well-known", "openid-configuration"]: self = .configuration(issuer)
    case ["oauth2", "v2.0", "devicecode"]: self = .deviceAuthorization(issuer)
    case ["oauth2", "v2.0", "token"]: self = .token(issuer)
    case ["oauth2", "v2.0", "authorize"]: self = .authorization(issuer)
    case ["discovery", "v2.0", "keys"]: self = .keys(issuer)
    default: return nil
    }
  }

  /// The supported methods.
  var methods: [String] {
    switch self {
    case .instanceDiscovery, .configuration, .keys, .index, .state: ["GET"]
    case .deviceAuthorization, .token, .revocation, .introspection, .command: ["POST"]
    case .devicePage, .authorization, .unknownTenant: ["GET", "POST"]
    }
  }

  /// Whether it controls the provider, so that a simulated outage does not affect it.
  var isControl: Bool {
    switch self {
    case .state, .command: true
    default: false
    }
  }

  /// Whether its error responses have Entra's format.
  var isEntra: Bool {
    switch self {
    case .configuration(let issuer), .keys(let issuer), .deviceAuthorization(let issuer),
      .token(let issuer), .revocation(let issuer), .introspection(let issuer),
      .authorization(let issuer):
      issuer.isEntra
    case .instanceDiscovery, .unknownTenant: true
    case .index, .devicePage, .state, .command: false
    }
  }
}
