// SPDX-License-Identifier: MIT
// A file as it is written down: known again after its name, its disk or the machine has changed.

import CTesseraStore

/// Which file it is, told from one that was made later and got its number.
struct FileStamp: Equatable {
  /// Its number in its file system.
  let number: UInt64
  /// When it was made, in nanoseconds since 1970; 0 where the file system does not say.
  let birth: UInt64

  init(number: UInt64, birth: UInt64) {
    self.number = number
    self.birth = birth
  }

  /// The file at a path; nil if there is none.
  init?(at path: String) {
    var (number, birth) = (UInt64(0), UInt64(0))
    guard ctessera_path_stamp(path, &number, &birth) else { return nil }
    self.init(number: number, birth: birth)
  }

  /// The file that a descriptor has open.
  init?(of descriptor: Int32) {
    var (number, birth) = (UInt64(0), UInt64(0))
    guard ctessera_descriptor_stamp(descriptor, &number, &birth) else { return nil }
    self.init(number: number, birth: birth)
  }
}
