// SPDX-License-Identifier: MIT
// Trusted files: a file with a hard link is rejected, an unlinked one is not.

import Foundation
import TestSupport
import Testing

@testable import TesseraPlatform

@Suite struct FileRulesTests {
  private let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
  }

  private func violation(_ descriptor: Int32) throws -> String? {
    var status = stat()
    try #require(fstat(descriptor, &status) == 0)
    return FileRules.violation(to: status, kind: mode_t(S_IFREG))
  }

  @Test func `a hard link is rejected, a file that was just replaced is not`() throws {
    let path = directory.path + "/file"
    let descriptor = open(path, O_RDWR | O_CREAT, 0o600)
    defer { close(descriptor) }
    #expect(try violation(descriptor) == nil)
    try #require(link(path, path + ".2") == 0)
    #expect(try violation(descriptor)?.contains("hard link") == true)
    unlink(path + ".2")
    close(open(path + ".new", O_RDWR | O_CREAT, 0o600))
    try #require(rename(path + ".new", path) == 0)
    #expect(try violation(descriptor) == nil)
  }
}
