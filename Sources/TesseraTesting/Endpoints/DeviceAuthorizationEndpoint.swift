// SPDX-License-Identifier: MIT
// The device authorization endpoint (RFC 8628 section 3.1 and 3.2).

import TesseraWire

extension ProviderState {
  /// Issues a device code and a user code.
  mutating func authorizeDevice(
    _ request: IncomingRequest, at issuer: Issuer
  ) throws(ErrorResponse) -> HTTPResponse {
    counts.deviceAuthorizations += 1
    let form = try request.form()
    let clientID = try form.required("client_id")
    // RFC 8628 section 3.1: scope is optional, but Entra requires it.
    let scope = issuer.isEntra ? try form.required("scope") : form["scope"] ?? ""
    let grant = DeviceGrant(
      deviceCode: randomToken(), userCode: UserCode.make(randomBytes(8)), clientID: clientID,
      scopes: Scopes(parsing: scope), issuer: issuer,
      expiresAt: request.now.adding(seconds: settings.deviceCodeLifetimeSeconds),
      intervalSeconds: settings.intervalSeconds)
    deviceGrants.add(grant, at: request.now)
    return .json(.object(response(for: grant)), headers: HTTPHeader.noStore)
  }

  private func response(for grant: DeviceGrant) -> JSONObject {
    let page = origin + DevicePage.path
    var body: JSONObject = [
      "user_code": .string(grant.userCode), "device_code": .string(grant.deviceCode),
      "verification_uri": .string(page),
      "expires_in": .integer(settings.deviceCodeLifetimeSeconds),
      "interval": .integer(grant.intervalSeconds),
    ]
    if grant.issuer.isEntra {
      body.append(
        "message",
        "To sign in, use a web browser to open the page \(page) and enter the code "
          + "\(grant.userCode) to authenticate.")
    } else {
      body.append("verification_uri_complete", "\(page)?user_code=\(grant.userCode)")
    }
    return body
  }
}
