// SPDX-License-Identifier: MIT
// tessera_sign_in_begin and tessera_sign_in_complete.

public import CTessera
import Tessera
import TesseraEngine
import TesseraWire

@_cdecl("tessera_sign_in_begin") @implementation
public func tessera_sign_in_begin(
  _ application: OpaquePointer?, _ request: UnsafePointer<CChar>?, _ cancellation: OpaquePointer?,
  _ response: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> tessera_status {
  CBridge.respond(
    response, of: application, stoppedBy: cancellation,
    to: try SignInRequest(request)
  ) { application, begin, stop throws(TesseraError) in
    try application.beginSignIn(begin, cancellation: stop).json
  }
}

@_cdecl("tessera_sign_in_complete") @implementation
public func tessera_sign_in_complete(
  _ application: OpaquePointer?, _ request: UnsafePointer<CChar>?, _ cancellation: OpaquePointer?,
  _ response: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> tessera_status {
  CBridge.respond(
    response, of: application, stoppedBy: cancellation, to: try RedirectResponse(request)
  ) { application, completion, stop throws(TesseraError) in
    try application.completeSignIn(completion, cancellation: stop).json
  }
}
