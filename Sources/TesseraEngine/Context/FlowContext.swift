// SPDX-License-Identifier: MIT
// The configuration, the dependencies and the state that all calls of an application share.

import TesseraCache
import TesseraWire

/// The configuration, the dependencies and the state that all calls of an application share.
final class FlowContext: Sendable {
  let configuration: ApplicationConfiguration
  let dependencies: Dependencies
  let cache: CredentialCache
  let resolver: AuthorityResolver
  let defaultAuthority: Authority
  let knownAuthorities: [Authority]
  let results: CachedResults
  let throttles = InMemoryThrottles()
  /// The telemetry of earlier calls for Entra; `nil` unless the configuration enables it.
  let telemetry: TelemetryHistory?
  /// The client capabilities in the form stored with the tokens; `nil` for none.
  let capabilityClaims: String?
  /// The redirect URI of browser sign-ins.
  let redirectURI: RedirectURI

  /// Creates the context of an application.
  ///
  /// - Throws: `fixConfiguration` for an invalid setting.
  init(
    _ configuration: ApplicationConfiguration, in dependencies: Dependencies
  ) throws(TesseraError) {
    self.configuration = configuration
    self.dependencies = dependencies
    defaultAuthority = try configuration.checked()
    redirectURI = try configuration.checkedRedirectURI(at: defaultAuthority)
    knownAuthorities = try configuration.checkedKnownAuthorities()
    capabilityClaims = ClaimsRequest.parameter(
      nil, capabilities: configuration.sortedCapabilities)
    cache = CredentialCache(
      store: dependencies.store, time: dependencies.time, log: dependencies.log)
    results = CachedResults(cache, time: dependencies.time)
    telemetry = configuration.sendsServerTelemetry ? TelemetryHistory() : nil
    resolver = AuthorityResolver(
      dependencies, usesInstanceDiscovery: configuration.usesInstanceDiscovery,
      knownHosts: Set(knownAuthorities.map(\.address.authority)))
  }
}

extension FlowContext {
  /// The hosts of the Entra authorities in the configuration.
  var entraHosts: Set<String> {
    Set(([defaultAuthority] + knownAuthorities).filter(\.isEntra).map(\.address.environment))
  }

  /// Returns the authority of a request, or the default one.
  ///
  /// - Throws: `fixRequest` with code `invalid_authority` for an invalid address.
  func authority(named name: String?) throws(TesseraError) -> Authority {
    guard let name else { return defaultAuthority }
    // An authority on the host of the default authority, or of a known one, has the same type.
    let origin = WebURL(name)?.origin
    let sameOrigin = ([defaultAuthority] + knownAuthorities).first { $0.address.origin == origin }
    do throws(TesseraError) {
      return try Authority(name, type: sameOrigin.map { type(of: name, onHostOf: $0) })
    } catch {
      throw TesseraError(.fixRequest, .invalidAuthority, error.message)
    }
  }

  /// Returns the type of an authority on the host of another one, from its address or else that of the other one.
  private func type(of name: String, onHostOf other: Authority) -> AuthorityType {
    guard other.isMicrosoft, other.text != name else { return other.type }
    return WebURL(name).flatMap(AuthorityType.init(of:)) ?? other.type
  }
}
