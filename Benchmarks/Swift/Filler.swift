// SPDX-License-Identifier: MIT
// Fills a store with records, limited only by the speed of its commits.

internal import Tessera
internal import TesseraCache
internal import TesseraPlatform
internal import TesseraWire

/// Reads records, one JSON object `{"type": …, "record": {…}}` per line, and commits them.
struct Filler {
  /// The number of records per commit.
  private static let batch = 1000

  private let store: any CredentialStore

  init(_ place: MeasuredStore) {
    store = place.store
  }

  /// Commits all records from standard input.
  func run() throws {
    var steps: [CacheChange.Step] = []
    while let line = readLine() {
      steps.append(.put(try Filler.record(line)))
      guard steps.count == Filler.batch else { continue }
      try store.commit(CacheChange(steps), within: .none)
      steps.removeAll()
    }
    try store.commit(CacheChange(steps), within: .none)
    print("filled")
  }

  /// Parses the record in a line.
  static func record(_ line: String) throws(WireError) -> CacheRecord {
    let json = try? JSONValue(parsing: line, limits: .init(bytes: 1 << 30)).object
    guard let type = json?["type"]?.integer, let members = json?["record"]?.object,
      let record = CacheRecord(typeNumber: Int(type), members: members)
    else { throw WireError("bad_record", "A line is no record.") }
    return record
  }
}
