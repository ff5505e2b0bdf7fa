// SPDX-License-Identifier: MIT
// The choice between a cache file and a keyring item.

import Testing

@testable import TesseraMSALFile
@testable import TesseraPlatform

@Suite struct LocationChoiceTests {
  private func file(_ size: Int64, at second: Int64) -> LocationChoice.File {
    LocationChoice.File(size: size, modified: second * 1_000_000_000 + 500_000_000)
  }

  @Test func `without a file or an item nothing is selected`() {
    #expect(LocationChoice.prefersItem(.missing, over: nil) == nil)
    #expect(LocationChoice.prefersItem(.unknown, over: nil) == nil)
    // A signal file remains, but neither a document nor an item exists.
    #expect(LocationChoice.prefersItem(.missing, over: file(0, at: 100)) == nil)
  }

  @Test(arguments: [0, 1])
  func `an empty file signals an item, which may be locked`(size: Int64) {
    #expect(LocationChoice.prefersItem(.present(modified: 1), over: file(size, at: 100)) == true)
    #expect(LocationChoice.prefersItem(.unknown, over: file(size, at: 100)) == true)
  }

  @Test func `a plain file is selected if there is no item or the keyring is unavailable`() {
    #expect(LocationChoice.prefersItem(.missing, over: file(500, at: 100)) == false)
    #expect(LocationChoice.prefersItem(.unknown, over: file(500, at: 100)) == false)
  }

  @Test func `of a file and an item, the one that was written last is selected`() {
    #expect(LocationChoice.prefersItem(.present(modified: 50), over: file(500, at: 100)) == false)
    // The file was touched after the item was written. Its own contents are older.
    #expect(LocationChoice.prefersItem(.present(modified: 99), over: file(500, at: 100)) == true)
    // Tessera sets the modification time two seconds ahead.
    #expect(LocationChoice.prefersItem(.present(modified: 97), over: file(500, at: 100)) == true)
    #expect(LocationChoice.prefersItem(.present(modified: 200), over: file(500, at: 100)) == true)
    #expect(LocationChoice.prefersItem(.present(modified: .max), over: file(500, at: 100)) == true)
  }

  @Test func `an item is selected if there is no file`() {
    #expect(LocationChoice.prefersItem(.present(modified: 50), over: nil) == true)
  }

  @Test func `of several files, the newest one is selected, or the first of equally new ones`() {
    let (old, new) = (file(500, at: 100), file(0, at: 200))
    #expect(LocationChoice.newest([nil, nil]) == nil)
    #expect(LocationChoice.newest([old, nil]) == 0)
    #expect(LocationChoice.newest([old, new, nil]) == 1)
    #expect(LocationChoice.newest([new, old, new]) == 0)
  }
}
