// SPDX-License-Identifier: MIT
// The state of the device and of the broker, as reported by the single sign-on extension.

package import TesseraWire

/// The state of the device and of the broker (MSAL for Apple, `MSIDDeviceInfo`).
///
/// An absent or unknown value is read as the first case of its enumeration.
public struct SSOExtensionDevice: Sendable, Hashable {
  /// The device mode.
  public enum Mode: String, Sendable, Hashable, CaseIterable {
    /// The device belongs to one user.
    case personal
    /// The device is shared by several users.
    case shared
  }

  /// The mode of the extension.
  public enum ExtensionMode: String, Sendable, Hashable, CaseIterable {
    /// The extension supports all operations.
    case full
    /// The extension supports operations without a user interface only.
    case silentOnly = "silent_only"
  }

  /// The registration of the device with the organization.
  public enum JoinStatus: String, Sendable, Hashable, CaseIterable {
    /// The device is not registered.
    case notJoined
    /// The device is registered.
    case joined
  }

  /// The state of platform single sign-on (macOS).
  public enum PlatformSSO: String, Sendable, Hashable, CaseIterable {
    /// Platform single sign-on is not enabled.
    case notEnabled = "platformSSONotEnabled"
    /// Platform single sign-on is enabled, but no user is registered.
    case notRegistered = "platformSSOEnabledNotRegistered"
    /// Platform single sign-on is enabled, and a user is registered.
    case registered = "platformSSOEnabledAndRegistered"
    /// The registration is damaged.
    case needsRepair = "platformSSORegistrationNeedsRepair"
  }

  /// The application that contains the extension (macOS).
  public enum Provider: String, Sendable, Hashable, CaseIterable {  // allowed: as in MSAL
    /// The extension does not report its application.
    case unknown
    /// Company Portal.
    case companyPortal
    /// The broker of macOS.
    case macBroker
  }

  /// The preferred authentication method.
  public enum PreferredMethod: String, Sendable, Hashable, CaseIterable {
    /// No method is configured.
    case notConfigured = "preferredAuthNotConfigured"
    /// A QR code with a PIN.
    case qrPIN = "preferredAuthQRPIN"
  }

  /// The device mode.
  public let mode: Mode
  /// The mode of the extension.
  public let extensionMode: ExtensionMode
  /// The registration of the device with the organization.
  public let joinStatus: JoinStatus
  /// The state of platform single sign-on.
  public let platformSSO: PlatformSSO
  /// The application that contains the extension.
  public let provider: Provider
  /// The preferred authentication method.
  public let preferredMethod: PreferredMethod
  /// The version of the broker.
  public let brokerVersion: String?
  /// The feature flags of the broker that are enabled on this device.
  public let clientFlights: String?
  /// Additional configuration of the extension, as JSON text.
  public let additionalData: String?
  /// Additional information about the device, as JSON text.
  public let extraInfo: String?

  /// Reads the members of a response.
  ///
  /// Accepts any object, since all members have a default.
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
  fileprivate func choice<Choice: RawRepresentable>(_ name: String, _ fallback: Choice) -> Choice
  where Choice.RawValue == String {
    self[name]?.string.flatMap(Choice.init(rawValue:)) ?? fallback
  }

  /// Returns an object, or an object in a string, as JSON text; nil for other values.
  fileprivate func objectText(_ name: String) -> String? {
    self[name]?.embeddedObject.map { String(decoding: JSONValue.object($0).bytes, as: UTF8.self) }
  }
}
