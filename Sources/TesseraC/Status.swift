// SPDX-License-Identifier: MIT
// tessera_status_name.

public import CTessera

@_cdecl("tessera_status_name") @implementation
public func tessera_status_name(_ status: tessera_status) -> UnsafePointer<CChar>? {
  let name: StaticString =
    switch Int(status) {
    case TESSERA_STATUS_OK: "ok"
    case TESSERA_STATUS_SIGN_IN: "sign_in"
    case TESSERA_STATUS_RETRY_LATER: "retry_later"
    case TESSERA_STATUS_FIX_REQUEST: "fix_request"
    case TESSERA_STATUS_FIX_CONFIGURATION: "fix_configuration"
    case TESSERA_STATUS_FIX_STORAGE: "fix_storage"
    case TESSERA_STATUS_CANCELLED: "cancelled"
    case TESSERA_STATUS_REPORT_BUG: "report_bug"
    default: "unknown"
    }
  return UnsafeRawPointer(name.utf8Start).assumingMemoryBound(to: CChar.self)
}
