// SPDX-License-Identifier: MIT
// The functions for a sign-in in steps.

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

@_cdecl("tessera_library_hand_over_url") @implementation
public func tessera_library_hand_over_url(
  _ url: UnsafePointer<CChar>?, _ cancellation: OpaquePointer?,
  _ response: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> tessera_status {
  CBridge.respond(response) { () throws(TesseraError) in
    let stop = try CancellationHandle.optional(cancellation)
    try RedirectSchemes.deliver(try CBridge.text(url, "url"), cancellation: stop)
    return CBridge.emptyResponse
  }
}

@_cdecl("tessera_exchange_respond") @implementation
public func tessera_exchange_respond(
  _ exchange: OpaquePointer?, _ response: UnsafePointer<CChar>?
) {
  ExchangeHandle.at(exchange, magicNumber: ExchangeHandle.magicNumber)?.pointee
    .borrowed { $0.respond(response) }
}

@_cdecl("tessera_exchange_is_cancelled") @implementation
public func tessera_exchange_is_cancelled(_ exchange: OpaquePointer?) -> Int32 {
  let isCancelled = ExchangeHandle.at(exchange, magicNumber: ExchangeHandle.magicNumber)?.pointee
    .borrowed { $0.isCancelled }
  return isCancelled ?? true ? 1 : 0
}

@_cdecl("tessera_browser_session_respond") @implementation
public func tessera_browser_session_respond(
  _ session: OpaquePointer?, _ response: UnsafePointer<CChar>?
) {
  BrowserSessionHandle.at(session, magicNumber: BrowserSessionHandle.magicNumber)?.pointee
    .borrowed { $0.respond(response) }
}

@_cdecl("tessera_browser_session_is_cancelled") @implementation
public func tessera_browser_session_is_cancelled(_ session: OpaquePointer?) -> Int32 {
  let handle = BrowserSessionHandle.at(session, magicNumber: BrowserSessionHandle.magicNumber)
  return handle?.pointee.borrowed { $0.isCancelled } ?? true ? 1 : 0
}
