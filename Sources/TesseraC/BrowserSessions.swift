// SPDX-License-Identifier: MIT
// tessera_browser_session_respond and tessera_browser_session_is_cancelled.

import CTessera

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
