// SPDX-License-Identifier: MIT
// The options of a Microsoft Authenticator request that are not part of the configuration.

/// Additional options of a Microsoft Authenticator request.
///
/// Options that are nil, false or empty are not sent.
public struct AuthenticatorOptions: Sendable, Hashable {
  /// The URL schemes that the application may query (`LSApplicationQueriesSchemes` of Info.plist); nil if unknown.
  ///
  /// A list must contain `msauthv2` and `msauthv3`, which are needed to detect a broker. Otherwise the sign-in fails
  /// with `redirect_scheme_not_registered`.
  public var querySchemes: [String]?
  /// The display name of the application (`client_app_name`).
  public var clientAppName: String?
  /// The version of the application (`client_app_version`).
  public var clientAppVersion: String?
  /// The broker features that the application supports (`sdk_broker_capabilities`), such as `sso_extension`.
  public var sdkCapabilities: [String] = []
  /// The Intune data (`intune_enrollment_ids`, `intune_mam_resource`); parts that are not set come from the configuration.
  public var intune = IntuneState()
  /// The client ID of the host application, for nested app authentication (`brk_client_id`).
  public var brokerClientID: String?
  /// The redirect URI of the host application (`brk_redirect_uri`), which then receives the response.
  public var brokerRedirectURI: String?
  /// The name of the library in the server's telemetry (`client_sku`).
  public var clientSKU: String?
  /// The names of the libraries that call this one, for the server's telemetry (`x-client-xtra-sku`).
  public var platformSequence: String?
  /// The data about the device's onboarding from an earlier broker response (`onboardingBlob`).
  public var onboardingBlob: String?
  /// Whether the application supports the newer device enrollment (`new_mobile_onboarding_flow`).
  public var usesNewMobileOnboarding = false
  /// Whether to request device-bound refresh tokens (`bound_rt_redeem`).
  public var redeemsBoundRefreshTokens = false
  /// A federated credential of the user, issued by another provider (`x-ms-UserFederatedIdentityCredential`).
  public var federatedCredential: Secret?

  /// Creates options with the default values.
  public init() {}
}

extension AuthenticatorOptions {
  /// Returns the options with the Intune data of the configuration, where the options have none.
  package func completed(by intune: IntuneState) -> AuthenticatorOptions {
    var options = self
    options.intune.enrollments = options.intune.enrollments ?? intune.enrollments
    if !options.intune.isProtected { options.intune.mamResources = intune.mamResources }
    return options
  }
}
