// SPDX-License-Identifier: MIT
// The versions and features of the library, and the release of response strings.

import CLibrary
public import CTessera
import Tessera
import TesseraEngine
import TesseraWire

@_cdecl("tessera_version") @implementation
public func tessera_version() -> UnsafePointer<CChar>? {
  UnsafeRawPointer(TesseraVersion.literal.utf8Start).assumingMemoryBound(to: CChar.self)
}

@_cdecl("tessera_version_number") @implementation
public func tessera_version_number() -> Int32 {
  TesseraVersion.text.split(separator: ".").reduce(0) { $0 &* 1000 &+ (Int32($1) ?? 0) }
}

@_cdecl("tessera_abi_version") @implementation
public func tessera_abi_version() -> Int32 {
  TESSERA_ABI_VERSION
}

@_cdecl("tessera_library_features") @implementation
public func tessera_library_features(
  _ response: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> tessera_status {
  CBridge.respond(response) { () throws(TesseraError) -> JSONValue in
    ["features": .array(Features.names.map(JSONValue.string))]
  }
}

@_cdecl("tessera_string_free") @implementation
public func tessera_string_free(_ string: UnsafeMutablePointer<CChar>?) {
  CBridge.free(string)
}
