// SPDX-License-Identifier: MIT
// tessera_call_group_begin_sign_in and tessera_call_group_complete_sign_in.

public import CTessera
import Tessera
import TesseraEngine
import TesseraWire

@_cdecl("tessera_call_group_begin_sign_in") @implementation
public func tessera_call_group_begin_sign_in(
  _ calls: OpaquePointer?, _ application: OpaquePointer?, _ request: UnsafePointer<CChar>?,
  _ user_data: UnsafeMutableRawPointer?, _ call: UnsafeMutablePointer<Int64>?,
  _ response: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> tessera_status {
  CBridge.begin(
    response, calls, application, user_data, call,
    BeginSignInCall(request: try SignInRequest(request)))
}

@_cdecl("tessera_call_group_complete_sign_in") @implementation
public func tessera_call_group_complete_sign_in(
  _ calls: OpaquePointer?, _ application: OpaquePointer?, _ request: UnsafePointer<CChar>?,
  _ user_data: UnsafeMutableRawPointer?, _ call: UnsafeMutablePointer<Int64>?,
  _ response: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> tessera_status {
  CBridge.begin(response, calls, application, user_data, call, try RedirectResponse(request))
}

/// A request for a sign-in whose page the host shows.
private struct BeginSignInCall: CallWork {
  let request: SignInRequest

  func response(
    of application: PublicClientApplication, _ progress: CallGroup.Progress
  ) throws(TesseraError) -> CallResponse {
    let begun = try application.beginSignIn(request, cancellation: progress.cancellation)
    return CallResponse(begun.json.bytes)
  }
}

extension RedirectResponse: CallWork {
  func response(
    of application: PublicClientApplication, _ progress: CallGroup.Progress
  ) throws(TesseraError) -> CallResponse {
    CallResponse(try application.completeSignIn(self, cancellation: progress.cancellation))
  }
}
