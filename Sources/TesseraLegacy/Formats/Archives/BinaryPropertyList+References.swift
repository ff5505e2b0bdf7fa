// SPDX-License-Identifier: MIT
// The contents of an array or a dictionary of a binary property list, read without copying.

import TesseraCache

extension BinaryPropertyList {
  /// A collection of object numbers.
  ///
  /// They are range-checked when an object is read.
  package struct References: RandomAccessCollection, Sendable {
    let bytes: ArraySlice<UInt8>
    let width: Int

    package var startIndex: Int { 0 }
    package var endIndex: Int { bytes.count / width }

    package subscript(position: Int) -> Int {
      let start = bytes.startIndex + position * width
      let number = bytes[start..<start + width].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
      return Int(exactly: number) ?? .max
    }
  }
}
