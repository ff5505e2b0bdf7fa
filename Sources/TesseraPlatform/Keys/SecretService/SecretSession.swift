// SPDX-License-Identifier: MIT
// Secret Service calls for storing and reading a key.

import TesseraEngine

/// A session with the Secret Service of the desktop.
///
/// Secret Service API Draft 0.2, https://specifications.freedesktop.org/secret-service/. If a call requires a prompt, the service
/// returns its path. A prompt is shown only if the client then requests it, which this code never does.
struct SecretSession {
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
  func checkAvailability() throws(KeyFailure) {
    _ = try unlockedCollection()
  }

  /// Stores a secret in the default collection, which must be unlocked.
  ///
  /// - Parameter replaces: Whether to replace an item with the same attributes.
  func store(
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
  func put(_ secret: UnsafeRawBufferPointer, in call: BusCall) -> BusCall {
    call.container(BusType.structure, "oayays") {
      $0.path(path).bytes(UnsafeRawBufferPointer(start: nil, count: 0)).bytes(secret)
        .text("text/plain")
    }
  }

  /// Calls a function with the secret of the first item with the given attributes.
  ///
  /// - Throws: `keyMissing` if there is no such item, `locked` if it is in a locked collection.
  func withSecret<Value>(
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
  func withSecret<Value>(
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
  func unlockedCollection() throws(KeyFailure) -> String {
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

  func call(_ path: String, _ interface: String, _ method: String) -> BusCall {
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

  static let locked = KeyFailure.refused(.locked, "the keyring is locked")
}
