// SPDX-License-Identifier: MIT
// The storage policy, and the key sources.

/// The requirements of an application for the encryption of its store.
public enum StoragePolicy: String, Sendable, Hashable, CaseIterable {
  /// Nothing is written unless the key has more protection than file permissions.
  case requireEncrypted = "require_encrypted"
  /// The best available protection is used, at least a key file outside the store's directory.
  case preferEncrypted = "prefer_encrypted"
  /// As `preferEncrypted`, but if no key can be stored, secrets are written unencrypted to a private file.
  case allowPlaintext = "allow_plaintext"
  /// Nothing is written.
  case memoryOnly = "memory_only"
}

/// The source that stores the key of a store.
public enum KeySource: String, Sendable, Hashable, CaseIterable {
  /// The application, which provides the key.
  case caller
  /// The desktop keyring (freedesktop.org Secret Service), if it is unlocked.
  case secretService = "secret_service"
  /// The kernel keyring, which loses its keys on reboot.
  case kernelKeyring = "kernel_keyring"
  /// A private file outside the store's directory.
  case keyFile = "key_file"

  /// Whether the key is protected from a reader of the whole disk.
  public var isProtected: Bool { self != .keyFile }

  /// The default sources, in the order in which they are tried.
  public static let usual: [KeySource] = [.secretService, .keyFile]
}
