// SPDX-License-Identifier: MIT
// The dispatch of requests to endpoints.

import TesseraWire

extension ProviderState {
  /// Returns the response to a request.
  mutating func respond(to request: IncomingRequest) -> HTTPResponse {
    let route = Route(request.segments)
    if let route, route.isControl {
      guard request.isFromThisMachine(origin: origin) else { return ProviderState.forbidden }
      return respond(to: request, at: route)
    }
    counts.requests += 1
    let response =
      simulatedFailures.nextResponse() ?? route.map { respond(to: request, at: $0) }
      ?? ProviderState.notFound
    record(request, status: response.status)
    return response
  }

  private mutating func respond(to request: IncomingRequest, at route: Route) -> HTTPResponse {
    guard route.methods.contains(request.method) else {
      let allowed = HTTPHeader("Allow", route.methods.joined(separator: ", "))
      return .json(["error": "method_not_allowed"], status: 405, headers: [allowed])
    }
    do throws(ErrorResponse) {
      switch route {
      case .instanceDiscovery: return try instanceDiscovery(request)
      case .configuration(let issuer): return configuration(of: issuer)
      case .keys: return try keys()
      case .deviceAuthorization(let issuer): return try authorizeDevice(request, at: issuer)
      case .authorization(let issuer): return try authorize(request, at: issuer)
      case .token(let issuer): return try token(request, at: issuer)
      case .revocation(let issuer): return try revoke(request, at: issuer)
      case .introspection(let issuer):
        counts.introspections += 1
        let introspection = Introspection(
          accessTokens: accessTokens, refreshTokens: refreshTokens, issuer: issuer)
        return try introspection.response(to: request)
      case .index: return IndexPage.page(origin: origin).response
      case .devicePage: return try devicePage(request)
      case .state: return state(at: request.now)
      case .command(let name): return command(name, request)
      case .unknownTenant(let name): throw .unknownTenant(name)
      }
    } catch {
      guard route.isEntra else { return error.plainResponse }
      return error.entraResponse(
        RequestIDs(request, randomBytes: randomBytes), at: request.now)
    }
  }

  private mutating func record(_ request: IncomingRequest, status: Int) {
    if requestLog.count >= ProviderLogEntry.limit { requestLog.removeFirst() }
    requestLog.append(
      ProviderLogEntry(
        at: request.now, method: request.method, path: request.path, fields: request.loggedFields,
        status: status))
  }

  private static let notFound = HTTPResponse.json(["error": "not_found"], status: 404)
}
