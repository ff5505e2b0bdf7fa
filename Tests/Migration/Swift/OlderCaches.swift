// SPDX-License-Identifier: MIT
// Reads damaged and malicious older caches, and prints the time and the memory.

import TesseraCache
import TesseraLegacy

/// The program that `Tests/Migration/run` starts.
@main
enum OlderCaches {
  private static let usage = """
    usage: tessera-older-caches mutations COUNT        (each genuine and generated cache, COUNT times damaged)
           tessera-older-caches hostile                (the names of the hostile caches)
           tessera-older-caches hostile NAME MEGABYTES (one of them, of that size)
    """

  static func main() {
    let arguments = CommandLine.arguments.dropFirst()
    switch (arguments.first, arguments.dropFirst().first, arguments.last.flatMap { Int($0) }) {
    case ("mutations", .some, let count?):
      for sample in Sample.all { print(sample.mutated(count)) }
    case ("hostile", nil, _): for each in HostileCache.all { print(each.name) }
    case ("hostile", let name?, let size?):
      for each in HostileCache.all where each.name == name { print(each.read(megabytes: size)) }
    default: print(usage)
    }
  }
}

/// The number of objects that a reader found.
struct Count {
  private(set) var good = 0
  private(set) var damaged = 0
  /// The code of the error that ended the reading.
  private(set) var end: String?

  /// Reads a cache and discards its contents.
  init(_ bytes: [UInt8], as format: LegacyFormat) {
    do throws(LegacyCacheError) {
      try format.read(bytes) { entry in
        if case .damaged = entry { damaged += 1 } else { good += 1 }
      }
    } catch {
      end = error.code
    }
  }
}
