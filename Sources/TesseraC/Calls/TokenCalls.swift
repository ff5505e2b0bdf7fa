// SPDX-License-Identifier: MIT
// tessera_call_group_acquire_token_…: non-blocking token requests.

public import CTessera
import Tessera
import TesseraEngine
import TesseraWire

@_cdecl("tessera_call_group_acquire_token_silent") @implementation
public func tessera_call_group_acquire_token_silent(
  _ calls: OpaquePointer?, _ application: OpaquePointer?, _ request: UnsafePointer<CChar>?,
  _ user_data: UnsafeMutableRawPointer?, _ call: UnsafeMutablePointer<Int64>?,
  _ response: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> tessera_status {
  CBridge.begin(response, calls, application, user_data, call, try SilentCall(request))
}

@_cdecl("tessera_call_group_acquire_token_by_device_code") @implementation
public func tessera_call_group_acquire_token_by_device_code(
  _ calls: OpaquePointer?, _ application: OpaquePointer?, _ request: UnsafePointer<CChar>?,
  _ user_data: UnsafeMutableRawPointer?, _ call: UnsafeMutablePointer<Int64>?,
  _ response: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> tessera_status {
  CBridge.begin(response, calls, application, user_data, call, try DeviceCodeRequest(request))
}

@_cdecl("tessera_call_group_acquire_token_interactive") @implementation
public func tessera_call_group_acquire_token_interactive(
  _ calls: OpaquePointer?, _ application: OpaquePointer?, _ request: UnsafePointer<CChar>?,
  _ user_data: UnsafeMutableRawPointer?, _ call: UnsafeMutablePointer<Int64>?,
  _ response: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> tessera_status {
  CBridge.begin(response, calls, application, user_data, call, try InteractiveCall(request))
}

extension DeviceCodeRequest: CallWork {
  static var waitsForUser: Bool { true }

  /// Returns the response.
  ///
  /// The device code is added to the queue as a prompt.
  func response(
    of application: PublicClientApplication, _ progress: CallGroup.Progress
  ) throws(TesseraError) -> CallResponse {
    CallResponse(
      try application.acquireTokenByDeviceCode(self, cancellation: progress.cancellation) {
        progress.sendPrompt($0.json.bytes)
      })
  }
}
