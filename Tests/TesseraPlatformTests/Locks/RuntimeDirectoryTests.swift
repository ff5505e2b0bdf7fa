// SPDX-License-Identifier: MIT
// Where the programs of a user meet: at one place, whoever is logged in.

import Testing

@testable import TesseraPlatform

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

@Suite struct RuntimeDirectoryTests {
  private let directory: TemporaryDirectory
  private let own: String
  private let second: String
  private let session: String
  private var candidates: [String] { [own, second, session] }

  init() throws {
    directory = try TemporaryDirectory()
    own = directory.path + "/own"
    second = directory.path + "/second"
    session = directory.path + "/session"
  }

  private func make(_ path: String) throws {
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
  }

  @Test func `who began before the log-in meets who began after it`() throws {
    let before = RuntimeDirectory.path(among: candidates)
    try RuntimeDirectory.make(before)
    try make(session)
    #expect(RuntimeDirectory.path(among: candidates) == before)
    try FileManager.default.removeItem(atPath: session)
    #expect(RuntimeDirectory.path(among: candidates) == before)
    #expect(before == own)
  }

  @Test func `a place that is not a directory of the user is passed over, by everybody`() throws {
    try FileManager.default.createSymbolicLink(atPath: own, withDestinationPath: "/etc")
    #expect(RuntimeDirectory.path(among: candidates) == second)
    try make(second)
    #expect(RuntimeDirectory.path(among: candidates) == second)
    try FileManager.default.removeItem(atPath: second)
    #expect(FileManager.default.createFile(atPath: second, contents: nil))
    try make(session)
    #expect(RuntimeDirectory.path(among: candidates) == session)
  }

  @Test func `a place in which nothing can be made is passed over`() {
    #expect(RuntimeDirectory.path(among: ["/not/there/own", own]) == own)
  }

  @Test func `the place that comes and goes with sessions is the last one`() {
    #expect(RuntimeDirectory.candidates.first?.hasPrefix("/tmp/") == true)
    #expect(RuntimeDirectory.candidates.last?.hasPrefix("/run/user/") == true)
  }
}
