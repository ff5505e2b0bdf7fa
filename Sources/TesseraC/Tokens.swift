// SPDX-License-Identifier: MIT
// tessera_application_acquire_token_silent, tessera_application_explain and tessera_application_acquire_token_by_device_code.

public import CTessera
import Tessera
import TesseraEngine
import TesseraPlatform
import TesseraWire

@_cdecl("tessera_application_acquire_token_silent") @implementation
public func tessera_application_acquire_token_silent(
  _ application: OpaquePointer?, _ request: UnsafePointer<CChar>?, _ cancellation: OpaquePointer?,
  _ response: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> tessera_status {
  // A call with a cancellation skips the fast path, because the cancellation must be checked first.
  if cancellation == nil, let ready = ApplicationHandle.cachedResponse(application, request) {
    guard let response else { return freeUnreturned(ready) }
    response.pointee = ready
    return tessera_status(TESSERA_STATUS_OK)
  }
  return CBridge.respond(response) { () throws(TesseraError) -> CallResponse in
    try StackSpace.system.check(.call)
    let handle = try ApplicationHandle.required(application)
    let stop = try CancellationHandle.optional(cancellation)
    let silent = try SilentCall(request)
    return try handle.pointee.borrowed { application throws(TesseraError) in
      let (found, validity) = try silent.responseAndValidity(of: application, stop)
      if let request { handle.pointee.cacheResponse(found.document, validity, to: request) }
      return found
    }
  }
}

@_cdecl("tessera_application_explain") @implementation
public func tessera_application_explain(
  _ application: OpaquePointer?, _ request: UnsafePointer<CChar>?, _ cancellation: OpaquePointer?,
  _ response: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> tessera_status {
  CBridge.respond(
    response, of: application, stoppedBy: cancellation,
    to: try SilentRequest(explaining: request)
  ) { application, silent, stop throws(TesseraError) in
    let limits = application.limits(silent.timeout, stop)
    return try application.explain(silent, within: limits).json
  }
}

@_cdecl("tessera_application_acquire_token_by_device_code") @implementation
public func tessera_application_acquire_token_by_device_code(
  _ application: OpaquePointer?, _ request: UnsafePointer<CChar>?,
  _ prompt: tessera_device_code_callback?, _ userData: UnsafeMutableRawPointer?,
  _ cancellation: OpaquePointer?,
  _ response: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> tessera_status {
  CBridge.respond(
    response, of: application, stoppedBy: cancellation, to: try DeviceCodeRequest(request)
  ) { application, deviceCode, stop throws(TesseraError) -> TokenResult in
    guard let prompt else { throw CBridge.missing("prompt") }
    return try application.acquireTokenByDeviceCode(deviceCode, cancellation: stop) { shown in
      shown.json.serialized.withCString { prompt(userData, $0) }
    }
  }
}

/// Frees a response that cannot be returned, because the output parameter is NULL.
private func freeUnreturned(_ ready: UnsafeMutablePointer<CChar>) -> tessera_status {
  CBridge.free(ready)
  return tessera_status(TesseraError.Remedy.fixRequest.rawValue)
}
