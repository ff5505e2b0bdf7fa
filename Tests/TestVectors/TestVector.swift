// SPDX-License-Identifier: MIT
// Test vectors for formats and rules, shared by the tests of all languages.

import CLibrary
package import TesseraWire

/// A test vector: an input and its expected result.
package struct TestVector: Sendable {
  package let area: String
  package let name: String
  package let input: JSONValue
  package let expected: JSONValue

  /// The name in the output of the test runner.
  package var testDescription: String { "\(area): \(name)" }

  /// Returns the vectors of some areas in a file of `Tests/Vectors`.
  ///
  /// An area without vectors gets one that fails its test.
  package static func all(in file: String, areas: String...) -> [TestVector] {
    let bytes = bytes(of: "\(file).json")
    let rows = (try? JSONValue(parsing: bytes, limits: .init(bytes: 16 << 20)))?.array ?? []
    let vectors: [TestVector] = rows.compactMap { row in
      guard let area = row["area"]?.string, let name = row["name"]?.string, areas.contains(area)
      else { return nil }
      return TestVector(
        area: area, name: name, input: row["input"] ?? .null, expected: row["expected"] ?? .null)
    }
    // A missing or damaged file must fail the test that needs it, not skip it.
    let missing = Set(areas).subtracting(vectors.map(\.area)).sorted()
    return vectors
      + missing.map { TestVector(area: $0, name: "no vector", input: .null, expected: .null) }
  }

  /// Returns the content of a file in `Tests/Vectors`; empty if it cannot be opened.
  package static func bytes(of file: String) -> [UInt8] {
    let folder = #filePath.split(separator: "/").dropLast(2).joined(separator: "/")
    return contents(of: "/\(folder)/Vectors/\(file)")
  }

  private static func contents(of path: String) -> [UInt8] {
    guard let file = fopen(path, "r") else { return [] }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while case let count = fread(&buffer, 1, buffer.count, file), count > 0 {
      bytes += buffer[..<count]
    }
    return bytes
  }
}

extension TestVector {
  /// Returns the vectors from MSAL for Apple's tests of its cache, those with an ADAL cache or those without one.
  package static func behaviour(withLegacyCache: Bool) -> [TestVector] {
    all(in: "behaviour", areas: "behaviour").filter { vector in
      let hasLegacyCache =
        ["legacy", "ADAL", "secondary", "same data", "single-resource"].contains { word in
          vector.name.contains(word)
        }
      return hasLegacyCache == withLegacyCache
    }
  }
}

extension JSONValue {
  /// A member of an object; nil for other values.
  package subscript(_ name: String) -> JSONValue? { object?[name] }
}
