// SPDX-License-Identifier: MIT
// The seeds of the fuzz targets, checked without libFuzzer.

import CLibrary
import FuzzTargets
import Testing

@Suite struct SeedTests {
  /// A failed requirement ends the test process, as in `make fuzz`.
  @Test(arguments: targets.map(\.name))
  func `all seeds of a target meet its requirements`(_ name: String) throws {
    let run = try #require(targets.first { $0.name == name }).make()
    let seeds = SeedTests.seeds(of: name)
    #expect(!seeds.isEmpty)
    for seed in seeds { seed.withUnsafeBufferPointer { run(FuzzInput($0)) } }
  }

  /// Runs each seed with 64 values of the first byte, which selects the variant and the forged response.
  @Test func `no forged response causes an internal error`() throws {
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
