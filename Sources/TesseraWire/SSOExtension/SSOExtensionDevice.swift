// SPDX-License-Identifier: MIT
// What the single sign-on extension says of the device and of itself.

/// What the device and the broker are like (MSAL for Apple, `MSIDDeviceInfo`).
///
/// What the extension does not say, or says in words that nobody knows, reads as the first value of each kind.
public struct SSOExtensionDevice: Sendable, Hashable {
  /// Whom the device belongs to.
  public enum Mode: String, Sendable, Hashable, CaseIterable {
    /// One person.
    case personal
    /// Whoever has signed in on it.
    case shared
  }

  /// What the extension does.
  public enum ExtensionMode: String, Sendable, Hashable, CaseIterable {
    /// Everything.
    case full
    /// Only what shows nothing.
    case silentOnly = "silent_only"
  }

  /// Whether the organization knows the device.
  public enum JoinStatus: String, Sendable, Hashable, CaseIterable {
    /// It does not.
    case notJoined
    /// It does.
    case joined
  }

  /// How the device signs its people in itself (macOS).
  public enum PlatformSSO: String, Sendable, Hashable, CaseIterable {
    /// It does not.
    case notEnabled = "platformSSONotEnabled"
    /// It is to, and nobody is registered.
    case notRegistered = "platformSSOEnabledNotRegistered"
    /// It does.
    case registered = "platformSSOEnabledAndRegistered"
    /// The registration is damaged.
    case needsRepair = "platformSSORegistrationNeedsRepair"
  }

  /// Which program the extension belongs to (macOS).
  public enum Provider: String, Sendable, Hashable, CaseIterable {  // allowed: as in MSAL
    /// The extension does not say.
    case unknown
    /// Company Portal.
    case companyPortal
    /// The broker of macOS.
    case macBroker
  }

  /// How people prefer to sign in.
  public enum PreferredMethod: String, Sendable, Hashable, CaseIterable {
    /// Nobody has said.
    case notConfigured = "preferredAuthNotConfigured"
    /// With a picture code and a PIN.
    case qrPIN = "preferredAuthQRPIN"
  }

  /// Whom the device belongs to.
  public let mode: Mode
  /// What the extension does.
  public let extensionMode: ExtensionMode
  /// Whether the organization knows the device.
  public let joinStatus: JoinStatus
  /// How the device signs its people in itself.
  public let platformSSO: PlatformSSO
  /// Which program the extension belongs to.
  public let provider: Provider
  /// How people prefer to sign in.
  public let preferredMethod: PreferredMethod
  /// The version of the broker.
  public let brokerVersion: String?
  /// What the broker tries out on some devices.
  public let clientFlights: String?
  /// What the extension was configured with besides, as JSON text.
  public let additionalData: String?
  /// What else the broker says of the device, as JSON text.
  public let extraInfo: String?

  /// Reads the members of an answer; there is nothing that it could refuse.
  package init(_ fields: JSONObject) {
    mode = fields.choice("device_mode", .personal)
    extensionMode = fields.choice("sso_extension_mode", .full)
    joinStatus = fields.choice("wpj_status", .notJoined)
    platformSSO = fields.choice("platform_sso_status", .notEnabled)
    provider = fields.choice("sso_provider_type", .unknown)
    preferredMethod = fields.choice("preferred_auth_config", .notConfigured)
    brokerVersion = fields["broker_version"]?.string?.nonBlank
    clientFlights = fields["client_flights"]?.string?.nonBlank
    additionalData = fields.objectText("additional_extension_data")
    extraInfo = fields.objectText("extraDeviceInfo")
  }
}

extension JSONObject {
  fileprivate func choice<Choice: RawRepresentable>(_ name: String, _ usual: Choice) -> Choice
  where Choice.RawValue == String {
    self[name]?.string.flatMap(Choice.init(rawValue:)) ?? usual
  }

  /// A member that holds a JSON object as its text; nil for anything else.
  fileprivate func objectText(_ name: String) -> String? {
    self[name]?.objectInText.map { String(decoding: JSONValue.object($0).bytes, as: UTF8.self) }
  }
}
