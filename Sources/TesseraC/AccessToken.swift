// SPDX-License-Identifier: MIT
// tessera_application_get_access_token.

public import CTessera
import Tessera
import TesseraEngine
import TesseraPlatform
import TesseraWire

@_cdecl("tessera_application_get_access_token") @implementation
public func tessera_application_get_access_token(
  _ application: OpaquePointer?, _ scope: UnsafePointer<CChar>?,
  _ username: UnsafePointer<CChar>?, _ timeout_milliseconds: Int64, _ cancellation: OpaquePointer?,
  _ response: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> tessera_status {
  CBridge.respond(response) { () throws(TesseraError) -> CallResponse in
    try StackSpace.system.check(.call)
    let handle = try ApplicationHandle.required(application)
    let stop = try CancellationHandle.optional(cancellation)
    let scope = try CBridge.text(scope, "scope")
    let username = username == nil ? nil : try CBridge.text(username, "username")
    let timeout = timeout_milliseconds < 0 ? nil : Duration.milliseconds(timeout_milliseconds)
    return try handle.pointee.borrowed { application throws(TesseraError) in
      let limits = application.limits(timeout, stop)
      let result = try application.token(scope: scope, username: username, within: limits)
      // The plain token could not name the declined scopes.
      guard result.declinedScopes.isEmpty else { return CallResponse(result) }
      return CallResponse(Array(result.accessToken.reveal().utf8))
    }
  }
}
