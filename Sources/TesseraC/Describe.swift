// SPDX-License-Identifier: MIT
// tessera_describe_token.

public import CTessera
import Tessera
import TesseraEngine
import TesseraWire

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

@_cdecl("tessera_describe_token") @implementation
public func tessera_describe_token(
  _ token: UnsafePointer<CChar>?, _ response: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> tessera_status {
  Boundary.answer(response) { () throws(TesseraError) in
    guard let token else { throw Boundary.missing("token") }
    let length = strnlen(token, RequestDocument.limit + 1)
    let bytes = UnsafeRawBufferPointer(start: token, count: length)
    guard length <= RequestDocument.limit, let text = String(validating: bytes, as: UTF8.self)
    else {
      throw TesseraError(
        .fixRequest, .invalidMember, "token is no UTF-8, or longer than a megabyte.")
    }
    return TokenDescription(Secret(text)).json
  }
}
