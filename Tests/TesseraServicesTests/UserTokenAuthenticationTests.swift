// SPDX-License-Identifier: MIT
// Tests of the authentication of the other token requests of confidential clients.

import TesseraEngine
import TesseraServices
import TesseraTesting
import TesseraWire
import TestSupport
import Testing

@Suite struct UserTokenAuthenticationTests {
  private let bench = TestBench()

  @Test(arguments: [nil, "main"])
  func `a sign-in and its refresh are authenticated`(_ issuer: String?) throws {
    var client = LocalClient(clientID: "web")
    client.secrets = [Secret("a secret of the web application")]
    try bench.provider.perform(.register(client))
    let application = try bench.application(client: "web", issuer: issuer) {
      $0.credential = .secret(Secret("a secret of the web application"))
    }
    let account = try bench.signIn(application).account
    bench.clock.advance(seconds: 4000)
    let request = SilentRequest(account: account, scopes: ["user.read"])
    #expect(try application.acquireTokenSilent(request).source == .network)
    #expect(bench.refreshes == 1)
    expect(.clientRejected) {
      try bench.signIn(try bench.application(client: "web", issuer: issuer))
    }
  }

  @Test func `a credential does not fit every method, and its texts are not empty`() throws {
    let invalid: [(inout ApplicationConfiguration) -> Void] = [
      { $0.credential = .secret(Secret(" ")) },
      {
        $0.credential = .secret(Secret("secret"))
        $0.authenticationMethod = .privateKeyJWT
      },
      {
        $0.credential = .assertionFile("/token")
        $0.authenticationMethod = .clientSecretBasic
      },
      {
        $0.credential = .secret(Secret("secret"))
        $0.assertionAudience = .issuer
      },
      { $0.authenticationMethod = .clientSecretPost },
      {
        $0.credential = .secret(Secret("secret"))
        $0.broker = .prefer
      },
    ]
    for change in invalid {
      expect(.invalidConfiguration) { _ = try bench.application(change: change) }
    }
  }

  @Test func `neither a description nor a mirror contains the credential`() {
    var configuration = ApplicationConfiguration(clientID: "web")
    let pem = CertificateCredential.PEM.text(Secret("secret text"))
    for credential in [
      ClientCredential.secret(Secret("secret text")), .assertion(Secret("secret text")),
      .certificate(CertificateCredential(.pem(pem, key: pem), passphrase: Secret("secret text"))),
    ] {
      configuration.credential = credential
      var text = "\(configuration) \(credential) \(credential.customMirror.children)"
      dump(configuration, to: &text)
      dump(credential, to: &text)
      #expect(!text.contains("secret text"))
    }
  }
}
