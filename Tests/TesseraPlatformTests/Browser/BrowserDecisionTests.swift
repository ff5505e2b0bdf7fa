// SPDX-License-Identifier: MIT
// The table of environments in docs/interactive.md, and the commands that open a URL.

import TesseraEngine
import TesseraPlatform
import TesseraWire
import TestVectors
import Testing

@Suite struct BrowserDecisionTests {
  @Test(arguments: TestVector.all(in: "browsers", areas: "browser"))
  func `the environment determines how the page is opened`(vector: TestVector) throws {
    let input = vector.input
    let choice = try #require(BrowserChoice(rawValue: input["choice"]?.string ?? "automatic"))
    let situation = BrowserDecision(
      EnvironmentFacts(input), choice, canShow: input["shows"]?.bool ?? true)
    #expect(situation.method.rawValue == vector.expected["way"]?.string)
    #expect(situation.reason.rawValue == vector.expected["reason"]?.string)
    guard let expected = vector.expected["commands"]?.array else { return }
    let commands = situation.commands.map { command in
      // Drop the URL, which is always the last argument here.
      ([command.name] + command.arguments("https://a").dropLast()).joined(separator: " ")
    }
    #expect(commands == expected.map(\.string))
  }

  @Test func `the URL replaces its placeholder in the arguments of a command`() throws {
    var facts = EnvironmentFacts()
    facts.variables["BROWSER"] = "a --url=%s -x:b"
    facts.programs = ["a": "/bin/a", "b": "/bin/b"]
    let commands = BrowserDecision(facts, .automatic, canShow: true).commands
    #expect(
      commands.map { $0.arguments("https://x/?a=$(id)&b=;") } == [
        ["--url=https://x/?a=$(id)&b=;", "-x"], ["https://x/?a=$(id)&b=;"],
      ])
  }

  @Test func `the facts of this machine have a kernel and absolute program paths`() {
    let facts = EnvironmentFacts.current
    #expect(!facts.kernel.isEmpty)
    #expect(facts.programs.values.allSatisfy { $0.hasPrefix("/") })
  }
}

extension EnvironmentFacts {
  /// Parses the facts of a test vector.
  fileprivate init(_ input: JSONValue) {
    self.init()
    for (name, value) in (input["variables"]?.object ?? JSONObject()).members {
      variables[name] = value.string
    }
    for (name, value) in (input["programs"]?.object ?? JSONObject()).members {
      programs[name] = value.string
    }
    files = Set((input["files"]?.array ?? []).compactMap(\.string))
    kernel = input["kernel"]?.string ?? ""
    userID = input["user"]?.integer.flatMap(UInt32.init(exactly:)) ?? 1000
    isApple = input["apple"]?.bool ?? false
  }
}
