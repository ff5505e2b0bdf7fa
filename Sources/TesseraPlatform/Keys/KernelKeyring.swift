// SPDX-License-Identifier: MIT
// Keys in the kernel's key retention service.

import CLibrary
import CTesseraSystem
import TesseraEngine

/// Keys in the user keyring of the kernel, which is in memory only and is lost at a reboot.
///
/// This is the user keyring, because the persistent one expires three days after its last use. No call blocks.
struct KernelKeyring: KeyStorage {
  let source = KeySource.kernelKeyring

  func checkAvailability(within limits: KeyLimits) throws(KeyFailure) {
    try limits.check()
    do throws(KeyFailure) {
      _ = try key(named: "", within: limits)
    } catch {
      // The keyring was searched, so it can be used.
      if case .refused(.keyMissing, _) = error { return }
      throw error
    }
  }

  func persist(_ key: KeyMaterial, named name: String, within limits: KeyLimits) throws(KeyFailure)
  {
    try limits.check()
    let code = key.withBytes { bytes in
      ctessera_keyring_store(KernelKeyring.label(name), bytes.baseAddress, bytes.count)
    }
    if code != 0 { throw KernelKeyring.failure(code) }
  }

  /// Returns the key.
  ///
  /// Ignores the limits, because the kernel returns immediately: a cached token is returned even after the deadline.
  func key(named name: String, within limits: KeyLimits) throws(KeyFailure) -> KeyMaterial {
    var bytes = [UInt8](repeating: 0, count: StoreKey.byteCount)
    defer { bytes.withUnsafeMutableBytes { KeyMaterial.overwrite($0) } }
    let code = bytes.withUnsafeMutableBytes { memory in
      ctessera_keyring_read(KernelKeyring.label(name), memory.baseAddress, memory.count)
    }
    if code != 0 { throw KernelKeyring.failure(code) }
    return KeyMaterial(bytes)
  }

  private static func label(_ name: String) -> String { "tessera:\(name)" }

  private static func failure(_ code: Int32) -> KeyFailure {
    let reason = String(cString: strerror(code))
    return switch code {
    case ENOKEY, EKEYREVOKED, EKEYEXPIRED:
      .refused(.keyMissing, "the key does not exist: \(reason)")
    case EDQUOT, ENOMEM: .refused(.full, "it is full: \(reason)")
    // The errors of a seccomp filter in a container, and of a kernel without keyrings.
    case EPERM, ENOSYS, EACCES: .refused(.blocked, "the system denies access: \(reason)")
    default: .refused(.failed, reason)
    }
  }
}
