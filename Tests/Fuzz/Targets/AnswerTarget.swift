// SPDX-License-Identifier: MIT
// Complete flows against a provider with forged responses.

import TesseraEngine
import TesseraPlatform
import TesseraTesting
import TesseraWire

/// A local provider.
///
/// Each input runs a sign-in, an account list, refreshes and a sign-out on a new store.
final class ResponseFuzzer: Sendable {
  private let machine = LocalMachine()

  func fuzz(_ input: FuzzInput) {
    let clock = machine.clock
    let dependencies = Dependencies(
      transport: ForgedResponseTransport(machine.transport, input), store: MemoryStore(time: clock),
      time: clock, randomness: SeededRandomness(), workers: WorkerPool())
    var configuration = ApplicationConfiguration(clientID: "app")
    configuration.authority =
      input.choice & 1 == 0 ? machine.provider.entraAuthority() : machine.provider.issuer("main")
    configuration.authorityType = input.choice & 1 == 0 ? .entra : .openID
    guard let application = try? PublicClientApplication(configuration, in: dependencies) else {
      return require(false, "an application can be made")
    }
    signIn(application)
    for account in (try? application.accounts()) ?? [] {
      var request = SilentRequest(account: account, scopes: ["read"])
      request.forcesRefresh = true
      read { () throws(TesseraError) in try application.acquireTokenSilent(request).json }
      var plain = request
      plain.forcesRefresh = false
      read { () throws(TesseraError) in try application.acquireTokenSilent(plain).json }
      _ = try? application.removeAccount(account)
    }
  }

  private func signIn(_ application: PublicClientApplication) {
    let provider = machine.provider
    var request = DeviceCodeRequest(scopes: ["read"])
    request.timeout = .milliseconds(3_600_000)
    read { () throws(TesseraError) in
      try application.acquireTokenByDeviceCode(request) { prompt in
        try? provider.perform(
          .approve(userCode: prompt.userCode, username: LocalUser.alice.username))
      }.json
    }
  }

  /// Checks that a result or error is a JSON document, and that no response causes an internal error.
  private func read(_ call: () throws(TesseraError) -> JSONValue) {
    let document: JSONValue
    do throws(TesseraError) { document = try call() } catch {
      require(error.remedy != .reportBug, "a server cannot make us report a bug: \(error)")
      document = error.json
    }
    require((try? JSONValue(parsing: document.bytes)) != nil, "an answer is a document")
  }
}

/// A transport that replaces some responses with the input, or merges it into them.
private final class ForgedResponseTransport: Transport {
  private let transport: LocalTransport
  private let choice: UInt8
  private let bytes: [UInt8]
  private let count = SpinLock(0)

  init(_ transport: LocalTransport, _ input: FuzzInput) {
    self.transport = transport
    choice = input.choice
    bytes = input.bytes
  }

  func send(
    _ request: HTTPRequest, within limits: CallLimits
  ) throws(TesseraError) -> HTTPResponse {
    let number = count.withLock { count in
      count += 1
      return count
    }
    let answer = try transport.send(request, within: limits)
    // Bits 1 to 3 select the first forged response. Bit 4 also forges the next two.
    let first = Int(choice >> 1 & 7)
    guard number == first || choice & 16 != 0 && (first..<first + 3).contains(number) else {
      return answer
    }
    return forged(answer)
  }

  private func forged(_ answer: HTTPResponse) -> HTTPResponse {
    var answer = answer
    guard choice & 32 == 0, var json = answer.json, var forgery = object(bytes) else {
      if choice & 64 != 0 { answer.status = 400 }
      answer.body = bytes
      return answer
    }
    if let claims = forgery["id_token_claims"]?.object, let token = json["id_token"]?.string {
      forgery["id_token_claims"] = nil
      json["id_token"] = .string(ForgedResponseTransport.token(token, with: claims))
    }
    answer.body = JSONValue.object(json.overlaid(with: forgery)).bytes
    return answer
  }

  /// Returns an ID token with changed claims.
  ///
  /// Its signature is not verified here.
  private static func token(_ text: String, with claims: JSONObject) -> String {
    guard let token = try? JSONWebToken(Secret(text)) else { return text }
    let header = Base64URL.encode(JSONValue.object(token.header).bytes)
    return header + "."
      + Base64URL.encode(JSONValue.object(token.claims.overlaid(with: claims)).bytes)
      + ".c2lnbmF0dXJl"
  }
}
