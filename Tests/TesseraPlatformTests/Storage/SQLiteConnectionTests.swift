// SPDX-License-Identifier: MIT
// Connections to a database: which file a path is, and their settings.

import Testing

@testable import TesseraPlatform

@Suite struct SQLiteConnectionTests {
  /// The root directory's files have such paths.
  @Test func `two slashes at the beginning are no authority`() throws {
    let bench = try StoreBench()
    try bench.commit(bench.store(), "token")
    let connection = try SQLiteConnection(path: "/" + bench.database, modeFrom: nil)
    #expect(try connection.integer("SELECT count(*) FROM sqlite_schema") ?? 0 > 0)
  }

  /// SQLite would choose their directory by SQLITE_TMPDIR or TMPDIR, also in a setuid program.
  @Test func `every connection keeps temporary tables in memory`() throws {
    let bench = try StoreBench()
    try bench.commit(bench.store(), "token")
    let connection = try SQLiteConnection(path: bench.database, modeFrom: nil)
    #expect(try connection.integer("PRAGMA temp_store") == 2)
  }
}
