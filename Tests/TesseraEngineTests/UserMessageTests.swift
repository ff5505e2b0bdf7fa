// SPDX-License-Identifier: MIT
// Texts for users: their defaults in the documentation, their limits, and their replacement.

import Foundation
import TesseraEngine
import TesseraTesting
import TesseraWire
import Testing

@Suite struct UserMessageTests {
  private let machine = LocalMachine()

  private func configuration(_ texts: [UserMessage: String]) -> ApplicationConfiguration {
    var configuration = ApplicationConfiguration(clientID: "client")
    configuration.authority = machine.provider.issuer("main")
    configuration.authorityType = .openID
    configuration.userMessages = texts
    return configuration
  }

  @Test(arguments: UserMessage.allCases)
  func `the documentation has the default text of each code`(_ message: UserMessage) throws {
    let root = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
    let documents = try String(contentsOfFile: "/\(root)/docs/documents.toml", encoding: .utf8)
    let member = "[UserMessages.members.\(message.rawValue)]\ntype = \"string\"\n"
    #expect(documents.contains("\(member)default = \"\(message.defaultText)\"\n"))
  }

  @Test(arguments: UserMessage.allCases)
  func `a default text is within the limits`(_ message: UserMessage) throws {
    _ = try machine.application(configuration([message: message.defaultText]))
  }

  @Test(arguments: [
    (UserMessage.signedInTitle, ""), (.signedInText, "\n"), (.signedInText, "a\u{7}b"),
    (.wrongURLPasted, String(repeating: "a", count: 501)), (.deviceCode, "{user_code}"),
    (.deviceCode, "{verification_uri}"), (.signedInText, "a\u{202E}b"), (.pageLanguage, "en US"),
    (.pageLanguage, "en_US"), (.pageLanguage, "\"><script>"), (.pageLanguage, "e"),
    (.pageLanguage, "\u{212A}o"),
  ])
  func `a text that cannot be shown is rejected`(_ message: UserMessage, _ text: String) {
    let error = #expect(throws: TesseraError.self) {
      try machine.application(configuration([message: text]))
    }
    #expect(error?.code == .invalidConfiguration)
    #expect(error?.message.contains("user_messages.\(message.rawValue) must") == true)
  }

  @Test(arguments: ["\u{200F}לחזור\u{200E} Contoso", "\u{61C}عودة"])
  func `a text may have the marks of right-to-left languages`(_ text: String) throws {
    _ = try machine.application(configuration([.signedInText: text]))
  }

  @Test(arguments: [
    "en", "de-AT", "zh-Hant-TW", "es-419", "sl-rozaj-biske", "de-CH-1901", "en-a-myext-b-another",
    "zh-cmn-Hans-CN", "x-whatever", "i-klingon", "en-GB-oed", "EN-us", "en-x-a",
  ])
  func `a language tag is accepted`(_ tag: String) throws {
    _ = try machine.application(configuration([.pageLanguage: tag]))
  }

  @Test func `a value that contains a placeholder is shown unchanged`() throws {
    let authorization = try DeviceAuthorization(
      [
        "device_code": "code", "user_code": "ABC",
        "verification_uri": "https://id.example/?{user_code}={verification_uri}", "expires_in": 900,
      ], receivedAt: machine.clock.now)
    let messages = UserMessages([.deviceCode: "{user_code} {verification_uri} {user_code} {x}"])
    #expect(
      messages.deviceCode(of: authorization)
        == "ABC https://id.example/?{user_code}={verification_uri} ABC {x}")
  }

  @Test func `a device code is shown in the text of the server, unless it is replaced`() throws {
    func message(_ texts: [UserMessage: String]) throws -> (String, DeviceCodePrompt) {
      let application = try machine.application(configuration(texts))
      var shown: DeviceCodePrompt?
      let stop = Cancellation()
      _ = try? application.acquireTokenByDeviceCode(
        DeviceCodeRequest(scopes: ["read"]), cancellation: stop
      ) {
        shown = $0
        stop.cancel()
      }
      let prompt = try #require(shown)
      return (prompt.message, prompt)
    }
    let (replaced, prompt) = try message([.deviceCode: "{user_code}: {verification_uri}!"])
    #expect(replaced == "\(prompt.userCode): \(prompt.verificationURI)!")
    let (standard, other) = try message([.signedInTitle: "Angemeldet"])
    #expect(standard.contains(other.userCode) && standard.contains(other.verificationURI))
  }
}
