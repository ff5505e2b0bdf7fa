// SPDX-License-Identifier: MIT
// Access to JSON documents for programs without a JSON library.

import CLibrary
import CTessera
import TesseraEngine
import TesseraWire

@_cdecl("tessera_document_get_string") @implementation
public func tessera_document_get_string(
  _ document: UnsafePointer<CChar>?, _ path: UnsafePointer<CChar>?
) -> UnsafeMutablePointer<CChar>? {
  guard let text = CBridge.value(of: document, at: path)?.string, !text.utf8.contains(0) else {
    return nil
  }
  return CBridge.copy(Array(text.utf8))
}

@_cdecl("tessera_document_get_integer") @implementation
public func tessera_document_get_integer(
  _ document: UnsafePointer<CChar>?, _ path: UnsafePointer<CChar>?, _ fallback: Int64
) -> Int64 {
  guard case .number(let digits) = CBridge.value(of: document, at: path) else { return fallback }
  return Int64(digits) ?? fallback
}

@_cdecl("tessera_string_quote") @implementation
public func tessera_string_quote(
  _ text: UnsafePointer<CChar>?
) -> UnsafeMutablePointer<CChar>? {
  guard let text, let valid = String(validatingCString: text) else { return nil }
  return CBridge.copy(JSONValue.string(valid).bytes)
}

extension CBridge {
  /// Returns the value at a JSON Pointer; nil if there is none, or a parameter is NULL or invalid.
  ///
  /// The size of the document is not limited: a response may contain a whole store.
  fileprivate static func value(
    of document: UnsafePointer<CChar>?, at path: UnsafePointer<CChar>?
  ) -> JSONValue? {
    guard let document, let path, let path = String(validatingCString: path),
      let pointer = JSONPointer(path)
    else { return nil }
    let bytes = UnsafeRawBufferPointer(start: document, count: strlen(document))
    let value = try? JSONValue(parsing: Array(bytes), limits: .init(bytes: .max))
    return value.flatMap(pointer.value)
  }
}
