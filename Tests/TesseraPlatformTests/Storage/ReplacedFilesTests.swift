// SPDX-License-Identifier: MIT
// Files that are replaced while a process has them open: it closes the old ones.

import TesseraEngine
import TesseraPlatform
import TesseraTesting
import TestSupport
import Testing

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

@Suite struct ReplacedFilesTests {
  private let bench: StoreBench

  /// Returns a store that advances its clock instead of waiting.
  private var store: SQLiteStore {
    SQLiteStore(
      group: "group", directory: bench.directory.path, protection: bench.key, time: VirtualClock())
  }

  init() throws {
    bench = try StoreBench()
  }

  #if os(Linux)
    /// The number of open descriptors for files in the store's directory, including deleted ones.
    private var descriptors: Int {
      get throws {
        let (files, place) = (FileManager.default, "/proc/self/fd")
        return try files.contentsOfDirectory(atPath: place).filter {
          let target = try? files.destinationOfSymbolicLink(atPath: "\(place)/\($0)")
          return target?.hasPrefix(bench.directory.path + "/") == true
        }.count
      }
    }

    @Test(arguments: ["everything", "group.db-wal", "group.fresh"])
    func `replacing the files of a store repeatedly leaks no descriptor`(_ what: String)
      throws
    {
      let store = store
      try bench.commit(store, "0")
      #expect(try bench.secrets(store) == ["0"])
      let before = try descriptors
      for round in 1...5 {
        for file in try bench.files() where what == "everything" || file == what {
          try FileManager.default.removeItem(atPath: "\(bench.directory.path)/\(file)")
        }
        try bench.commit(store, "\(round)")
        #expect(try bench.secrets(store) == ["\(round)"])
      }
      #expect(try descriptors <= before)
      #expect(before > 0)
    }
  #endif

  @Test func `a replaced database is not written any more`() throws {
    let (store, files) = (store, FileManager.default)
    try bench.commit(store, "old")
    let old = bench.directory.path + "/old.db"
    let bytes = try Data(contentsOf: URL(fileURLWithPath: bench.database))
    try files.moveItem(atPath: bench.database, toPath: old)
    try files.removeItem(atPath: bench.database + "-wal")
    try bench.commit(store, "new")
    #expect(try bench.secrets(store) == ["new"])
    #expect(try Data(contentsOf: URL(fileURLWithPath: old)) == bytes)
  }
}
