// SPDX-License-Identifier: MIT
// The page on which a user approves a device (RFC 8628 section 3.3). The form fields determine its step.

import TesseraWire

extension ProviderState {
  /// Returns the next step of the device page.
  mutating func devicePage(_ request: IncomingRequest) throws(ErrorResponse) -> HTTPResponse {
    if request.method == "GET" {
      return DevicePage.codePage(request.query["user_code"] ?? "").response
    }
    let form = try request.form()
    return devicePage(form, now: request.now).response
  }

  private mutating func devicePage(_ form: FormFields, now: Instant) -> Page {
    let code = form["user_code"] ?? ""
    guard let grant = deviceGrants.pending(userCode: code, at: now) else {
      return DevicePage.codePage(
        code,
        problem: """
          This code is incorrect, already used or expired. Compare it with your device, or start again \
          there.
          """)
    }
    let user = form["username"].flatMap(LocalUser.named)
    guard let user, grant.issuer.admits(user) else { return DevicePage.accountPage(grant) }
    switch form["decision"] {
    case "approve":
      decide(.approved(user), userCode: code, now: now)
      return DevicePage.done(approvedBy: user)
    case "decline":
      decide(.declined, userCode: code, now: now)
      return DevicePage.done(approvedBy: nil)
    default:
      return DevicePage.consentPage(grant, user)
    }
  }

  private mutating func decide(
    _ decision: DeviceGrant.Decision, userCode: String, now: Instant
  ) {
    _ = deviceGrants.change(userCode: userCode, at: now) { $0.decision = decision }
  }
}
