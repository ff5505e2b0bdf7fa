// SPDX-License-Identifier: MIT
// Keys in the desktop keyring.

import TesseraEngine

/// Keys in the keyring of the desktop (GNOME Keyring, KWallet, KeePassXC), if it is running and unlocked.
///
/// The keyring is encrypted with the user's password and accessible to all programs of the session. No service is activated, no
/// prompt is shown, and a service that does not respond is abandoned at the limits.
struct SecretService: KeyStorage {
  let source = KeySource.secretService
  private let address: String?
  private let libraries: [String]

  /// Creates a source for the service on a bus.
  ///
  /// - Parameters:
  ///   - address: The address of the bus; nil if the environment has no usable one.
  ///   - libraries: The file names of D-Bus client libraries. The first that loads is used.
  init(address: String? = BusAddress.session, libraries: [String] = BusLibrary.names) {
    self.address = address
    self.libraries = libraries
  }

  func checkAvailability(within limits: KeyLimits) throws(KeyFailure) {
    try session(within: limits) { session throws(KeyFailure) in try session.checkAvailability() }
  }

  func persist(_ key: KeyMaterial, named name: String, within limits: KeyLimits) throws(KeyFailure)
  {
    // Some services preserve only text unchanged.
    var digits = key.withBytes { HexadecimalBytes.digits($0) }
    let text = KeyMaterial(digits)
    digits.withUnsafeMutableBytes { KeyMaterial.overwrite($0) }
    try session(within: limits) { session throws(KeyFailure) in
      try text.withBytes { bytes throws(KeyFailure) in
        try session.store(
          bytes, label: "Tessera: key of a token store", attributes: Self.attributes(name))
      }
    }
  }

  func key(named name: String, within limits: KeyLimits) throws(KeyFailure) -> KeyMaterial {
    let found = try session(within: limits) { session throws(KeyFailure) in
      try session.withSecret(attributes: Self.attributes(name)) { secret in
        guard var bytes = HexadecimalBytes.bytes(secret), bytes.count == StoreKey.byteCount else {
          return KeyMaterial?.none
        }
        defer { bytes.withUnsafeMutableBytes { KeyMaterial.overwrite($0) } }
        return KeyMaterial(bytes)
      }
    }
    guard let found else { throw .refused(.otherKey, "the item with that name is not a key") }
    return found
  }

  /// Runs a function in a new session, which is closed afterwards.
  ///
  /// A cancellation ends its waits.
  func session<Value>(
    within limits: KeyLimits, _ body: (SecretSession) throws(KeyFailure) -> Value
  ) throws(KeyFailure) -> Value {
    try limits.check()
    guard let address else { throw .refused(.noBus, "there is no session bus") }
    let library = try KeyFailure.wrapping { () throws(BusFailure) in
      try BusLibrary(names: libraries)
    }
    let wake = WakePipe()
    func work() throws(KeyFailure) -> Value {
      let bus = try KeyFailure.wrapping { () throws(BusFailure) in
        try BusConnection(library, address: address, wake: wake, within: limits.bus)
      }
      return try body(try SecretSession(bus))
    }
    guard let cancellation = limits.call.cancellation, let wake else { return try work() }
    return try cancellation.waking(with: { wake.wake() }, work)
  }

  private static func attributes(_ name: String) -> [(name: String, value: String)] {
    [("xdg:schema", "tessera.StoreKey"), ("name", name)]
  }
}
