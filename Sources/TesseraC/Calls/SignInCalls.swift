// SPDX-License-Identifier: MIT
// tessera_calls_sign_in_begin and tessera_calls_sign_in_complete.

public import CTessera
import Tessera
import TesseraEngine
import TesseraWire

@_cdecl("tessera_calls_sign_in_begin") @implementation
public func tessera_calls_sign_in_begin(
  _ calls: OpaquePointer?, _ application: OpaquePointer?, _ request: UnsafePointer<CChar>?,
  _ call: UnsafeMutablePointer<Int64>?,
  _ response: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> tessera_status {
  Boundary.answer(response) { () throws(TesseraError) -> [UInt8] in
    let (group, application) = try CallsHandle.begin(calls, application, call)
    let begin = try InteractiveRequest(beginning: request)
    call?.pointee = group.start(
      on: application.surroundings.workers, inTurnOf: application.surroundings.randomness.uuid()
    ) { progress throws(TesseraError) in
      try application.beginSignIn(begin, cancellation: progress.cancellation).json.bytes
    }
    return Boundary.nothing
  }
}

@_cdecl("tessera_calls_sign_in_complete") @implementation
public func tessera_calls_sign_in_complete(
  _ calls: OpaquePointer?, _ application: OpaquePointer?, _ request: UnsafePointer<CChar>?,
  _ call: UnsafeMutablePointer<Int64>?,
  _ response: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> tessera_status {
  Boundary.answer(response) { () throws(TesseraError) -> [UInt8] in
    let (group, application) = try CallsHandle.begin(calls, application, call)
    let completion = try SignInCompletion(request)
    call?.pointee = group.start(
      on: application.surroundings.workers, inTurnOf: application.surroundings.randomness.uuid()
    ) { progress throws(TesseraError) in
      try application.completeSignIn(completion, cancellation: progress.cancellation).json.bytes
    }
    return Boundary.nothing
  }
}
