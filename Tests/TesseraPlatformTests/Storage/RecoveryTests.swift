// SPDX-License-Identifier: MIT
// Recovery of a damaged database, within the limits of the call.

import TesseraEngine
import TestSupport
import Testing

@testable import TesseraPlatform

@Suite struct RecoveryTests {
  private let bench: StoreBench

  init() throws {
    bench = try StoreBench()
    let store = bench.store()
    for number in 0..<20 { try bench.commit(store, "\(number)", owner: "home \(number)") }
  }

  /// Recovers all records, with a deadline that passes after the given number of checks.
  private func recover(looks: Int) throws -> Int {
    let source = try SQLiteConnection(path: bench.database, modeFrom: nil)
    let path = bench.directory.path + "/new.db"
    let target = try SQLiteConnection(path: path, modeFrom: bench.database)
    try target.execute(SQLiteSchema.settings)
    try SQLiteSchema.begin(target, isRemote: false)
    var left = looks
    return try target.transaction("BEGIN IMMEDIATE") { () throws(SQLiteFailure) in
      try SQLiteLayout.upgrade(target, within: .none, SystemTime())
      return try Recovery(from: source, to: target) { () throws(TesseraError) in
        left -= 1
        if left < 0 { throw .deadlineExceeded() }
      }.run()
    }
  }

  @Test func `every record is recovered`() throws {
    #expect(try recover(looks: .max) == 20)
  }

  @Test func `every record of the second layout is recovered`() throws {
    try bench.run(OldLayout.second)
    #expect(try recover(looks: .max) == 20)
    let path = bench.directory.path + "/new.db"
    let places = "SELECT count(*) FROM record WHERE key & 8796093022207 = name & 8796093022207"
    #expect(try DatabaseEditor.value(places, of: path) == "20")
  }

  @Test(arguments: [0, 1, 10])
  func `a deadline ends the recovery with deadline_exceeded`(_ looks: Int) throws {
    let failure = #expect(throws: SQLiteFailure.self) { _ = try recover(looks: looks) }
    #expect(failure?.problem?.code == .deadlineExceeded)
    #expect(try bench.secrets(bench.store(), owner: "home 7") == ["7"])
  }
}
