// SPDX-License-Identifier: MIT
// The document of a cached account list, copied from its pages.

import CLibrary

extension CachedAccountList {
  /// The document with the member `accounts`, as a C string to be released with `free(3)`; `nil` if memory ran out.
  ///
  /// The bytes are copied once, from the cached pages.
  package var text: UnsafeMutablePointer<CChar>? {
    let head: StaticString = "{\"accounts\":["
    let end: StaticString = "]}"
    let size = pages.reduce(head.utf8CodeUnitCount + 3) { $0 + $1.documents.bytes.count }
    guard let text = malloc(size) else { return nil }
    var count = 0
    func append(_ start: UnsafeRawPointer, _ length: Int) {
      memcpy(text + count, start, length)
      count += length
    }
    append(head.utf8Start, head.utf8CodeUnitCount)
    for page in pages {
      page.documents.bytes.withUnsafeBytes { bytes in
        if let start = bytes.baseAddress { append(start, bytes.count) }
      }
    }
    // Remove the comma after the last account.
    if !pages.isEmpty { count -= 1 }
    append(end.utf8Start, 3)
    return text.assumingMemoryBound(to: CChar.self)
  }
}
