// SPDX-License-Identifier: MIT
// Intune app protection: enrollment IDs in requests, partitioned tokens, and the required-policy error.

import TesseraCache
import TesseraEngine
import TesseraTesting
import TesseraWire
import TestSupport
import Testing

@Suite struct IntuneTests {
  private let machine = LocalMachine()
  private let alice = LocalUser.alice

  private func application(
    enrollment: String? = "enrolled", isProtected: Bool = true, bundleID: String = "com.contoso.app"
  ) throws -> PublicClientApplication {
    var configuration = ApplicationConfiguration(clientID: "client")
    configuration.authority = machine.provider.entraAuthority()
    configuration.authorityType = .entra
    configuration.bundleID = bundleID
    configuration.redirectURI = "http://localhost"
    configuration.intune.enrollments = enrollment.flatMap { enrollments($0) }
    if isProtected {
      configuration.intune.mamResources = ["login.microsoftonline.com": "https://mam.contoso.com"]
    }
    return try machine.application(configuration)
  }

  private func enrollments(_ id: String) -> IntuneEnrollments? {
    IntuneEnrollments(
      """
      {"enrollment_ids": [{"home_account_id": "some.body", "enrollment_id": "another"},
        {"home_account_id": "\(alice.homeAccountID)", "user_id": "\(alice.username)",
         "enrollment_id": "\(id)"}]}
      """)
  }

  private func signIn(
    _ application: PublicClientApplication, as account: String? = LocalUser.alice.homeAccountID
  ) throws -> Account {
    var request = InteractiveRequest(scopes: ["user.read"])
    request.homeAccountID = account
    return try application.acquireTokenInteractive(request).account
  }

  private func silent(
    _ application: PublicClientApplication, _ account: Account, forcing: Bool = false
  ) throws -> TokenResult {
    var request = SilentRequest(account: account, scopes: ["user.read"])
    request.forcesRefresh = forcing
    return try application.acquireTokenSilent(request)
  }

  private var accessTokens: [CredentialRecord] {
    get throws {
      var selection = SnapshotSelection()
      selection.everything = true
      return try machine.store.snapshot(selection, within: .none).credentials
        .filter { $0.type == .accessToken }
    }
  }

  /// Returns the enrollment IDs in the token requests of a grant type.
  private func sent(_ grant: String) -> [String?] {
    machine.transport.requests.map {
      FormFields(decoding: String(decoding: $0.body, as: UTF8.self))
    }.filter { $0["grant_type"] == grant }.map { $0["microsoft_enrollment_id"] }
  }

  @Test func `token requests contain the enrollment ID of the user`() throws {
    let application = try application()
    let account = try signIn(application)
    _ = try silent(application, account, forcing: true)
    #expect(sent("authorization_code") == ["enrolled"])
    #expect(sent("refresh_token") == ["enrolled"])
    let token = try #require(accessTokens.first)
    #expect(token.enrollmentID == "enrolled")
    #expect(token.applicationIdentifier == "com.contoso.app")
    #expect(token.key.service.contains("-com.contoso.app-"))
    #expect(try accessTokens.count == 1)
  }

  @Test func `without an account, any enrollment ID is sent, and the user's own is stored`()
    throws
  {
    _ = try signIn(application(), as: nil)
    #expect(sent("authorization_code") == ["another"])
    #expect(try accessTokens.map(\.enrollmentID) == ["enrolled"])
  }

  @Test func `the enrollment ID of another user is not sent`() throws {
    var configuration = ApplicationConfiguration(clientID: "client")
    configuration.authority = machine.provider.entraAuthority()
    configuration.authorityType = .entra
    configuration.intune.enrollments = IntuneEnrollments(
      #"{"enrollment_ids": [{"home_account_id": "some.body", "enrollment_id": "another"}]}"#)
    let application = try machine.application(configuration)
    let account = try signIn(application)
    _ = try silent(application, account, forcing: true)
    #expect(sent("refresh_token") == [nil])
    #expect(try accessTokens.map(\.enrollmentID) == [nil])
  }

  @Test func `an access token is returned only for the enrollment it was issued for`() throws {
    let account = try signIn(application())
    #expect(try silent(application(), account).source == .cache)
    let other = try application(enrollment: "anew")
    var request = SilentRequest(account: account, scopes: ["user.read"])
    let explanation = try other.explain(request)
    #expect(explanation.decision == .refresh)
    #expect(explanation.candidates.contains { $0.obstacles == [.otherEnrollment] })
    #expect(try silent(other, account).source == .network)
    #expect(try accessTokens.map(\.enrollmentID) == ["anew"])
    #expect(try silent(other, account).source == .cache)
    // Without an enrollment, the token is not returned either.
    request.timeout = .milliseconds(1000)
    #expect(try silent(application(enrollment: nil), account).source == .network)
  }

  @Test func `applications with and without protection share no access tokens`() throws {
    let account = try signIn(application())
    let plain = try application(isProtected: false)
    #expect(try silent(plain, account).source == .network)
    #expect(try silent(plain, account).source == .cache)
    #expect(try silent(application(), account).source == .cache)
    let sibling = try application(bundleID: "com.contoso.other")
    #expect(try silent(sibling, account).source == .network)
    #expect(try accessTokens.count == 3)
  }

  @Test func `enrollment members written by another library are read and kept`() throws {
    let account = try signIn(application())
    var token = try #require(accessTokens.first)
    token["enrollment_id"] = "theirs"
    token["spe_info"] = "2"
    _ = try machine.store.commit(
      CacheChange([.put(.credential(token))]), within: .none)
    let application = try application(enrollment: "theirs")
    #expect(try silent(application, account).source == .cache)
    #expect(try accessTokens.first?.members["spe_info"] == "2")
  }

  @Test(arguments: ["protection_policy_required", "protection_policies_required"])
  func `protection_policy_required reports the account and the authority`(_ suberror: String) throws
  {
    let application = try application(enrollment: nil)
    let account = try signIn(application)
    let body = """
      {"error": "unauthorized_client", "suberror": "\(suberror)", "adi": "\(alice.username)"}
      """
    try machine.provider.perform(.failTokenRequests(requests: 1, status: 400, body: body))
    let error = #expect(throws: TesseraError.self) {
      try silent(application, account, forcing: true)
    }
    #expect(error?.code == .protectionPolicyRequired)
    #expect(error?.remedy == .fixConfiguration)
    #expect(error?.username == alice.username)
    #expect(error?.homeAccountID == alice.homeAccountID)
    #expect(error?.authority == machine.provider.entraAuthority())
    #expect(error?.msalCode?.code == -50004)
    #expect(error?.members["authority"]?.string == error?.authority)
  }

  @Test func `an application with MAM resources must have a bundle ID`() throws {
    var configuration = ApplicationConfiguration(clientID: "client")
    configuration.intune.mamResources = ["login.microsoftonline.com": "https://mam.contoso.com"]
    expect(.invalidConfiguration) { _ = try configuration.checked() }
    configuration.bundleID = "com.contoso.app"
    _ = try configuration.checked()
    configuration.intune.mamResources[""] = "x"
    expect(.invalidConfiguration) { _ = try configuration.checked() }
  }

  @Test func `enrollment lookup tries account ID, then user name; without both, any entry matches`()
    throws
  {
    let found = try #require(enrollments("enrolled"))
    #expect(found.id(homeAccountID: alice.homeAccountID.uppercased(), username: nil) == "enrolled")
    #expect(found.id(homeAccountID: "x.y", username: alice.username.uppercased()) == "enrolled")
    #expect(found.id(homeAccountID: "x.y", username: "nobody") == nil)
    #expect(found.id(homeAccountID: nil, username: " ") == "another")
    for text in [
      "", "[]", "{}", #"{"enrollment_ids":{}}"#, #"{"enrollment_ids":["a"]}"#,
      #"{"enrollment_ids":[{"enrollment_id":7}]}"#,
    ] {
      #expect(IntuneEnrollments(text) == nil)
    }
  }
}
