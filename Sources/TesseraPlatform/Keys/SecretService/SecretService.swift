// SPDX-License-Identifier: MIT
// The Secret Service as a source of the store's key.

import CLibrary
import TesseraEngine

/// Keys in the keyring of the desktop (GNOME Keyring, KWallet, KeePassXC), if it is running and unlocked.
///
/// The keyring is encrypted with the user's password and accessible to all programs of the session. No service is activated, no
/// prompt is shown, and a service that does not respond is abandoned at the limits.
package struct SecretService: KeyStorage {
  let source = KeySource.secretService
  private let address: String?
  private let libraries: [String]

  /// Creates a source for the service on a bus.
  ///
  /// - Parameters:
  ///   - address: The address of the bus; nil if the environment has no usable one.
  ///   - libraries: The file names of D-Bus client libraries. The first that loads is used.
  package init(address: String? = BusAddress.session, libraries: [String] = BusLibrary.names) {
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
  package func session<Value>(
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

/// A session with the Secret Service of the desktop.
///
/// Secret Service API Draft 0.2, https://specifications.freedesktop.org/secret-service/. If a call requires a prompt, the service
/// returns its path. A prompt is shown only if the client then requests it, which this code never does.
package struct SecretSession {
  private static let service = "org.freedesktop.secrets"
  static let root = "/org/freedesktop/secrets"
  private static let interface = "org.freedesktop.Secret."
  /// The object path that means "no object".
  private static let noObject = "/"

  let connection: BusConnection
  /// The object path of this session.
  private let path: String

  /// Opens a session.
  ///
  /// Secrets are transferred unencrypted, over a socket that only this user can access.
  init(_ connection: BusConnection) throws(KeyFailure) {
    self.connection = connection
    let call = Self.call(connection, Self.root, "Service", "OpenSession")
      .text("plain").container(BusType.variant, "s") { $0.text("") }
    path = try KeyFailure.wrapping { () throws(BusFailure) in
      let reply = try connection.reply(to: call)
      _ = try reply.container(BusType.variant, "s") { reader throws(BusFailure) in
        try reader.text()
      }
      return try reply.path()
    }
  }

  /// Throws unless a secret could be stored now.
  package func checkAvailability() throws(KeyFailure) {
    _ = try unlockedCollection()
  }

  /// Stores a secret in the default collection, which must be unlocked.
  ///
  /// - Parameter replaces: Whether to replace an item with the same attributes.
  package func store(
    _ secret: UnsafeRawBufferPointer, label: String, attributes: [(name: String, value: String)],
    replaces: Bool = false
  ) throws(KeyFailure) {
    let collection = try unlockedCollection()
    let call = self.call(collection, "Collection", "CreateItem")
    call.container(BusType.array, "{sv}") { properties in
      Self.property("Item.Label", "s", in: properties) { $0.text(label) }
      Self.property("Item.Attributes", "a{ss}", in: properties) { $0.dictionary(attributes) }
    }
    let made = try path(inReplyTo: put(secret, in: call).bool(replaces))
    guard made != Self.noObject else { throw Self.locked }
  }

  /// Adds a secret to a call.
  package func put(_ secret: UnsafeRawBufferPointer, in call: BusCall) -> BusCall {
    call.container(BusType.structure, "oayays") {
      $0.path(path).bytes(UnsafeRawBufferPointer(start: nil, count: 0)).bytes(secret)
        .text("text/plain")
    }
  }

  /// Calls a function with the secret of the first item with the given attributes.
  ///
  /// - Throws: `keyMissing` if there is no such item, `locked` if it is in a locked collection.
  package func withSecret<Value>(
    attributes: [(name: String, value: String)], _ body: (UnsafeRawBufferPointer) -> Value
  ) throws(KeyFailure) -> Value {
    let found = try items(with: attributes)
    guard let item = found.unlocked.first else {
      guard found.locked.isEmpty else { throw Self.locked }
      // A service may hide the items of a locked collection. Do not report such a key as missing.
      _ = try unlockedCollection()
      throw .refused(.keyMissing, "the key does not exist")
    }
    return try withSecret(at: item, body)
  }

  /// Calls a function with the secret of an item.
  package func withSecret<Value>(
    at item: String, _ body: (UnsafeRawBufferPointer) -> Value
  ) throws(KeyFailure) -> Value {
    try KeyFailure.wrapping { () throws(BusFailure) in
      let reply = try connection.reply(to: call(item, "Item", "GetSecret").path(path))
      return try reply.container(BusType.structure, "oayays") { secret throws(BusFailure) in
        _ = try secret.path()
        _ = try secret.bytes()
        let value = body(try secret.bytes())
        _ = try secret.text()
        return value
      }
    }
  }
}

extension SecretSession {
  /// Returns the path of the default collection.
  ///
  /// - Throws: `noCollection` or `locked` if secrets cannot be stored in it now.
  package func unlockedCollection() throws(KeyFailure) -> String {
    let request = call(Self.root, "Service", "ReadAlias").text("default")
    let collection = try path(inReplyTo: request)
    guard collection != Self.noObject else {
      throw .refused(.noCollection, "it has no default keyring")
    }
    // GNOME Keyring keeps the collection of this name in memory and discards it when the user logs out.
    guard !collection.hasSuffix("/collection/session") else {
      throw .refused(.noCollection, "its default keyring is deleted at the end of the session")
    }
    let isLocked = try property("Locked", "Collection", of: collection, "b") {
      reader throws(BusFailure) in try reader.bool()
    }
    guard !isLocked else { throw Self.locked }
    return collection
  }

  /// Reads a property of an object.
  func property<Value>(
    _ name: String, _ interface: String, of object: String, _ type: String,
    _ body: (BusReader) throws(BusFailure) -> Value
  ) throws(KeyFailure) -> Value {
    let request = BusCall(
      connection, Self.service, path: object, interface: "org.freedesktop.DBus.Properties", "Get"
    ).text(Self.interface + interface).text(name)
    return try KeyFailure.wrapping { () throws(BusFailure) in
      try connection.reply(to: request).container(BusType.variant, type, body)
    }
  }

  /// Sends a call and reads an object path from its response.
  private func path(inReplyTo call: BusCall) throws(KeyFailure) -> String {
    try KeyFailure.wrapping { () throws(BusFailure) in try connection.reply(to: call).path() }
  }

  package func call(_ path: String, _ interface: String, _ method: String) -> BusCall {
    Self.call(connection, path, interface, method)
  }

  private static func call(
    _ connection: BusConnection, _ path: String, _ interface: String, _ method: String
  ) -> BusCall {
    BusCall(connection, service, path: path, interface: Self.interface + interface, method)
  }

  private static func property(
    _ name: String, _ type: String, in call: BusCall, _ value: (BusCall) -> Void
  ) {
    call.container(BusType.entry, "sv") { entry in
      entry.text(interface + name).container(BusType.variant, type) { value($0) }
    }
  }

  package static let locked = KeyFailure.refused(.locked, "the keyring is locked")
}

extension SecretSession {
  /// Returns the paths of the items with the given attributes, unlocked and locked ones separately.
  ///
  /// Items with additional attributes match as well, as the specification requires.
  package func items(
    with attributes: [(name: String, value: String)]
  ) throws(KeyFailure) -> (unlocked: [String], locked: [String]) {
    let search = call(Self.root, "Service", "SearchItems").dictionary(attributes)
    return try KeyFailure.wrapping { () throws(BusFailure) in
      let found = try connection.reply(to: search)
      return (try found.paths(), try found.paths())
    }
  }

  /// Returns the time of an item's last change, in seconds since 1970.
  package func modified(of item: String) throws(KeyFailure) -> UInt64 {
    try property("Modified", "Item", of: item, "t") { reader throws(BusFailure) in
      try reader.number()
    }
  }

  /// Replaces the secret of an item.
  ///
  /// Its label and attributes do not change.
  package func replace(_ item: String, with secret: UnsafeRawBufferPointer) throws(KeyFailure) {
    let request = put(secret, in: call(item, "Item", "SetSecret"))
    _ = try KeyFailure.wrapping { () throws(BusFailure) in try connection.reply(to: request) }
  }
}

extension KeyFailure {
  /// Runs a function that uses D-Bus and converts its failure.
  static func wrapping<Value>(
    _ body: () throws(BusFailure) -> Value
  ) throws(KeyFailure) -> Value {
    do throws(BusFailure) {
      return try body()
    } catch {
      throw KeyFailure(error)
    }
  }

  /// Converts a D-Bus failure.
  init(_ failure: BusFailure) {
    self =
      switch failure {
      case .libraryMissing(let problems):
        .refused(
          .libraryMissing,
          "it requires libsystemd 221 or newer (Debian, Ubuntu: libsystemd0): \(problems)")
      // Without a free descriptor, the state of the keyring is unknown. This must not lead to a weaker source.
      case .unreachable(let code) where TesseraError.isDescriptorLimit(code):
        .ended(.tooManyFiles("The session bus"))
      case .unreachable(let code):
        .refused(.noBus, "the session bus cannot be used: \(KeyFailure.reason(code))")
      case .invalidCall: .refused(.failed, "the call could not be created")
      case .errorReply(let name, _): KeyFailure.errorReply(name)
      case .unexpectedType, .tooLong:
        .refused(.failed, "its response violates the Secret Service specification")
      case .timeout: .timeout
      case .ended(let error): .ended(error)
      }
  }

  private static func reason(_ code: Int32) -> String {
    code == EPERM ? "it belongs to another user" : String(cString: strerror(code))
  }

  /// Converts an error response of the bus or a service.
  private static func errorReply(_ name: String) -> KeyFailure {
    switch name {
    case "org.freedesktop.DBus.Error.ServiceUnknown", "org.freedesktop.DBus.Error.NameHasNoOwner":
      .refused(.noService, "no Secret Service is running on the session bus")
    case "org.freedesktop.Secret.Error.IsLocked": .refused(.locked, "the keyring is locked")
    case "org.freedesktop.Secret.Error.NoSuchObject", "org.freedesktop.DBus.Error.UnknownObject",
      "org.freedesktop.DBus.Error.UnknownMethod":
      .refused(.noCollection, "the object does not exist: \(name)")
    case "org.freedesktop.DBus.Error.AccessDenied": .refused(.blocked, "it denies access: \(name)")
    case "org.freedesktop.DBus.Error.NoReply", "org.freedesktop.DBus.Error.Disconnected":
      .refused(.failed, "it exited during the call")
    default: .refused(.failed, "it returned the error \(name.prefix(100))")
    }
  }
}

/// Hexadecimal digits as bytes, because a string cannot be erased.
enum HexadecimalBytes {
  /// Encodes each byte as two digits.
  static func digits(_ bytes: UnsafeRawBufferPointer) -> [UInt8] {
    // Reserve the full size: a growing array leaves copies in memory.
    var digits: [UInt8] = []
    digits.reserveCapacity(bytes.count * 2)
    for byte in bytes {
      digits.append(digit(byte >> 4))
      digits.append(digit(byte & 15))
    }
    return digits
  }

  /// Decodes digits; returns nil for anything else.
  static func bytes(_ digits: UnsafeRawBufferPointer) -> [UInt8]? {
    guard digits.count.isMultiple(of: 2) else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(digits.count / 2)
    for (index, digit) in digits.enumerated() {
      guard let value = value(digit) else { return nil }
      if index.isMultiple(of: 2) {
        bytes.append(value << 4)
      } else {
        bytes[bytes.endIndex - 1] |= value
      }
    }
    return bytes
  }

  private static func digit(_ value: UInt8) -> UInt8 {
    value < 10 ? 0x30 + value : 0x61 - 10 + value
  }

  private static func value(_ digit: UInt8) -> UInt8? {
    switch digit {
    case 0x30...0x39: digit - 0x30
    case 0x61...0x66: digit - 0x61 + 10
    case 0x41...0x46: digit - 0x41 + 10
    default: nil
    }
  }
}
