// SPDX-License-Identifier: MIT
// A local provider with a virtual clock, and shortcuts for requests.

import TesseraTesting
import TesseraWire
import Testing

/// A local provider with a virtual clock, and shortcuts for requests.
struct Bench {
  static let origin = "http://127.0.0.1:8400"
  static let contoso = "/11111111-1111-4111-8111-111111111111"
  static let entraScope = "openid profile offline_access https://graph.microsoft.com/User.Read"
  static let plainScope = "openid offline_access files.read"

  let clock = VirtualClock()
  let provider: LocalProvider

  init(_ settings: ProviderSettings = ProviderSettings()) {
    provider = LocalProvider(
      origin: Bench.origin, settings: settings, now: { [clock] in clock.now },
      randomBytes: SeededRandomness().bytes)
  }

  /// A response with its parsed JSON object.
  struct Answer {
    let response: HTTPResponse
    var status: Int { response.status }
    var json: JSONObject { response.json ?? [:] }
    var text: String { String(decoding: response.body, as: UTF8.self) }
    subscript(_ name: String) -> String? { json[name]?.text }
  }

  func get(_ path: String) -> Answer {
    Answer(response: provider.handle(HTTPRequest(method: "GET", url: Bench.origin + path)))
  }

  func post(
    _ path: String, _ fields: KeyValuePairs<String, String?>, headers: [HTTPHeader] = []
  ) -> Answer {
    var form = FormFields()
    for field in fields { form.add(field.key, field.value) }
    var request = HTTPRequest.post(Bench.origin + path, form)
    request.headers += headers
    return Answer(response: provider.handle(request))
  }

  func command(_ name: String, _ json: String) -> Answer {
    Answer(
      response: provider.handle(
        HTTPRequest(
          method: "POST", url: "\(Bench.origin)/_control/\(name)", body: Array(json.utf8))))
  }
}

extension Bench {
  /// The endpoints of an authority or issuer.
  struct Endpoints {
    let device: String
    let token: String
    let scope: String

    static func entra(_ tenant: String) -> Endpoints {
      Endpoints(
        device: "/\(tenant)/oauth2/v2.0/devicecode", token: "/\(tenant)/oauth2/v2.0/token",
        scope: Bench.entraScope)
    }

    static func plain(_ name: String) -> Endpoints {
      Endpoints(
        device: "/oidc/\(name)/device", token: "/oidc/\(name)/token", scope: Bench.plainScope)
    }
  }

  func authorizeDevice(_ endpoints: Endpoints, client: String = "app") -> Answer {
    post(endpoints.device, ["client_id": client, "scope": endpoints.scope])
  }

  func poll(_ endpoints: Endpoints, _ deviceCode: String?, client: String = "app") -> Answer {
    post(
      endpoints.token,
      [
        "client_id": client, "grant_type": "urn:ietf:params:oauth:grant-type:device_code",
        "device_code": deviceCode, "client_info": "1",
      ])
  }

  func refresh(
    _ endpoints: Endpoints, _ token: String?, client: String = "app", scope: String? = nil
  ) -> Answer {
    post(
      endpoints.token,
      [
        "client_id": client, "grant_type": "refresh_token", "refresh_token": token,
        "scope": scope, "client_info": "1",
      ])
  }

  /// Signs in a user with a device code.
  func signIn(
    _ endpoints: Endpoints, as user: LocalUser = .alice, client: String = "app"
  ) throws -> Answer {
    let device = authorizeDevice(endpoints, client: client)
    let code = try #require(device["user_code"])
    try provider.perform(.approve(userCode: code, username: user.username))
    return poll(endpoints, device["device_code"], client: client)
  }

  static func claims(_ token: String?) throws -> JSONObject {
    let token = try #require(token)
    return try JSONWebToken(Secret(token)).claims
  }
}
