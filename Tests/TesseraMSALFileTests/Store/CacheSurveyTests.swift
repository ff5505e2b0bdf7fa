// SPDX-License-Identifier: MIT
// Caches of other applications found in a home directory without a keyring.

import TesseraEngine
import TestSupport
import Testing

@testable import TesseraMSALFile
@testable import TesseraPlatform

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

@Suite struct CacheSurveyTests {
  private let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
  }

  private func write(_ text: String, _ name: String) throws {
    let path = "\(directory.path)/\(name)"
    let folder = path[..<(path.lastIndex(of: "/") ?? path.endIndex)]
    try FileManager.default.createDirectory(
      atPath: String(folder), withIntermediateDirectories: true,
      attributes: [.posixPermissions: 0o700])
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
  }

  private func found(_ name: String) throws -> [FoundCache] {
    let folders = try CacheDirectories { $0 == "HOME" ? directory.path : nil }
    let items = KeyringItems(SecretService(address: nil), time: SystemTime())
    return try CacheSurvey(folders, items, time: SystemTime()).locate(within: .none)
      .filter { $0.name == name }
  }

  private static let account = """
    {"Account": {"a": {"home_account_id": "u.t", "environment": "login.microsoftonline.com", "realm": "t"}, \
    "b": {"home_account_id": "u.t", "environment": "login.microsoftonline.com", "realm": "other"}, \
    "c": {"home_account_id": "v.t", "environment": "login.microsoftonline.com", "realm": "t"}}}
    """

  @Test func `in an empty home every cache is missing and a plain file is selected`() throws {
    for name in KnownCache.allCases.map(\.rawValue) {
      let found = try found(name)
      #expect(found.allSatisfy { $0.state == .missing && $0.reason == nil })
      #expect(found.filter(\.isSelected).map(\.kind) == [.file])
    }
  }

  @Test func `accounts are counted once, whatever their tenants`() throws {
    try write(Self.account, ".azure/msal_token_cache.json")
    let found = try #require(try found("azure_cli").first { $0.isSelected })
    #expect(found.state == .usable)
    #expect(found.accounts == 2)
    #expect(found.modifiedOn != nil)
  }

  @Test func `an empty file that signals a keyring item is not a cache`() throws {
    try write("", ".IdentityService/msal.cache.nocae")
    let found = try found("azure_identity")
    #expect(found.map(\.state) == [.missing, .locked])
    #expect(found.map(\.isSelected) == [false, true])
    #expect(found.last?.reason == "there is no session bus")
  }

  @Test func `a cache of azidentity for Go is reported as unreadable`() throws {
    try write("eyJhbGciOiJkaXIifQ..x.y.z", ".IdentityService/msal.cache.cae")
    let found = try #require(try found("azure_identity_cae").first)
    #expect(found.state == .unreadable)
    #expect(found.reason?.contains("azidentity") == true)
  }

  @Test func `the cache of azd is listed but not selected`() throws {
    try write(Self.account, ".azd/auth/msal/cache.json")
    let found = try #require(try found("azd").first)
    #expect(found.state == .usable)
    #expect(found.accounts == 2)
    #expect(!found.isSelected)
    #expect(found.reason?.contains("a different lock file") == true)
  }

  @Test func `a file that others can write is not read`() throws {
    try write(Self.account, ".azure/msal_token_cache.json")
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o666], ofItemAtPath: directory.path + "/.azure/msal_token_cache.json")
    let found = try #require(try found("azure_cli").first)
    #expect(found.state == .unavailable)
    #expect(found.reason?.contains("msal_token_cache.json") == true)
  }
}
