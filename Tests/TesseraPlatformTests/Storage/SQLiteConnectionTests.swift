// SPDX-License-Identifier: MIT
// Connections to a database: which file a path is.

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
}
