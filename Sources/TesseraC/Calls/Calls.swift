// SPDX-License-Identifier: MIT
// The handle of a group of non-blocking calls: creation, events, cancellation and release.

public import CTessera
import Tessera
import TesseraEngine
import TesseraPlatform
import TesseraWire

/// The handle of a group of non-blocking calls.
typealias CallsHandle = Handle<CallGroup, Void>

extension Handle where Object == CallGroup, Extra == Void {
  /// The magic number of a call group handle: "TESSCALL" in ASCII.
  static var magicNumber: UInt64 { 0x5445_5353_4341_4C4C }

  /// Returns the call group of the handle at a pointer.
  ///
  /// - Throws: `fixRequest` if the pointer is NULL or is not a call group, or if the group was created before a fork().
  static func required(_ pointer: OpaquePointer?) throws(TesseraError) -> CallGroup {
    guard let handle = at(pointer, magicNumber: magicNumber) else { throw CBridge.missing("calls") }
    let group = handle.pointee.borrowed { $0 }
    guard group.isOfThisProcess else {
      throw TesseraError(
        .fixRequest, .wrongProcess,
        "The calls object was created in the parent process: create a new one after fork().")
    }
    return group
  }

  /// Whether the pointer is a call group of this process.
  static func isUsable(_ pointer: OpaquePointer?) -> Bool {
    at(pointer, magicNumber: magicNumber)?.pointee.borrowed { $0.isOfThisProcess } ?? false
  }
}

@_cdecl("tessera_call_group_create") @implementation
public func tessera_call_group_create(
  _ calls: UnsafeMutablePointer<OpaquePointer?>?,
  _ response: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> tessera_status {
  calls?.pointee = nil
  return CBridge.respond(response) { () throws(TesseraError) in
    guard let calls else { throw CBridge.missing("calls") }
    guard let group = CallGroup() else { throw TesseraError.noDescriptorLeft }
    calls.pointee = CallsHandle.make(group, (), magicNumber: CallsHandle.magicNumber)
    return .object(JSONObject())
  }
}

@_cdecl("tessera_call_group_descriptor") @implementation
public func tessera_call_group_descriptor(_ calls: OpaquePointer?) -> Int32 {
  CallsHandle.at(calls, magicNumber: CallsHandle.magicNumber)?.pointee.borrowed { $0.descriptor }
    ?? -1
}

@_cdecl("tessera_call_group_next_event") @implementation
public func tessera_call_group_next_event(
  _ calls: OpaquePointer?, _ timeout_milliseconds: Int64,
  _ event: UnsafeMutablePointer<tessera_event>?
) -> tessera_status {
  guard let event, event.pointee.size >= CallGroup.CallEvent.firstSize else {
    return tessera_status(TESSERA_STATUS_FIX_REQUEST)
  }
  var response: UnsafeMutablePointer<CChar>?
  var found: CallGroup.CallEvent?
  let status = CBridge.respond(&response) { () throws(TesseraError) -> [UInt8] in
    found = try CallsHandle.required(calls).next(within: timeout_milliseconds)
    return found?.document ?? CBridge.emptyResponse
  }
  event.pointee = tessera_event(
    size: event.pointee.size, call: found?.call ?? 0,
    kind: found?.kind ?? Int32(TESSERA_EVENT_NONE),
    status: found?.status ?? status, user_data: found?.userData.pointer, response: response)
  return status
}

@_cdecl("tessera_call_group_cancel") @implementation
public func tessera_call_group_cancel(_ calls: OpaquePointer?, _ call: Int64) {
  guard let group = try? CallsHandle.required(calls) else { return }
  group.cancel(call == 0 ? nil : call)
}

@_cdecl("tessera_call_group_free") @implementation
public func tessera_call_group_free(_ calls: OpaquePointer?) {
  // Shorter than the documented second, because a thread may wake up late. It is enough for cancelled work to end, even if
  // the work is loading a library.
  (try? CallsHandle.required(calls))?.finish(waiting: 900)
  _ = CallsHandle.free(calls, magicNumber: CallsHandle.magicNumber)
}
