// SPDX-License-Identifier: MIT
// Parsing of the JSON options for Microsoft Authenticator.

import TesseraEngine
import TesseraWire

extension AuthenticatorOptions {
  /// Parses "AuthenticatorOptions" of docs/c-interface.md.
  init(_ members: AuthenticatorOptionsMembers) throws(TesseraError) {
    self.init()
    querySchemes = try members.querySchemes
    clientAppName = try members.clientAppName
    clientAppVersion = try members.clientAppVersion
    sdkCapabilities = try members.sdkCapabilities ?? []
    intune = try IntuneState(members)
    brokerClientID = try members.brkClientID
    brokerRedirectURI = try members.brkRedirectURI
    clientSKU = try members.clientSKU
    platformSequence = try members.platformSequence
    onboardingBlob = try members.onboardingBlob
    usesNewMobileOnboarding = try members.newMobileOnboardingFlow ?? false
    redeemsBoundRefreshTokens = try members.boundRefreshTokens ?? false
    federatedCredential = try members.userFederatedIdentityCredential
      .map { Secret($0) }
  }
}
