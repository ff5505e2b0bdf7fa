// SPDX-License-Identifier: MIT
// Which addresses of a discovery document may receive secrets of an authority, or show its pages.

import TesseraWire

/// The rule for every endpoint of an authority: authorization, token, device, revocation and end of session.
struct EndpointTrust {
  /// The reason why an endpoint is refused.
  enum Rejection: Sendable {
    /// http, although the authority is https or the endpoint is on another machine.
    case insecure
    /// An endpoint on this machine, named by an authority that is elsewhere.
    case onThisMachine
    /// An endpoint at a host that is not the authority's.
    case otherHost

    /// The end of a sentence that begins with the discovery document.
    var message: String {
      switch self {
      case .insecure: "names an endpoint that is not https, to which no secret is sent."
      case .onThisMachine:
        "names an endpoint on this machine, which only an authority on this machine may do."
      case .otherHost:
        "names endpoints at another host than the authority's, to which no secret is sent."
      }
    }
  }

  let authority: Authority
  /// The trusted hosts of the authority's cloud; see ``CloudInstance/trusted(_:isVerified:for:)``.
  let cloud: CloudInstance?

  /// The reason why an endpoint is refused; nil for one that may be used.
  func rejection(of endpoint: String) -> Rejection? {
    guard let address = WebAddress(endpoint), address.mayCarrySecrets,
      address.scheme == "https" || authority.address.scheme == "http"
    else { return .insecure }
    if address.isThisMachine, !authority.address.isThisMachine { return .onThisMachine }
    // Any OpenID Connect provider may keep its endpoints at several hosts (Discovery 1.0 section 3).
    if authority.isMicrosoft, !isAtAuthority(address) { return .otherHost }
    return nil
  }

  /// Whether an address has the scheme of the authority, and its host or another one of its cloud.
  func isAtAuthority(_ address: WebAddress) -> Bool {
    address.scheme == authority.address.scheme
      && (address.authority == authority.address.authority
        || cloud?.aliases.contains(address.environment) == true)
  }
}

extension OpenIDConfiguration {
  /// Every endpoint that receives a secret, or to which a browser is sent.
  var endpoints: [String] {
    [
      tokenEndpoint, authorizationEndpoint, deviceAuthorizationEndpoint, revocationEndpoint,
      endSessionEndpoint,
    ].compactMap(\.self)
  }
}
