// SPDX-License-Identifier: MIT
// Responses of Microsoft Authenticator with foreign tokens, after a network failure, or that can never succeed.

import TesseraApple
import TesseraCache
import TesseraEngine
import TesseraTesting
import TesseraWire
import TestSupport
import Testing

@Suite struct AuthenticatorLimitsTests: AuthenticatorSuite {
  private static let world = "https://login.microsoftonline.com"
  private static let government = "https://login.microsoftonline.us"
  let machine = LocalMachine()

  /// Returns an additional token response for a user, issued on another machine.
  private func additional(of user: LocalUser) throws -> String {
    let elsewhere = LocalMachine()
    elsewhere.browser.username = user.username
    var configuration = ApplicationConfiguration(clientID: "client")
    configuration.authority = elsewhere.provider.entraAuthority()
    configuration.authorityType = .entra
    let signedIn = try elsewhere.application(configuration).acquireTokenInteractive(
      InteractiveRequest(scopes: ["mam"]))
    let ids = user.homeAccountID.split(separator: ".").map(String.init)
    let info: JSONValue = ["uid": .string(ids[0]), "utid": .string(ids[1])]
    let fields: JSONObject = [
      "access_token": "mam-token", "refresh_token": "mam-refresh", "token_type": "Bearer",
      "expires_in": "3600", "scope": "mam", "id_token": .string(signedIn.idToken?.reveal() ?? ""),
      "client_info": .string(Base64URL.encode(info.bytes)),
    ]
    return JSONValue.object(fields).serialized
  }

  @Test func `the refresh token of another client is not stored`() throws {
    let broker = "29d9ed98-a469-4536-ade2-f981bc1d605e"
    _ = try complete(try application(), ["client_id": broker, "foci": "1"])
    #expect(try credentials().allSatisfy { $0.type != .refreshToken })
    #expect(try credentials().contains { $0.type == .accessToken })
    _ = try complete(try application(), ["client_id": "CLIENT"])
    #expect(try credentials().contains { $0.type == .refreshToken })
  }

  @Test func `additional tokens of another account are not stored`() throws {
    let application = try application()
    _ = try complete(application, ["additional_tokens": try additional(of: .bob)])
    #expect(try application.accounts().map(\.username) == [LocalUser.alice.username])
    #expect(try credentials().allSatisfy { $0.homeAccountID == LocalUser.alice.homeAccountID })
    _ = try complete(application, ["additional_tokens": try additional(of: .alice)])
    #expect(try credentials().contains { $0.secret == Secret("mam-token") })
  }

  @Test func `an access token in an error response of a shared device is not stored`() throws {
    let application = try application()
    let rejection = try #require(throws: TesseraError.self) {
      _ = try complete(
        application,
        [
          "success": "0", "broker_error_domain": "MSIDErrorDomain", "broker_error_code": "-51430",
          "device_mode": "shared", "additional_tokens": try additional(of: .alice),
        ])
    }
    #expect(rejection.code == .protectionPolicyRequired)
    #expect(try credentials().allSatisfy { $0.type != .accessToken })
    #expect(try credentials().contains { $0.type == .refreshToken })
  }

  @Test func `a failed request to the account's cloud leaves the sign-in pending`() throws {
    let world = LocalMachine(origin: Self.world)
    let government = LocalMachine(origin: Self.government)
    var dependencies = world.dependencies
    dependencies.transport = TwoClouds(world: world.transport, government: government.transport)
    let application = try application(in: dependencies) {
      $0.authority = "\(Self.world)/common"
      $0.supportsMultipleClouds = true
    }
    let begun = try begin(application)
    let authenticator = LocalAuthenticator(at: government.provider, as: government.browser)
    let there = begun.url.replacing("login.microsoftonline.com", with: "login.microsoftonline.us")
    let url = try #require(authenticator.signIn(there))
    let completion = RedirectResponse(state: begun.state, response: .address(Secret(url)))
    government.isOnline = false
    expect(.networkFailed) { _ = try application.completeSignIn(completion) }
    government.isOnline = true
    let result = try application.completeSignIn(completion)
    #expect(result.account.environment == "login.microsoftonline.us")
    expect(.signInUsed) { _ = try application.completeSignIn(completion) }
  }

  @Test(
    arguments: [
      ["authority": nil], ["token_type": "pop"], ["access_token": nil], ["client_info": nil],
    ] as [[String: String?]])
  func `a response that can never be used must not be retried`(
    _ changes: [String: String?]
  ) throws {
    let error = try #require(throws: TesseraError.self) {
      _ = try complete(try application(), changes)
    }
    #expect(error.code == .brokerResponseCorrupted)
    #expect(error.remedy == .signIn)
  }
}
