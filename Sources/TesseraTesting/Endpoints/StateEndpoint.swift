// SPDX-License-Identifier: MIT
// The state of the provider as JSON: counters, settings, pending devices, users and the request log.

import TesseraWire

extension ProviderState {
  /// Returns the state for a test, without secrets.
  func state(at now: Instant) -> HTTPResponse {
    .json([
      "counts": counts.json,
      "settings": settings.json,
      "waiting_devices": .array(deviceGrants.pending(at: now).map { json($0) }),
      "users": .array(LocalUser.all.map(\.json)),
      "clients": .strings(clients.clientIDs),
      "requests": .array(requestLog.map(\.json)),
    ])
  }

  private func json(_ grant: DeviceGrant) -> JSONValue {
    [
      "user_code": .string(grant.userCode),
      "client_id": .string(grant.clientID),
      "scope": .string(grant.scopes.text),
      "issuer": .string(origin + grant.issuer.identifierPath),
      "expires_on": .integer(grant.expiresAt.secondsSince1970),
      "interval": .integer(grant.intervalSeconds),
    ]
  }
}

extension ProviderCounts {
  fileprivate var json: JSONValue {
    let grants = tokenRequests.sorted { $0.key < $1.key }.map {
      ($0.key, JSONValue.count($0.value))
    }
    let sources = tokenRequestsBySource.map { source, count in
      source.json(count)
    }
    return [
      "requests": .count(requests),
      "discovery_requests": .count(discoveryRequests),
      "device_authorizations": .count(deviceAuthorizations),
      "authorizations": .count(authorizations),
      "token_requests": .object(JSONObject(grants)),
      "token_requests_by_source": .array(sources),
      "early_retries": .count(earlyRetries),
      "tokens_issued": .count(tokensIssued),
      "refresh_token_reuses": .count(refreshTokenReuses),
      "revocations": .count(revocations),
      "introspections": .count(introspections),
    ]
  }
}

extension TokenRequestSource {
  fileprivate func json(_ count: Int) -> JSONValue {
    [
      "grant_type": .string(grantType), "client_id": .string(clientID), "tenant": .string(tenant),
      "requests": .integer(Int64(count)),
    ]
  }
}

extension ProviderSettings {
  fileprivate var json: JSONValue {
    [
      "access_token_lifetime_seconds": .integer(accessTokenLifetimeSeconds),
      "refresh_in_seconds": refreshInSeconds.map(JSONValue.integer) ?? .null,
      "extended_lifetime_seconds": extendedLifetimeSeconds.map(JSONValue.integer) ?? .null,
      "granted_scope": grantedScope.map(JSONValue.string) ?? .null,
      "device_code_lifetime_seconds": .integer(deviceCodeLifetimeSeconds),
      "interval_seconds": .integer(intervalSeconds),
      "authorization_code_lifetime_seconds": .integer(authorizationCodeLifetimeSeconds),
      "redirect_uris": .array(redirectURIs.map(JSONValue.string)),
      "rotates_refresh_tokens": .bool(rotatesRefreshTokens),
      "family_client_ids": .array(familyClientIDs.map(JSONValue.string)),
      "client_authentication_methods": clientAuthenticationMethods.map(JSONValue.strings) ?? .null,
      "authentication_contexts": .object(
        JSONObject(authenticationContexts.sorted { $0.key < $1.key }.map { ($0, .string($1)) })),
    ]
  }
}

extension LocalUser {
  fileprivate var json: JSONValue {
    [
      "username": .string(username),
      "name": .string(name),
      "object_id": .string(objectID),
      "home_account_id": .string(homeAccountID),
    ]
  }
}

extension ProviderLogEntry {
  fileprivate var json: JSONValue {
    let fields = fields.sorted { $0.key < $1.key }.map { ($0.key, JSONValue.string($0.value)) }
    return [
      "received_on": .integer(at.secondsSince1970),
      "method": .string(method),
      "path": .string(path),
      "fields": .object(JSONObject(fields)),
      "status": .count(status),
    ]
  }
}

extension JSONValue {
  fileprivate static func count(_ value: Int) -> JSONValue {
    .integer(Int64(value))
  }
}
