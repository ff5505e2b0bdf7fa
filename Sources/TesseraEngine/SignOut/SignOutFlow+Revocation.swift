// SPDX-License-Identifier: MIT
// The revocation endpoint of a provider (RFC 7009), from its OpenID document or its RFC 8414 metadata.

import TesseraCache
import TesseraWire

extension SignOutFlow {
  /// Revokes a refresh token.
  ///
  /// - Returns: `nil` on success, or the reason why the token was not revoked.
  func revoke(
    _ token: CredentialRecord, at endpoint: Result<String, TesseraError>
  ) -> TesseraError? {
    do throws(TesseraError) {
      let message = RevocationRequest(refreshToken: token.secret, clientID: token.clientID)
      try serverClient.sendWithoutContent(message.httpRequest(to: endpoint.get()), to: authority)
      return nil
    } catch {
      return error
    }
  }

  /// Returns the revocation endpoint for all tokens of a sign-out, or the reason why there is none.
  func revocationEndpoint(of resolved: ResolvedAuthority) -> Result<String, TesseraError> {
    do throws(TesseraError) {
      return .success(try findRevocationEndpoint(of: resolved))
    } catch {
      return .failure(error)
    }
  }

  /// Returns the revocation endpoint of the OpenID document, or else of the RFC 8414 metadata.
  ///
  /// - Throws: `flow_unsupported` if neither has one; `issuer_mismatch` for metadata of a different issuer.
  private func findRevocationEndpoint(
    of resolved: ResolvedAuthority
  ) throws(TesseraError) -> String {
    if let endpoint = resolved.configuration.revocationEndpoint { return endpoint }
    // Microsoft authorities publish no RFC 8414 metadata.
    if let url = authority.serverMetadataURL,
      let json = try serverMetadata(at: url),
      let endpoint = try checked(json, resolved).revocationEndpoint
    {
      return endpoint
    }
    throw TesseraError(
      .fixConfiguration, .flowUnsupported, "\(authority.text) does not support token revocation.")
  }

  /// Fetches the RFC 8414 metadata; returns `nil` if the provider has none.
  private func serverMetadata(at url: String) throws(TesseraError) -> JSONObject? {
    do throws(TesseraError) {
      switch try serverClient.send(.get(url), to: authority) {
      case .success(let document): return document.json
      case .errorResponse(let errorResponse) where errorResponse.isTemporary:
        throw TesseraError(errorResponse, correlationID: serverClient.correlationID)
      case .errorResponse: return nil
      }
    } catch {
      // Some servers return an HTML page for unknown paths.
      guard error.code == .invalidResponse else { throw error }
      return nil
    }
  }

  /// Validates the metadata like an OpenID document: issuer, https and hosts of the endpoints.
  private func checked(
    _ json: JSONObject, _ resolved: ResolvedAuthority
  ) throws(TesseraError) -> OpenIDConfiguration {
    let configuration = try TesseraError.wrapping { () throws(WireError) in
      try OpenIDConfiguration(json)
    }
    return try ResolvedAuthority(authority, configuration, cloud: resolved.cloud).configuration
  }
}

extension Authority {
  /// The URL of the authorization server metadata; `nil` for Microsoft authorities.
  ///
  /// RFC 8414 section 3.1: the well-known path is inserted between the host and the path of the issuer.
  fileprivate var serverMetadataURL: String? {
    guard case .openID(let issuer) = kind, let origin = WebURL(issuer)?.origin,
      issuer.utf8.count >= origin.utf8.count
    else { return nil }
    let path = "/" + address.pathSegments.joined(separator: "/")
    return origin + "/.well-known/oauth-authorization-server" + (path == "/" ? "" : path)
  }
}
