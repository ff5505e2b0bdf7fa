// SPDX-License-Identifier: MIT
// Parsing of token requests to the single sign-on extension, from applications and from web pages.

import TesseraEngine
import TesseraWire

#if TesseraApple
  import TesseraApple

  extension SSOExtensionAccountIdentifier {
    /// Reads the account of a request.
    ///
    /// Both members may be absent. Operations that require an account reject such a value later.
    init(_ members: SSOExtensionAccountIdentifierMembers) throws(TesseraError) {
      self.init(
        homeAccountID: try members.homeAccountID,
        username: try members.username)
    }
  }

  extension SSOExtensionTokenRequest {
    init(_ members: SSOExtensionTokenRequestMembers) throws(TesseraError) {
      self.init(
        authority: try members.authority,
        clientID: try members.clientID,
        redirectURI: try members.redirectURI,
        scopes: try members.scopes)
      if let value = try members.providerType {
        provider = value
      }
      if let value = try members.extraOIDCScopes { oidcScopes = value }
      account = try SSOExtensionAccountIdentifier(members.accountIdentifier)
      tokenType = try members.tokenType
      requestConfirmation = try members.reqCnf
      brokerClientID = try members.brkClientID
      brokerRedirectURI = try members.brkRedirectURI
      isInstanceAware = try members.instanceAware ?? false
      intune = try IntuneState(members)
      try readExtras(members)
    }

    private mutating func readExtras(_ members: SSOExtensionTokenRequestMembers)
      throws(TesseraError)
    {
      extraQueryParameters = try members.extraQueryParameters ?? [:]
      clientCapabilities = try members.clientCapabilities ?? []
      claims = try members.claims
      sentOn = try members.requestSentOn.map(Instant.init(secondsSince1970:))
      nonce = try members.nonce
      homeTenantID = try members.accountHomeTenantID
      clientSKU = try members.clientSKU
      acceptsOtherAccount = try members.acceptOtherAccount ?? false
      forcesRefresh = try members.forceRefresh ?? false
      federatedCredential = try members.userFederatedIdentityCredential
        .map(Secret.init)
      webPageURI = try members.webPageURI
    }
  }

  extension SSOExtensionInteractiveOptions {
    init(_ members: SSOExtensionLoginMembers) throws(TesseraError) {
      self.init()
      prompt = try members.prompt
      extraScopesToConsent = try members.extraScopesToConsent ?? []
      onboardingBlob = try members.onboardingBlob
      usesNewMobileOnboarding = try members.newMobileOnboardingFlow ?? false
    }
  }

  extension BrowserProcess {
    init(_ members: SSOExtensionBrowserMessageMembers) throws(TesseraError) {
      self.init(
        teamID: try members.parentProcessTeamID,
        bundleID: try members.parentProcessBundleIdentifier,
        name: try members.parentProcessLocalizedName)
    }
  }

  extension BrowserMessage {
    init(_ members: SSOExtensionBrowserMessageMembers) throws(TesseraError) {
      let sender = try members.sender
      let method: Method
      switch try members.method {
      case "GetToken": method = .getToken(try BrowserTokenRequest(members))
      case "GetCookies": method = .getCookies(uri: try members.required("uri", members.uri))
      case "SignOut":
        method = .signOut(
          homeAccountID: try members.required("home_account_id", members.homeAccountID),
          correlationID: try members.caller.correlationID)
      case "GetSupportedContracts": method = .getSupportedContracts
      default:
        throw TesseraError(
          .fixRequest, .invalidMember,
          "\"method\" must be one of \"GetToken\", \"GetCookies\", \"SignOut\", \"GetSupportedContracts\"."
        )
      }
      self.init(method, from: sender)
    }
  }

  extension BrowserTokenRequest {
    init(_ members: SSOExtensionBrowserMessageMembers) throws(TesseraError) {
      self.init(
        clientID: try members.required("client_id", members.clientID),
        scopes: try members.required("scopes", members.scopes),
        redirectURI: try members.required("redirect_uri", members.redirectURI))
      authority = try members.authority
      homeAccountID = try members.homeAccountID
      loginHint = try members.loginHint
      prompt = try members.prompt
      nonce = try members.nonce
      state = try members.state
      claims = try members.claims
      tokenType = try members.tokenType
      requestConfirmation = try members.reqCnf
      correlationID = try members.caller.correlationID
      extraParameters = try members.extraParameters ?? [:]
      isSTS = try members.isSTS ?? false
      isInstanceAware = try members.instanceAware ?? false
      canShowUI = try members.canShowUI ?? true
    }
  }

  extension IntuneState {
    /// Reads the app-protection data of a request to the single sign-on extension.
    fileprivate init(_ members: SSOExtensionTokenRequestMembers) throws(TesseraError) {
      try self.init(
        members.intuneEnrollmentIDs, members.intuneMAMResource, "intune_enrollment_ids")
    }
  }
#endif
