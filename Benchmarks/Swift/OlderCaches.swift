// SPDX-License-Identifier: MIT
// Measures the import of a large cache of an older library.

import CLibrary
internal import TesseraCache
import TesseraLegacy
internal import TesseraWire

/// Parses the cache in a file, and prints time and memory.
struct OlderCaches {
  let path: String

  /// Prints the format, size, number of entries, time, and peak memory beyond the size of the file.
  func run() {
    let bytes = contents
    guard let format = LegacyFormat.detectedFormat(in: bytes) else {
      return printResult("not recognised")
    }
    let before = OlderCaches.peakKilobytes
    let start = Stopwatch.now
    var entries = 0
    var damaged = 0
    do throws(LegacyCacheError) {
      try format.read(bytes) { entry in
        entries += 1
        if case .damaged = entry { damaged += 1 }
      }
    } catch {
      damaged += 1
    }
    let milliseconds = Double(Stopwatch.now - start) / 1e6
    let answer: JSONValue = [
      "format": .string(format.rawValue), "bytes": .integer(Int64(bytes.count)),
      "entries": .integer(Int64(entries)), "damaged": .integer(Int64(damaged)),
      "milliseconds": .number(String((milliseconds * 10).rounded() / 10)),
      "more_kilobytes": .integer(Int64(OlderCaches.peakKilobytes - before)),
    ]
    printResult(answer.serialized)
  }

  /// The content of the file, in one allocation of its size.
  private var contents: [UInt8] {
    guard let file = fopen(path, "r") else { return [] }
    defer { fclose(file) }
    fseek(file, 0, SEEK_END)
    let size = max(ftell(file), 0)
    rewind(file)
    return [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
      count = fread(buffer.baseAddress, 1, size, file)
    }
  }

  /// The peak memory of this process, in kilobytes.
  private static var peakKilobytes: Int {
    var usage = rusage()
    getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
    return usage.ru_maxrss
  }
}
