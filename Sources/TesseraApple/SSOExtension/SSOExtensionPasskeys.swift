// SPDX-License-Identifier: MIT
// The broker's passkey and its assertion, as returned by the single sign-on extension.

import TesseraWire

/// A passkey assertion (MSAL for Apple, `MSIDPasskeyAssertion`).
public struct SSOExtensionPasskeyAssertion: Sendable, Hashable {
  /// The signature.
  public let signature: [UInt8]
  /// The authenticator data, which is signed together with the client data hash.
  public let authenticatorData: [UInt8]
  /// The ID of the passkey that signed.
  public let credentialID: [UInt8]

  init(_ fields: JSONObject) throws(WireError) {
    signature = try fields.requiredBytes("signature")
    authenticatorData = try fields.requiredBytes("authenticatorData")
    credentialID = try fields.requiredBytes("credentialId")
  }
}

/// A passkey of the broker (MSAL for Apple, `MSIDPasskeyCredential`).
public struct SSOExtensionPasskeyCredential: Sendable, Hashable {
  /// The user handle at the relying party.
  public let userHandle: [UInt8]
  /// The ID of the passkey.
  public let keyID: [UInt8]
  /// The user name.
  public let username: String

  init(_ fields: JSONObject) throws(WireError) {
    userHandle = try fields.requiredBytes("userHandle")
    keyID = try fields.requiredBytes("credentialKeyId")
    username = try fields.requiredText("userName")
  }
}

extension JSONObject {
  /// Decodes a required member of hexadecimal digits.
  fileprivate func requiredBytes(_ name: String) throws(WireError) -> [UInt8] {
    guard let bytes = Hexadecimal.bytes(try requiredText(name)) else {
      throw .invalidSSOExtensionResponse(name)
    }
    return bytes
  }
}
