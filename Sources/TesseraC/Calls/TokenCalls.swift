// SPDX-License-Identifier: MIT
// tessera_calls_acquire_token_…: calls for tokens that do not block, begun.

public import CTessera
import Tessera
import TesseraEngine
import TesseraWire

@_cdecl("tessera_calls_acquire_token_silent") @implementation
public func tessera_calls_acquire_token_silent(
  _ calls: OpaquePointer?, _ application: OpaquePointer?, _ request: UnsafePointer<CChar>?,
  _ call: UnsafeMutablePointer<Int64>?,
  _ response: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> tessera_status {
  Boundary.answer(response) { () throws(TesseraError) -> [UInt8] in
    let (group, application) = try CallsHandle.begin(calls, application, call)
    let silent = try SilentCall(request)
    if let document = silent.documentAtHand(application) { return document }
    call?.pointee = group.start(
      on: application.surroundings.workers, inTurnOf: silent.request.homeAccountID
    ) { progress throws(TesseraError) in
      try silent.document(of: application, progress.cancellation)
    }
    return Boundary.nothing
  }
}

@_cdecl("tessera_calls_acquire_token_by_device_code") @implementation
public func tessera_calls_acquire_token_by_device_code(
  _ calls: OpaquePointer?, _ application: OpaquePointer?, _ request: UnsafePointer<CChar>?,
  _ call: UnsafeMutablePointer<Int64>?,
  _ response: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> tessera_status {
  Boundary.answer(response) { () throws(TesseraError) -> [UInt8] in
    let (group, application) = try CallsHandle.begin(calls, application, call)
    let deviceCode = try DeviceCodeRequest(request)
    call?.pointee = group.start(
      on: application.surroundings.patientWorkers,
      inTurnOf: application.surroundings.randomness.uuid()
    ) { progress throws(TesseraError) in
      try application.acquireTokenByDeviceCode(deviceCode, cancellation: progress.cancellation) {
        progress.tell($0.json.bytes)
      }.json.bytes
    }
    return Boundary.nothing
  }
}

@_cdecl("tessera_calls_acquire_token_interactive") @implementation
public func tessera_calls_acquire_token_interactive(
  _ calls: OpaquePointer?, _ application: OpaquePointer?, _ request: UnsafePointer<CChar>?,
  _ call: UnsafeMutablePointer<Int64>?,
  _ response: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> tessera_status {
  Boundary.answer(response) { () throws(TesseraError) -> [UInt8] in
    let (group, application) = try CallsHandle.begin(calls, application, call)
    let interactive = try InteractiveCall(request)
    if let document = interactive.documentAtHand(application) { return document }
    call?.pointee = group.start(
      on: application.surroundings.patientWorkers,
      inTurnOf: application.surroundings.randomness.uuid()
    ) { progress throws(TesseraError) in
      try interactive.document(of: application, progress)
    }
    return Boundary.nothing
  }
}

extension Handle where Object == CallGroup, Extra == Void {
  /// What a call begins with: its group and its application, which it keeps alive.
  static func begin(
    _ calls: OpaquePointer?, _ application: OpaquePointer?, _ call: UnsafeMutablePointer<Int64>?
  ) throws(TesseraError) -> (CallGroup, PublicClientApplication) {
    let group = try CallsHandle.required(calls)
    guard let call else { throw Boundary.missing("call") }
    call.pointee = 0
    return (group, try ApplicationHandle.required(application).pointee.borrowed { $0 })
  }
}
