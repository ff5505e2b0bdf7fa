// SPDX-License-Identifier: MIT
// The rules for the endpoints of a discovery document that receive secrets or show pages.

import TesseraWire

/// The check of an authority's endpoints: authorization, token, device, revocation and end of session.
struct EndpointTrust {
  /// The reason for rejecting an endpoint.
  enum Rejection: Sendable {
    /// An invalid URL, an http endpoint of an https authority, or an http endpoint on another machine.
    case insecure
    /// An endpoint on this machine, declared by an authority on another machine.
    case onThisMachine
    /// An endpoint at a host other than the authority's.
    case otherHost

    /// The end of a sentence that starts with "The discovery document".
    var message: String {
      switch self {
      case .insecure:
        "has an endpoint that is not a valid https URL, or that contains user information (user@host); no secret is sent to it."
      case .onThisMachine:
        "has an endpoint on this machine, which is allowed only for an authority on this machine."
      case .otherHost:
        "has an endpoint at a different host than the authority; no secret is sent to it."
      }
    }
  }

  let authority: Authority
  /// The trusted hosts of the authority's cloud; see ``CloudInstance/trusted(_:isVerified:for:)``.
  let cloud: CloudInstance?

  /// Returns the reason for rejecting an endpoint, or `nil` if it may be used.
  func rejection(of endpoint: String) -> Rejection? {
    guard let address = WebURL(endpoint), address.mayCarrySecrets,
      address.scheme == "https" || authority.address.scheme == "http"
    else { return .insecure }
    if address.isThisMachine, !authority.address.isThisMachine { return .onThisMachine }
    // An OpenID Connect provider may have endpoints at several hosts (Discovery 1.0 section 3).
    if authority.isMicrosoft, !isAtAuthority(address) { return .otherHost }
    return nil
  }

  /// Returns whether a URL has the scheme of the authority, and its host or a host alias of its cloud.
  func isAtAuthority(_ address: WebURL) -> Bool {
    address.scheme == authority.address.scheme
      && (address.authority == authority.address.authority
        || cloud?.aliases.contains(address.environment) == true)
  }
}

extension OpenIDConfiguration {
  /// The endpoints that receive a secret or open in a browser.
  var endpoints: [String] {
    [
      tokenEndpoint, authorizationEndpoint, deviceAuthorizationEndpoint, revocationEndpoint,
      endSessionEndpoint,
    ].compactMap(\.self)
  }
}
