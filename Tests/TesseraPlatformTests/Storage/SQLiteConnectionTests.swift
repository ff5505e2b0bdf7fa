// SPDX-License-Identifier: MIT
// SQLite connections: paths as URIs, and settings.

import TestSupport
import Testing

@testable import TesseraPlatform

@Suite struct SQLiteConnectionTests {
  /// Files in the root directory have such paths.
  @Test func `a path with two leading slashes has no authority`() throws {
    let bench = try StoreBench()
    try bench.commit(bench.store(), "token")
    let connection = try SQLiteConnection(path: "/" + bench.database, modeFrom: nil)
    #expect(try connection.integer("SELECT count(*) FROM sqlite_schema") ?? 0 > 0)
  }

  /// Otherwise SQLITE_TMPDIR or TMPDIR would select a directory, even in a setuid program.
  @Test func `every connection keeps temporary tables in memory`() throws {
    let bench = try StoreBench()
    try bench.commit(bench.store(), "token")
    let connection = try SQLiteConnection(path: bench.database, modeFrom: nil)
    #expect(try connection.integer("PRAGMA temp_store") == 2)
  }
}
