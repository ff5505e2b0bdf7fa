// SPDX-License-Identifier: MIT
// What a program says of itself when it asks Microsoft Authenticator, as far as the configuration does not say it.

/// What a program tells Microsoft Authenticator besides the request.
///
/// Each member is sent only where there is something in it.
public struct AuthenticatorOptions: Sendable, Hashable {
  /// The schemes that the program may ask its system about (`LSApplicationQueriesSchemes` of Info.plist), where it knows.
  ///
  /// Without `msauthv2` and `msauthv3` among them a program cannot tell whether there is a broker: then the sign-in is refused.
  public var querySchemes: [String]?
  /// The name of the program, as people know it (`client_app_name`).
  public var clientAppName: String?
  /// The version of the program (`client_app_version`).
  public var clientAppVersion: String?
  /// What the program can do with brokers (`sdk_broker_capabilities`), such as `sso_extension`.
  public var sdkCapabilities: [String] = []
  /// What Intune has told the program (`intune_enrollment_ids`, `intune_mam_resource`); what is empty is the configuration's.
  public var intune = IntuneState()
  /// The application inside which this one runs (nested app authentication, `brk_client_id`).
  public var brokerClientID: String?
  /// The redirect URI of that application (`brk_redirect_uri`), to which the answer then comes.
  public var brokerRedirectURI: String?
  /// The name of the library for the server's statistics (`client_sku`).
  public var clientSKU: String?
  /// The libraries above this one for the server's statistics (`x-client-xtra-sku`).
  public var platformSequence: String?
  /// What an earlier broker answered about how the person came to their device (`onboardingBlob`).
  public var onboardingBlob: String?
  /// Whether the program knows the newer way to enrol a device (`new_mobile_onboarding_flow`).
  public var usesNewMobileOnboarding = false
  /// Whether refresh tokens are wanted that are bound to the device (`bound_rt_redeem`).
  public var redeemsBoundRefreshTokens = false
  /// A credential of another provider for the person (`x-ms-UserFederatedIdentityCredential`).
  public var federatedCredential: Secret?

  /// Nothing besides the request.
  public init() {}
}
