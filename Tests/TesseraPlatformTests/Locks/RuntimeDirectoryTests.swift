// SPDX-License-Identifier: MIT
// The runtime directory of a user, which does not depend on login sessions.

import TestSupport
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

  @Test func `processes started before and after login select the same directory`() throws {
    let before = RuntimeDirectory.path(among: candidates)
    try RuntimeDirectory.make(before)
    try make(session)
    #expect(RuntimeDirectory.path(among: candidates) == before)
    try FileManager.default.removeItem(atPath: session)
    #expect(RuntimeDirectory.path(among: candidates) == before)
    #expect(before == own)
  }

  @Test func `a path that is not a directory of the user is skipped`() throws {
    try FileManager.default.createSymbolicLink(atPath: own, withDestinationPath: "/etc")
    #expect(RuntimeDirectory.path(among: candidates) == second)
    try make(second)
    #expect(RuntimeDirectory.path(among: candidates) == second)
    try FileManager.default.removeItem(atPath: second)
    #expect(FileManager.default.createFile(atPath: second, contents: nil))
    try make(session)
    #expect(RuntimeDirectory.path(among: candidates) == session)
  }

  @Test func `a path that cannot be created is skipped`() {
    #expect(RuntimeDirectory.path(among: ["/not/there/own", own]) == own)
  }

  @Test func `the directory of the login session is the last candidate`() {
    #expect(RuntimeDirectory.candidates.first?.hasPrefix("/tmp/") == true)
    #expect(RuntimeDirectory.candidates.last?.hasPrefix("/run/user/") == true)
  }
}
