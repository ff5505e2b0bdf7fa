// SPDX-License-Identifier: MIT
// tessera_application_begin_sign_in and tessera_application_complete_sign_in.

public import CTessera
import Tessera
import TesseraEngine
import TesseraWire

@_cdecl("tessera_application_begin_sign_in") @implementation
public func tessera_application_begin_sign_in(
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

@_cdecl("tessera_application_complete_sign_in") @implementation
public func tessera_application_complete_sign_in(
  _ application: OpaquePointer?, _ request: UnsafePointer<CChar>?, _ cancellation: OpaquePointer?,
  _ response: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> tessera_status {
  CBridge.respond(
    response, of: application, stoppedBy: cancellation, to: try RedirectResponse(request)
  ) { application, completion, stop throws(TesseraError) -> TokenResult in
    try application.completeSignIn(completion, cancellation: stop)
  }
}
