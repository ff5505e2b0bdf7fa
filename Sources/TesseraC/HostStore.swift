// SPDX-License-Identifier: MIT
// tessera_contents_set.

import CTessera
import TesseraEngine

@_cdecl("tessera_contents_set") @implementation
public func tessera_contents_set(
  _ contents: OpaquePointer?, _ bytes: UnsafePointer<UInt8>?, _ size: Int, _ version: UInt64
) {
  ContentsHandle.at(contents, magicNumber: ContentsHandle.magicNumber)?.pointee
    .borrowed { $0.set(bytes, size: size, version: version) }
}
