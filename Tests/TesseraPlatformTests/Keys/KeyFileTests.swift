// SPDX-License-Identifier: MIT
// Key files: modes, and rejected files and directories.

import CLibrary
import TesseraEngine
import TestSupport
import Testing

@testable import TesseraPlatform

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

@Suite struct KeyFileTests {
  private let directory: TemporaryDirectory
  private let limits = KeyLimits(.none, SystemTime())
  private let key = KeyMaterial([UInt8](0..<32))
  private let name = "0123456789abcdef"

  init() throws {
    directory = try TemporaryDirectory()
  }

  private var keys: String { directory.path + "/state/tessera/keys" }
  private var file: String { "\(keys)/\(name).key" }
  private var files: KeyFile { KeyFile(directory: keys, storeDirectory: directory.path + "/store") }

  private func mode(_ path: String) throws -> Int {
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    return (attributes[.posixPermissions] as? Int) ?? -1
  }

  private func setMode(_ mode: Int, _ path: String) throws {
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
  }

  private func bytes() throws -> [UInt8] {
    try files.key(named: name, within: limits).withBytes { Array($0) }
  }

  private func expect(
    _ problem: KeyAttempt.Problem, sourceLocation: SourceLocation = #_sourceLocation,
    _ body: () throws -> Void
  ) {
    let error = #expect(throws: KeyFailure.self, sourceLocation: sourceLocation) { try body() }
    guard case .refused(let found, _) = error else {
      Issue.record("the call ended", sourceLocation: sourceLocation)
      return
    }
    #expect(found == problem, sourceLocation: sourceLocation)
  }

  @Test(arguments: [
    KeyFailure(FileError.failed(verb: "open", path: "/keys/a.key", code: EMFILE)),
    KeyFailure(FileError.failed(verb: "open", path: "/keys/a.key", code: ENFILE)),
    KeyFailure(FileError.failed(verb: "open", path: "/keys/a.key", code: ENOMEM)),
    KeyFailure(BusFailure.unreachable(EMFILE)),
  ])
  func `a lack of descriptors or memory is store_busy, not a missing key`(_ failure: KeyFailure) {
    guard case .ended(let error) = failure else {
      Issue.record("the key counts as lost")
      return
    }
    #expect(error.remedy == .retryLater)
    #expect(error.code == .storeBusy)
  }

  @Test func `a stored key is read back, and is private whatever the umask`() throws {
    try UserMask.cleared { try files.persist(key, named: name, within: limits) }
    #expect(try bytes() == [UInt8](0..<32))
    #expect(try mode(file) == 0o600)
    #expect(try mode(keys) == 0o700)
    #expect(try mode(directory.path + "/state") == 0o700)
  }

  @Test func `an existing key is never overwritten`() throws {
    try files.persist(key, named: name, within: limits)
    #expect(throws: KeyFailure.self) {
      try files.persist(KeyMaterial([UInt8](repeating: 9, count: 32)), named: name, within: limits)
    }
    #expect(try bytes() == [UInt8](0..<32))
  }

  @Test func `a deleted file is a missing key`() throws {
    expect(.keyMissing) { _ = try bytes() }
    try files.persist(key, named: name, within: limits)
    try FileManager.default.removeItem(atPath: file)
    expect(.keyMissing) { _ = try bytes() }
  }

  @Test func `symbolic links, hard links, wrong sizes and files writable by others are rejected`()
    throws
  {
    try files.persist(key, named: name, within: limits)
    try FileManager.default.linkItem(atPath: file, toPath: directory.path + "/second")
    expect(.unsafe) { _ = try bytes() }
    try FileManager.default.removeItem(atPath: directory.path + "/second")
    #expect(try bytes().count == 32)

    try setMode(0o620, file)
    expect(.unsafe) { _ = try bytes() }
    try setMode(0o600, file)

    try FileManager.default.moveItem(atPath: file, toPath: directory.path + "/moved")
    try FileManager.default.createSymbolicLink(
      atPath: file, withDestinationPath: directory.path + "/moved")
    expect(.unsafe) { _ = try bytes() }
    try FileManager.default.removeItem(atPath: file)

    try Data([1, 2, 3]).write(to: URL(filePath: file))
    expect(.unsafe) { _ = try bytes() }
  }

  @Test func `a key file that others can read gets mode 0600`() throws {
    try files.persist(key, named: name, within: limits)
    try setMode(0o644, file)
    #expect(try bytes() == [UInt8](0..<32))
    #expect(try mode(file) == 0o600)
  }

  @Test func `a parent directory that others can write is rejected unless it is sticky`() throws {
    let above = directory.path + "/state"
    try FileManager.default.createDirectory(atPath: above, withIntermediateDirectories: false)
    try setMode(0o777, above)
    expect(.unsafe) { try files.persist(key, named: name, within: limits) }
    #expect(!FileManager.default.fileExists(atPath: file))
    try setMode(0o1777, above)
    try files.persist(key, named: name, within: limits)
  }

  @Test func `a key directory inside the store directory is rejected, also behind a link`() throws {
    let inside = KeyFile(directory: directory.path + "/store/keys", storeDirectory: directory.path)
    expect(.unsafe) { try inside.persist(key, named: name, within: limits) }
    try FileManager.default.createSymbolicLink(
      atPath: directory.path + "/link", withDestinationPath: directory.path + "/store")
    let behind = KeyFile(
      directory: directory.path + "/link/keys", storeDirectory: directory.path + "/store")
    try FileManager.default.createDirectory(
      atPath: directory.path + "/store", withIntermediateDirectories: false)
    expect(.unsafe) { try behind.persist(key, named: name, within: limits) }
    #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path + "/store").isEmpty)
    // A directory with the same prefix in its name is a different one.
    let siblingKey = KeyFile(
      directory: directory.path + "/store2", storeDirectory: directory.path + "/store")
    try siblingKey.persist(key, named: name, within: limits)
  }

  @Test func `a name with a path is rejected, and without HOME there is no key directory`() throws {
    expect(.keyMissing) { _ = try files.key(named: "../../secret", within: limits) }
    let nowhere = KeyFile(directory: nil, storeDirectory: nil)
    expect(.failed) { try nowhere.persist(key, named: name, within: limits) }
  }
}
