// SPDX-License-Identifier: MIT
// tessera_application_acquire_token_interactive.

public import CTessera
import Tessera
import TesseraEngine
import TesseraWire

@_cdecl("tessera_application_acquire_token_interactive") @implementation
public func tessera_application_acquire_token_interactive(
  _ application: OpaquePointer?, _ request: UnsafePointer<CChar>?,
  _ prompt: tessera_sign_in_callback?, _ userData: UnsafeMutableRawPointer?,
  _ cancellation: OpaquePointer?,
  _ response: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> tessera_status {
  CBridge.respond(
    response, of: application, stoppedBy: cancellation, to: try InteractiveRequest(request)
  ) { application, interactive, stop throws(TesseraError) -> TokenResult in
    let show = prompt.map { prompt in
      { (shown: SignInPrompt) in shown.json.serialized.withCString { prompt(userData, $0) } }
    }
    return try application.acquireTokenInteractive(interactive, cancellation: stop, prompt: show)
  }
}
