// SPDX-License-Identifier: MIT
// What the broker's passkey signed, and which one it is.

/// What a passkey signed (MSAL for Apple, `MSIDPasskeyAssertion`).
public struct SSOExtensionPasskeyAssertion: Sendable, Hashable {
  /// The signature.
  public let signature: [UInt8]
  /// What it was made over, besides the hash.
  public let authenticatorData: [UInt8]
  /// Which passkey signed.
  public let credentialID: [UInt8]

  init(_ fields: JSONObject) throws(WireError) {
    signature = try fields.requiredBytes("signature")
    authenticatorData = try fields.requiredBytes("authenticatorData")
    credentialID = try fields.requiredBytes("credentialId")
  }
}

/// A passkey of the broker (MSAL for Apple, `MSIDPasskeyCredential`).
public struct SSOExtensionPasskeyCredential: Sendable, Hashable {
  /// The person, as the relying party knows them.
  public let userHandle: [UInt8]
  /// Which passkey.
  public let keyID: [UInt8]
  /// The name of the person.
  public let username: String

  init(_ fields: JSONObject) throws(WireError) {
    userHandle = try fields.requiredBytes("userHandle")
    keyID = try fields.requiredBytes("credentialKeyId")
    username = try fields.requiredText("userName")
  }
}

extension JSONObject {
  /// Bytes as hexadecimal digits, which must be there.
  fileprivate func requiredBytes(_ name: String) throws(WireError) -> [UInt8] {
    guard let bytes = Hexadecimal.bytes(try requiredText(name)) else {
      throw .noSSOExtensionResponse(name)
    }
    return bytes
  }
}
