// SPDX-License-Identifier: MIT
// The JSON documents of results, for programs that print them or pass them to another language.

public import TesseraWire

extension TokenResult {
  /// The document "TokenResult" of docs/c-interface.md as JSON text.
  ///
  /// It contains the tokens.
  public var jsonDocument: Secret { Secret(json.serialized) }
}

extension BegunSignIn {
  /// The document "BegunSignIn" of docs/c-interface.md as JSON text.
  ///
  /// It contains ``state``.
  public var jsonDocument: Secret { Secret(json.serialized) }
}

extension TesseraError {
  /// The document `{"error": Error}` of docs/c-interface.md as JSON text.
  public var jsonDocument: String { json.serialized }
}

extension BrokerCookie {
  /// The cookie as JSON text, with the members `name` and `content`.
  public var jsonDocument: Secret { Secret(json.serialized) }
}

extension Account {
  /// The document "Account" of docs/c-interface.md as JSON text.
  public var jsonDocument: String { json.serialized }
}

extension CurrentAccount {
  /// The current and the previous account as JSON text, with the members `account` and `previous_account`.
  public var jsonDocument: String { json.serialized }
}

extension BrokerAccount {
  /// The document "BrokerAccount" of docs/c-interface.md as JSON text.
  public var jsonDocument: String { json.serialized }
}

extension SignInPrompt {
  /// The document "SignInPrompt" of docs/c-interface.md as JSON text.
  public var jsonDocument: String { json.serialized }
}

extension DeviceCodePrompt {
  /// The document "DeviceCodePrompt" of docs/c-interface.md as JSON text.
  public var jsonDocument: String { json.serialized }
}

extension Explanation {
  /// The document "Explanation" of docs/c-interface.md as JSON text.
  ///
  /// It contains no token.
  public var jsonDocument: String { json.serialized }
}

extension SignOutReport {
  /// The document "SignOutReport" of docs/c-interface.md as JSON text.
  public var jsonDocument: String { json.serialized }
}

extension MigrationReport {
  /// The document "MigrationReport" of docs/c-interface.md as JSON text.
  public var jsonDocument: String { json.serialized }
}

extension CopyReport {
  /// The document "CopyReport" of docs/c-interface.md as JSON text.
  public var jsonDocument: String { json.serialized }
}

extension StoreInfo {
  /// The document "StoreInfo" of docs/c-interface.md as JSON text.
  public var jsonDocument: String { json.serialized }
}

extension FoundCache {
  /// An element of the document "KnownCaches" of docs/c-interface.md as JSON text.
  public var jsonDocument: String { json.serialized }
}
