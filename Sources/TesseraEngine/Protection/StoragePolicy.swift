// SPDX-License-Identifier: MIT
// What may lie on disk, and where the key of what is sealed may be kept.

/// What an application wants of the store's encryption.
public enum StoragePolicy: String, Sendable, Hashable, CaseIterable {
  /// Nothing is written unless its key is protected by more than file permissions.
  case requireEncrypted = "require_encrypted"
  /// The best protection that can be had here, at least a key file outside the store's directory.
  case preferEncrypted = "prefer_encrypted"
  /// As `preferEncrypted`, but secrets may be written in clear, in a private file, where no key can be kept.
  case allowPlaintext = "allow_plaintext"
  /// Nothing is written at all.
  case memoryOnly = "memory_only"
}

/// Who keeps the key of a store.
public enum KeySource: String, Sendable, Hashable, CaseIterable {
  /// The program itself, which hands the key over.
  case caller
  /// The desktop's keyring (freedesktop.org Secret Service), when it is unlocked.
  case secretService = "secret_service"
  /// The kernel's keyring; it forgets when the machine starts anew.
  case kernelKeyring = "kernel_keyring"
  /// A private file outside the store's directory.
  case keyFile = "key_file"

  /// Whether somebody who reads the whole disk lacks the key.
  public var isProtected: Bool { self != .keyFile }

  /// What is tried, in this order, unless the program says something else.
  public static let usual: [KeySource] = [.secretService, .keyFile]
}
