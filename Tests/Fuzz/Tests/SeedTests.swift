// SPDX-License-Identifier: MIT
// Every seed of the fuzz targets: what must hold for any input holds for these, without libFuzzer.

import FuzzTargets
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

@Suite struct SeedTests {
  /// A requirement that does not hold ends the tests, as it ends a run of `make fuzz`.
  @Test(arguments: targets.map(\.name))
  func `seeds keep what their target requires`(_ name: String) throws {
    let run = try #require(targets.first { $0.name == name }).make()
    let seeds = SeedTests.seeds(of: name)
    #expect(!seeds.isEmpty)
    for seed in seeds { seed.withUnsafeBufferPointer { run(FuzzInput($0)) } }
  }

  /// Each seed, once with every first byte of a digit: it says what is read, or which answer is forged.
  @Test func `no answer to a flow asks to report a bug, whichever it is`() throws {
    let run = try #require(targets.first { $0.name == "answers" }).make()
    for seed in SeedTests.seeds(of: "answers") {
      for choice: UInt8 in 0..<64 {
        let input = [choice] + seed.dropFirst()
        input.withUnsafeBufferPointer { run(FuzzInput($0)) }
      }
    }
  }

  private static func seeds(of target: String, filePath: String = #filePath) -> [[UInt8]] {
    let folder = "/" + filePath.split(separator: "/").dropLast(2).joined(separator: "/")
    let path = "\(folder)/Seeds/\(target)"
    guard let directory = opendir(path) else { return [] }
    defer { closedir(directory) }
    var seeds: [[UInt8]] = []
    while let entry = readdir(directory) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if !name.hasPrefix(".") { seeds.append(contents(of: "\(path)/\(name)")) }
    }
    return seeds
  }

  private static func contents(of path: String) -> [UInt8] {
    guard let file = fopen(path, "r") else { return [] }
    defer { fclose(file) }
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    return Array(buffer[..<fread(&buffer, 1, buffer.count, file)])
  }
}
