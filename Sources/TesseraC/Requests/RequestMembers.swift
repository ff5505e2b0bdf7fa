// SPDX-License-Identifier: MIT
// The members of each request, with their types.

// Generated from docs/documents.toml by scripts/check-documents --write.

import Tessera
import TesseraEngine
import TesseraWire

#if TesseraApple
  import TesseraApple
#endif

#if TesseraBroker
  import TesseraBroker
#endif

#if TesseraLegacy
  import TesseraLegacy
#endif

#if TesseraMSALFile
  import TesseraMSALFile
#endif

#if TesseraServices
  import TesseraServices
#endif

/// The members of the configuration of an application.
struct ConfigurationMembers: RequestMembers {
  static let names = [
    "client_id", "redirect_uri", "bundle_id", "authority", "cloud", "audience", "tenant",
    "authority_type", "multiple_clouds", "known_authorities", "client_capabilities", "credential",
    "authentication_method", "assertion_audience", "broker", "log_level", "log_pii", "store",
    "network", "tokens", "intune", "user_messages", "advanced",
  ]
  static var moved: [String: String] {
    [
      "secret": "credential.secret",
      "secret_file": "credential.secret_file",
      "certificate_pem": "credential.certificate_pem",
      "certificate_file": "credential.certificate_file",
      "key_pem": "credential.key_pem",
      "key_file": "credential.key_file",
      "pfx_file": "credential.pfx_file",
      "passphrase": "credential.passphrase",
      "send_chain": "credential.send_chain",
      "assertion": "credential.assertion",
      "assertion_file": "credential.assertion_file",
      "kind": "store.kind",
      "group": "store.group",
      "directory": "store.directory",
      "store_directory": "store.directory",
      "policy": "store.policy",
      "storage_policy": "store.policy",
      "key_sources": "store.key_sources",
      "key": "store.key",
      "store_key": "store.key",
      "limit_megabytes": "store.limit_megabytes",
      "store_limit_megabytes": "store.limit_megabytes",
      "msal_cache": "store.msal_cache",
      "proxy": "network.proxy",
      "no_proxy": "network.no_proxy",
      "ca_file": "network.ca_file",
      "timeout_milliseconds": "network.timeout_milliseconds",
      "network_timeout_seconds": "network.timeout_milliseconds",
      "proactive_refresh_timeout_milliseconds": "network.proactive_refresh_timeout_milliseconds",
      "expiry_margin_seconds": "tokens.expiry_margin_seconds",
      "extended_lifetime": "tokens.extended_lifetime",
      "request_refresh_token": "tokens.request_refresh_token",
      "offline_access_prompt": "tokens.offline_access_prompt",
      "instance_discovery": "tokens.instance_discovery",
      "enrollment_ids": "intune.enrollment_ids",
      "intune_enrollment_ids": "intune.enrollment_ids",
      "mam_resource": "intune.mam_resource",
      "intune_mam_resource": "intune.mam_resource",
      "page_language": "user_messages.page_language",
      "signed_in_title": "user_messages.signed_in_title",
      "signed_in_text": "user_messages.signed_in_text",
      "sign_in_failed_title": "user_messages.sign_in_failed_title",
      "sign_in_failed_reason": "user_messages.sign_in_failed_reason",
      "sign_in_failed_text": "user_messages.sign_in_failed_text",
      "other_sign_in_title": "user_messages.other_sign_in_title",
      "other_sign_in_text": "user_messages.other_sign_in_text",
      "page_not_found_title": "user_messages.page_not_found_title",
      "page_not_found_text": "user_messages.page_not_found_text",
      "invalid_request_title": "user_messages.invalid_request_title",
      "invalid_request_text": "user_messages.invalid_request_text",
      "return_to_sign_in": "user_messages.return_to_sign_in",
      "device_code": "user_messages.device_code",
      "wrong_url_pasted": "user_messages.wrong_url_pasted",
      "slice": "advanced.slice",
      "dc": "advanced.dc",
      "server_telemetry": "advanced.server_telemetry",
      "extra_token_parameters": "advanced.extra_token_parameters",
      "extra_query_parameters": "advanced.extra_query_parameters",
      "registered_schemes": "advanced.registered_schemes",
    ]
  }
  static let reserved = ["profile", "region", "state_key"]

  let document: RequestDocument

  var clientID: String { get throws(TesseraError) { try document.requiredString("client_id") } }
  var redirectURI: String? { get throws(TesseraError) { try document.string("redirect_uri") } }
  var bundleID: String? { get throws(TesseraError) { try document.string("bundle_id") } }
  var authority: String? { get throws(TesseraError) { try document.string("authority") } }
  var cloud: EntraCloud? {
    get throws(TesseraError) { try document.choice("cloud", EntraCloud.self) }
  }
  var audience: SignInAudience? {
    get throws(TesseraError) { try document.choice("audience", SignInAudience.self) }
  }
  var tenant: String? { get throws(TesseraError) { try document.string("tenant") } }
  var authorityType: AuthorityType? {
    get throws(TesseraError) { try document.choice("authority_type", AuthorityType.self) }
  }
  var multipleClouds: Bool? { get throws(TesseraError) { try document.bool("multiple_clouds") } }
  var knownAuthorities: [String]? {
    get throws(TesseraError) { try document.strings("known_authorities") }
  }
  var clientCapabilities: [String]? {
    get throws(TesseraError) { try document.strings("client_capabilities") }
  }
  var credential: ClientCredentialMembers? {
    get throws(TesseraError) { try document.nested("credential") }
  }
  var authenticationMethod: ClientAuthenticationMethod? {
    get throws(TesseraError) {
      try document.choice("authentication_method", ClientAuthenticationMethod.self)
    }
  }
  var assertionAudience: AssertionAudience? {
    get throws(TesseraError) { try document.choice("assertion_audience", AssertionAudience.self) }
  }
  var broker: BrokerPolicy? {
    get throws(TesseraError) { try document.choice("broker", BrokerPolicy.self) }
  }
  var logLevel: Int64? { get throws(TesseraError) { try document.count("log_level") } }
  var logPII: Bool? { get throws(TesseraError) { try document.bool("log_pii") } }
  var store: StoreOptionsMembers? { get throws(TesseraError) { try document.nested("store") } }
  var network: NetworkOptionsMembers? {
    get throws(TesseraError) { try document.nested("network") }
  }
  var tokens: TokenOptionsMembers? { get throws(TesseraError) { try document.nested("tokens") } }
  var intune: IntuneOptionsMembers? { get throws(TesseraError) { try document.nested("intune") } }
  var userMessages: UserMessagesMembers? {
    get throws(TesseraError) { try document.nested("user_messages") }
  }
  var advanced: AdvancedOptionsMembers? {
    get throws(TesseraError) { try document.nested("advanced") }
  }
}

/// The members of the credential of a confidential client.
struct ClientCredentialMembers: RequestMembers {
  static let names = [
    "secret", "secret_file", "certificate_pem", "certificate_file", "key_pem", "key_file",
    "pfx_file", "passphrase", "send_chain", "assertion", "assertion_file",
  ]
  static let reserved = ["assertion_callback", "audience", "mtls", "source"]

  let document: RequestDocument

  var secret: String? { get throws(TesseraError) { try document.string("secret") } }
  var secretFile: String? { get throws(TesseraError) { try document.string("secret_file") } }
  var certificatePEM: String? {
    get throws(TesseraError) { try document.string("certificate_pem") }
  }
  var certificateFile: String? {
    get throws(TesseraError) { try document.string("certificate_file") }
  }
  var keyPEM: String? { get throws(TesseraError) { try document.string("key_pem") } }
  var keyFile: String? { get throws(TesseraError) { try document.string("key_file") } }
  var pfxFile: String? { get throws(TesseraError) { try document.string("pfx_file") } }
  var passphrase: String? { get throws(TesseraError) { try document.string("passphrase") } }
  var sendChain: Bool? { get throws(TesseraError) { try document.bool("send_chain") } }
  var assertion: String? { get throws(TesseraError) { try document.string("assertion") } }
  var assertionFile: String? { get throws(TesseraError) { try document.string("assertion_file") } }
}

/// The members of the options of the token store.
struct StoreOptionsMembers: RequestMembers {
  static let names = [
    "kind", "group", "directory", "policy", "key_sources", "key", "limit_megabytes", "msal_cache",
  ]
  static let reserved = [
    "durability", "max_stale_seconds", "namespace", "on_outage", "password_file", "sentinels",
    "spend", "url", "user",
  ]

  let document: RequestDocument

  var kind: StoreKind? {
    get throws(TesseraError) {
      try document.choice("kind", StoreKind.self, reserved: ["redis", "postgresql"])
    }
  }
  var group: String? { get throws(TesseraError) { try document.string("group") } }
  var directory: String? { get throws(TesseraError) { try document.string("directory") } }
  var policy: StoragePolicy? {
    get throws(TesseraError) { try document.choice("policy", StoragePolicy.self) }
  }
  var keySources: [KeySource]? {
    get throws(TesseraError) { try document.choices("key_sources", KeySource.self) }
  }
  var key: StoreKey? { get throws(TesseraError) { try document.storeKey("key") } }
  var limitMegabytes: Int64? { get throws(TesseraError) { try document.count("limit_megabytes") } }
  var msalCache: String? { get throws(TesseraError) { try document.string("msal_cache") } }
}

/// The members of the options of the network.
struct NetworkOptionsMembers: RequestMembers {
  static let names = [
    "proxy", "no_proxy", "ca_file", "timeout_milliseconds",
    "proactive_refresh_timeout_milliseconds",
  ]

  let document: RequestDocument

  var proxy: String? { get throws(TesseraError) { try document.string("proxy") } }
  var noProxy: String? { get throws(TesseraError) { try document.string("no_proxy") } }
  var caFile: String? { get throws(TesseraError) { try document.string("ca_file") } }
  var timeout: Duration? {
    get throws(TesseraError) { try document.milliseconds("timeout_milliseconds") }
  }
  var proactiveRefreshTimeout: Duration? {
    get throws(TesseraError) { try document.milliseconds("proactive_refresh_timeout_milliseconds") }
  }
}

/// The members of the options of tokens.
struct TokenOptionsMembers: RequestMembers {
  static let names = [
    "expiry_margin_seconds", "extended_lifetime", "request_refresh_token", "offline_access_prompt",
    "instance_discovery",
  ]

  let document: RequestDocument

  var expiryMargin: Duration? {
    get throws(TesseraError) { try document.seconds("expiry_margin_seconds") }
  }
  var extendedLifetime: Bool? {
    get throws(TesseraError) { try document.bool("extended_lifetime") }
  }
  var requestRefreshToken: Bool? {
    get throws(TesseraError) { try document.bool("request_refresh_token") }
  }
  var offlineAccessPrompt: OfflineAccessPrompt? {
    get throws(TesseraError) {
      try document.choice("offline_access_prompt", OfflineAccessPrompt.self)
    }
  }
  var instanceDiscovery: Bool? {
    get throws(TesseraError) { try document.bool("instance_discovery") }
  }
}

/// The members of the state of Intune app protection.
struct IntuneOptionsMembers: RequestMembers {
  static let names = ["enrollment_ids", "mam_resource"]

  let document: RequestDocument

  var enrollmentIDs: JSONObject? {
    get throws(TesseraError) { try document.object("enrollment_ids") }
  }
  var mamResource: [String: String]? {
    get throws(TesseraError) { try document.stringDictionary("mam_resource") }
  }
}

/// The members of options that few applications need.
struct AdvancedOptionsMembers: RequestMembers {
  static let names = [
    "slice", "dc", "server_telemetry", "extra_token_parameters", "extra_query_parameters",
    "registered_schemes",
  ]

  let document: RequestDocument

  var slice: String? { get throws(TesseraError) { try document.string("slice") } }
  var dc: String? { get throws(TesseraError) { try document.string("dc") } }
  var serverTelemetry: Bool? { get throws(TesseraError) { try document.bool("server_telemetry") } }
  var extraTokenParameters: [String: String]? {
    get throws(TesseraError) { try document.stringDictionary("extra_token_parameters") }
  }
  var extraQueryParameters: [String: String]? {
    get throws(TesseraError) { try document.stringDictionary("extra_query_parameters") }
  }
  var registeredSchemes: [String]? {
    get throws(TesseraError) { try document.strings("registered_schemes") }
  }
}

/// The members of the texts that the library shows to users.
struct UserMessagesMembers: RequestMembers {
  static let names = [
    "page_language", "signed_in_title", "signed_in_text", "sign_in_failed_title",
    "sign_in_failed_reason", "sign_in_failed_text", "other_sign_in_title", "other_sign_in_text",
    "page_not_found_title", "page_not_found_text", "invalid_request_title", "invalid_request_text",
    "return_to_sign_in", "device_code", "wrong_url_pasted",
  ]

  let document: RequestDocument
}

/// The members of a request with a timeout only.
struct StoreRequestMembers: RequestMembers {
  static let names = ["timeout_milliseconds"]

  let document: RequestDocument

  var timeout: Duration? {
    get throws(TesseraError) { try document.milliseconds("timeout_milliseconds") }
  }
}

/// The members of a request for accounts.
struct AccountsRequestMembers: RequestMembers {
  static let names = [
    "home_account_id", "username", "local_account_id", "environment", "signed_in_only", "claims",
    "timeout_milliseconds",
  ]

  let document: RequestDocument

  var homeAccountID: String? { get throws(TesseraError) { try document.string("home_account_id") } }
  var username: String? { get throws(TesseraError) { try document.string("username") } }
  var localAccountID: String? {
    get throws(TesseraError) { try document.string("local_account_id") }
  }
  var environment: String? { get throws(TesseraError) { try document.string("environment") } }
  var signedInOnly: Bool? { get throws(TesseraError) { try document.bool("signed_in_only") } }
  var claims: Bool? { get throws(TesseraError) { try document.bool("claims") } }
  var timeout: Duration? {
    get throws(TesseraError) { try document.milliseconds("timeout_milliseconds") }
  }
}

/// The members of a request to remove an account.
struct RemoveAccountRequestMembers: RequestMembers {
  static let names = ["home_account_id", "username", "environment", "timeout_milliseconds"]

  let document: RequestDocument

  var homeAccountID: String {
    get throws(TesseraError) { try document.requiredString("home_account_id") }
  }
  var username: String? { get throws(TesseraError) { try document.string("username") } }
  var environment: String? { get throws(TesseraError) { try document.string("environment") } }
  var timeout: Duration? {
    get throws(TesseraError) { try document.milliseconds("timeout_milliseconds") }
  }
}

/// The members of a request to sign out.
struct SignOutRequestMembers: RequestMembers {
  static let names = [
    "home_account_id", "username", "environment", "scope", "revoke_tokens", "end_session",
    "post_logout_redirect_uri", "from_broker", "authority", "timeout_milliseconds",
    "correlation_id", "traceparent", "tracestate",
  ]

  let document: RequestDocument

  var homeAccountID: String? { get throws(TesseraError) { try document.string("home_account_id") } }
  var username: String? { get throws(TesseraError) { try document.string("username") } }
  var environment: String? { get throws(TesseraError) { try document.string("environment") } }
  var scope: SignOutScope? {
    get throws(TesseraError) { try document.choice("scope", SignOutScope.self) }
  }
  var revokeTokens: Bool? { get throws(TesseraError) { try document.bool("revoke_tokens") } }
  var endSession: Bool? { get throws(TesseraError) { try document.bool("end_session") } }
  var postLogoutRedirectURI: String? {
    get throws(TesseraError) { try document.string("post_logout_redirect_uri") }
  }
  var fromBroker: Bool? { get throws(TesseraError) { try document.bool("from_broker") } }
  var authority: String? { get throws(TesseraError) { try document.string("authority") } }
  var timeout: Duration? {
    get throws(TesseraError) { try document.milliseconds("timeout_milliseconds") }
  }
  var correlationID: String? { get throws(TesseraError) { try document.string("correlation_id") } }
  var traceparent: String? { get throws(TesseraError) { try document.string("traceparent") } }
  var tracestate: String? { get throws(TesseraError) { try document.string("tracestate") } }
}

/// The members of a request to replace the key of the store.
struct RotateKeyRequestMembers: RequestMembers {
  static let names = ["new_store_key", "timeout_milliseconds"]

  let document: RequestDocument

  var newStoreKey: StoreKey? { get throws(TesseraError) { try document.storeKey("new_store_key") } }
  var timeout: Duration? {
    get throws(TesseraError) { try document.milliseconds("timeout_milliseconds") }
  }
}

/// The members of a request to copy sign-ins from another store.
struct CopyRequestMembers: RequestMembers {
  static let names = ["home_account_id", "dry_run", "timeout_milliseconds"]

  let document: RequestDocument

  var homeAccountID: String? { get throws(TesseraError) { try document.string("home_account_id") } }
  var dryRun: Bool? { get throws(TesseraError) { try document.bool("dry_run") } }
  var timeout: Duration? {
    get throws(TesseraError) { try document.milliseconds("timeout_milliseconds") }
  }
}

/// The members of the options of all silent requests.
struct SilentOptionsMembers: RequestMembers {
  static let names = [
    "home_account_id", "username", "environment", "for_application", "scopes", "resource",
    "authority", "force_refresh", "claims", "extra_token_parameters", "extra_query_parameters",
    "timeout_milliseconds", "correlation_id", "traceparent", "tracestate",
  ]

  let document: RequestDocument

  var homeAccountID: String? { get throws(TesseraError) { try document.string("home_account_id") } }
  var username: String? { get throws(TesseraError) { try document.string("username") } }
  var environment: String? { get throws(TesseraError) { try document.string("environment") } }
  var forApplication: Bool? { get throws(TesseraError) { try document.bool("for_application") } }
  var scopes: [String]? { get throws(TesseraError) { try document.strings("scopes") } }
  var resource: String? { get throws(TesseraError) { try document.string("resource") } }
  var authority: String? { get throws(TesseraError) { try document.string("authority") } }
  var forceRefresh: Bool? { get throws(TesseraError) { try document.bool("force_refresh") } }
  var claims: String? { get throws(TesseraError) { try document.string("claims") } }
  var extraTokenParameters: [String: String]? {
    get throws(TesseraError) { try document.stringDictionary("extra_token_parameters") }
  }
  var extraQueryParameters: [String: String]? {
    get throws(TesseraError) { try document.stringDictionary("extra_query_parameters") }
  }
  var timeout: Duration? {
    get throws(TesseraError) { try document.milliseconds("timeout_milliseconds") }
  }
  var correlationID: String? { get throws(TesseraError) { try document.string("correlation_id") } }
  var traceparent: String? { get throws(TesseraError) { try document.string("traceparent") } }
  var tracestate: String? { get throws(TesseraError) { try document.string("tracestate") } }
}

/// The members of a request for a token without user interaction.
struct SilentRequestMembers: RequestMembers {
  private static let own = ["explain"]
  static let names = SilentOptionsMembers.names + own

  let document: RequestDocument

  var silentOptions: SilentOptionsMembers { SilentOptionsMembers(document) }
  var explain: Bool? { get throws(TesseraError) { try document.bool("explain") } }
}

/// The members of a request for an explanation.
struct ExplainRequestMembers: RequestMembers {
  static let names = SilentOptionsMembers.names

  let document: RequestDocument

  var silentOptions: SilentOptionsMembers { SilentOptionsMembers(document) }
}

/// The members of a request for a token by device code.
struct DeviceCodeRequestMembers: RequestMembers {
  static let names = [
    "scopes", "resource", "authority", "claims", "extra_token_parameters", "extra_query_parameters",
    "explain", "timeout_milliseconds", "correlation_id", "traceparent", "tracestate",
  ]

  let document: RequestDocument

  var scopes: [String]? { get throws(TesseraError) { try document.strings("scopes") } }
  var resource: String? { get throws(TesseraError) { try document.string("resource") } }
  var authority: String? { get throws(TesseraError) { try document.string("authority") } }
  var claims: String? { get throws(TesseraError) { try document.string("claims") } }
  var extraTokenParameters: [String: String]? {
    get throws(TesseraError) { try document.stringDictionary("extra_token_parameters") }
  }
  var extraQueryParameters: [String: String]? {
    get throws(TesseraError) { try document.stringDictionary("extra_query_parameters") }
  }
  var explain: Bool? { get throws(TesseraError) { try document.bool("explain") } }
  var timeout: Duration? {
    get throws(TesseraError) { try document.milliseconds("timeout_milliseconds") }
  }
  var correlationID: String? { get throws(TesseraError) { try document.string("correlation_id") } }
  var traceparent: String? { get throws(TesseraError) { try document.string("traceparent") } }
  var tracestate: String? { get throws(TesseraError) { try document.string("tracestate") } }
}

/// The members of the response to a request that the host application sends.
struct TransportResponseMembers: RequestMembers {
  static let names = ["status", "headers", "body", "error", "sent"]

  let document: RequestDocument

  var status: Int64? { get throws(TesseraError) { try document.count("status") } }
  var headers: [String]? { get throws(TesseraError) { try document.strings("headers") } }
  var body: String? { get throws(TesseraError) { try document.string("body") } }
  var error: String? { get throws(TesseraError) { try document.string("error") } }
  var sent: Bool? { get throws(TesseraError) { try document.bool("sent") } }
}

/// The members of the response to a callback of the host application's browser.
struct BrowserResponseMembers: RequestMembers {
  static let names = ["redirect_uri", "url", "form", "error", "cancelled"]

  let document: RequestDocument

  var redirectURI: String? { get throws(TesseraError) { try document.string("redirect_uri") } }
  var url: String? { get throws(TesseraError) { try document.string("url") } }
  var form: String? { get throws(TesseraError) { try document.string("form") } }
  var error: String? { get throws(TesseraError) { try document.string("error") } }
  var cancelled: Bool? { get throws(TesseraError) { try document.bool("cancelled") } }
}

/// The members of the options of all sign-ins in a browser.
struct SignInOptionsMembers: RequestMembers {
  static let names = [
    "scopes", "resource", "extra_scopes_to_consent", "authority", "home_account_id",
    "accept_other_account", "login_hint", "domain_hint", "ui_locales", "prompt", "claims",
    "extra_query_parameters", "extra_token_parameters", "response_mode", "timeout_milliseconds",
    "correlation_id", "traceparent", "tracestate",
  ]

  let document: RequestDocument

  var scopes: [String]? { get throws(TesseraError) { try document.strings("scopes") } }
  var resource: String? { get throws(TesseraError) { try document.string("resource") } }
  var extraScopesToConsent: [String]? {
    get throws(TesseraError) { try document.strings("extra_scopes_to_consent") }
  }
  var authority: String? { get throws(TesseraError) { try document.string("authority") } }
  var homeAccountID: String? { get throws(TesseraError) { try document.string("home_account_id") } }
  var acceptOtherAccount: Bool? {
    get throws(TesseraError) { try document.bool("accept_other_account") }
  }
  var loginHint: String? { get throws(TesseraError) { try document.string("login_hint") } }
  var domainHint: String? { get throws(TesseraError) { try document.string("domain_hint") } }
  var uiLocales: String? { get throws(TesseraError) { try document.string("ui_locales") } }
  var prompt: SignInPromptType? {
    get throws(TesseraError) { try document.choice("prompt", SignInPromptType.self) }
  }
  var claims: String? { get throws(TesseraError) { try document.string("claims") } }
  var extraQueryParameters: [String: String]? {
    get throws(TesseraError) { try document.stringDictionary("extra_query_parameters") }
  }
  var extraTokenParameters: [String: String]? {
    get throws(TesseraError) { try document.stringDictionary("extra_token_parameters") }
  }
  var responseMode: ResponseMode? {
    get throws(TesseraError) { try document.choice("response_mode", ResponseMode.self) }
  }
  var timeout: Duration? {
    get throws(TesseraError) { try document.milliseconds("timeout_milliseconds") }
  }
  var correlationID: String? { get throws(TesseraError) { try document.string("correlation_id") } }
  var traceparent: String? { get throws(TesseraError) { try document.string("traceparent") } }
  var tracestate: String? { get throws(TesseraError) { try document.string("tracestate") } }
}

/// The members of a request for a sign-in in a browser.
struct InteractiveRequestMembers: RequestMembers {
  private static let own = [
    "silent_first", "browser", "webview_type", "prefers_ephemeral_web_browser_session",
    "webview_program", "success_page", "failure_page", "answer_descriptor",
  ]
  static let names = SignInOptionsMembers.names + own

  let document: RequestDocument

  var signInOptions: SignInOptionsMembers { SignInOptionsMembers(document) }
  var silentFirst: Bool? { get throws(TesseraError) { try document.bool("silent_first") } }
  var browser: BrowserChoice? {
    get throws(TesseraError) { try document.choice("browser", BrowserChoice.self) }
  }
  var webviewType: WebviewType? {
    get throws(TesseraError) { try document.choice("webview_type", WebviewType.self) }
  }
  var prefersEphemeralWebBrowserSession: Bool? {
    get throws(TesseraError) { try document.bool("prefers_ephemeral_web_browser_session") }
  }
  var webviewProgram: String? {
    get throws(TesseraError) { try document.string("webview_program") }
  }
  var successPage: String? { get throws(TesseraError) { try document.string("success_page") } }
  var failurePage: String? { get throws(TesseraError) { try document.string("failure_page") } }
  var answerDescriptor: Int64? {
    get throws(TesseraError) { try document.count("answer_descriptor") }
  }
}

/// The members of a request for a non-blocking sign-in in a browser.
struct InteractiveCallRequestMembers: RequestMembers {
  private static let own = ["shows_address"]
  static let names = InteractiveRequestMembers.names + own

  let document: RequestDocument

  var interactiveRequest: InteractiveRequestMembers { InteractiveRequestMembers(document) }
  var showsAddress: Bool? { get throws(TesseraError) { try document.bool("shows_address") } }
}

/// The members of a request to begin a sign-in.
struct SignInRequestMembers: RequestMembers {
  private static let own = ["delivery", "source_application", "authenticator", "lifetime_seconds"]
  static let names = SignInOptionsMembers.names + own
  static var moved: [String: String] {
    [
      "query_schemes": "authenticator.query_schemes",
      "client_app_name": "authenticator.client_app_name",
      "client_app_version": "authenticator.client_app_version",
      "sdk_capabilities": "authenticator.sdk_capabilities",
      "intune_enrollment_ids": "authenticator.intune_enrollment_ids",
      "intune_mam_resource": "authenticator.intune_mam_resource",
      "brk_client_id": "authenticator.brk_client_id",
      "brk_redirect_uri": "authenticator.brk_redirect_uri",
      "client_sku": "authenticator.client_sku",
      "platform_sequence": "authenticator.platform_sequence",
      "onboarding_blob": "authenticator.onboarding_blob",
      "new_mobile_onboarding_flow": "authenticator.new_mobile_onboarding_flow",
      "bound_refresh_tokens": "authenticator.bound_refresh_tokens",
      "user_federated_identity_credential": "authenticator.user_federated_identity_credential",
    ]
  }

  let document: RequestDocument

  var signInOptions: SignInOptionsMembers { SignInOptionsMembers(document) }
  var delivery: SignInRequest.Delivery? {
    get throws(TesseraError) { try document.choice("delivery", SignInRequest.Delivery.self) }
  }
  var sourceApplication: String? {
    get throws(TesseraError) { try document.string("source_application") }
  }
  var authenticator: AuthenticatorOptionsMembers? {
    get throws(TesseraError) { try document.nested("authenticator") }
  }
  var lifetime: Duration? { get throws(TesseraError) { try document.seconds("lifetime_seconds") } }
}

/// The members of the options for Microsoft Authenticator.
struct AuthenticatorOptionsMembers: RequestMembers {
  static let names = [
    "query_schemes", "client_app_name", "client_app_version", "sdk_capabilities",
    "intune_enrollment_ids", "intune_mam_resource", "brk_client_id", "brk_redirect_uri",
    "client_sku", "platform_sequence", "onboarding_blob", "new_mobile_onboarding_flow",
    "bound_refresh_tokens", "user_federated_identity_credential",
  ]

  let document: RequestDocument

  var querySchemes: [String]? { get throws(TesseraError) { try document.strings("query_schemes") } }
  var clientAppName: String? { get throws(TesseraError) { try document.string("client_app_name") } }
  var clientAppVersion: String? {
    get throws(TesseraError) { try document.string("client_app_version") }
  }
  var sdkCapabilities: [String]? {
    get throws(TesseraError) { try document.strings("sdk_capabilities") }
  }
  var intuneEnrollmentIDs: JSONObject? {
    get throws(TesseraError) { try document.object("intune_enrollment_ids") }
  }
  var intuneMAMResource: [String: String]? {
    get throws(TesseraError) { try document.stringDictionary("intune_mam_resource") }
  }
  var brkClientID: String? { get throws(TesseraError) { try document.string("brk_client_id") } }
  var brkRedirectURI: String? {
    get throws(TesseraError) { try document.string("brk_redirect_uri") }
  }
  var clientSKU: String? { get throws(TesseraError) { try document.string("client_sku") } }
  var platformSequence: String? {
    get throws(TesseraError) { try document.string("platform_sequence") }
  }
  var onboardingBlob: String? {
    get throws(TesseraError) { try document.string("onboarding_blob") }
  }
  var newMobileOnboardingFlow: Bool? {
    get throws(TesseraError) { try document.bool("new_mobile_onboarding_flow") }
  }
  var boundRefreshTokens: Bool? {
    get throws(TesseraError) { try document.bool("bound_refresh_tokens") }
  }
  var userFederatedIdentityCredential: String? {
    get throws(TesseraError) { try document.string("user_federated_identity_credential") }
  }
}

/// The members of the response of a provider at the redirect URI.
struct RedirectResponseMembers: RequestMembers {
  static let names = ["state", "url", "form", "source_application", "timeout_milliseconds"]

  let document: RequestDocument

  var state: String { get throws(TesseraError) { try document.requiredString("state") } }
  var url: String? { get throws(TesseraError) { try document.string("url") } }
  var form: String? { get throws(TesseraError) { try document.string("form") } }
  var sourceApplication: String? {
    get throws(TesseraError) { try document.string("source_application") }
  }
  var timeout: Duration? {
    get throws(TesseraError) { try document.milliseconds("timeout_milliseconds") }
  }
}

#if TesseraApple
  /// The members of the tokens of the single sign-on extension.
  struct SSOExtensionTokensMembers: RequestMembers {
    static let names = [
      "headers", "scopes", "resource", "authority", "home_account_id", "accept_other_account",
      "nonce", "claims", "correlation_id", "timeout_milliseconds",
    ]

    let document: RequestDocument

    var headers: [String: String] {
      get throws(TesseraError) { try document.requiredStringDictionary("headers") }
    }
    var scopes: [String]? { get throws(TesseraError) { try document.strings("scopes") } }
    var resource: String? { get throws(TesseraError) { try document.string("resource") } }
    var authority: String? { get throws(TesseraError) { try document.string("authority") } }
    var homeAccountID: String? {
      get throws(TesseraError) { try document.string("home_account_id") }
    }
    var acceptOtherAccount: Bool? {
      get throws(TesseraError) { try document.bool("accept_other_account") }
    }
    var nonce: String? { get throws(TesseraError) { try document.string("nonce") } }
    var claims: String? { get throws(TesseraError) { try document.string("claims") } }
    var correlationID: String? {
      get throws(TesseraError) { try document.string("correlation_id") }
    }
    var timeout: Duration? {
      get throws(TesseraError) { try document.milliseconds("timeout_milliseconds") }
    }
  }

  /// The members of the caller of the single sign-on extension.
  struct SSOExtensionCallerMembers: RequestMembers {
    static let names = [
      "operation", "broker_key", "without_broker_key", "client_version", "client_app_name",
      "client_app_version", "correlation_id", "client_sdk", "platform_sequence",
    ]

    let document: RequestDocument

    var operation: SSOExtensionOperationName {
      get throws(TesseraError) {
        try document.requiredChoice("operation", SSOExtensionOperationName.self)
      }
    }
    var brokerKey: String? { get throws(TesseraError) { try document.string("broker_key") } }
    var withoutBrokerKey: Bool? {
      get throws(TesseraError) { try document.bool("without_broker_key") }
    }
    var clientVersion: String? {
      get throws(TesseraError) { try document.string("client_version") }
    }
    var clientAppName: String? {
      get throws(TesseraError) { try document.string("client_app_name") }
    }
    var clientAppVersion: String? {
      get throws(TesseraError) { try document.string("client_app_version") }
    }
    var correlationID: String? {
      get throws(TesseraError) { try document.string("correlation_id") }
    }
    var clientSDK: String? { get throws(TesseraError) { try document.string("client_sdk") } }
    var platformSequence: String? {
      get throws(TesseraError) { try document.string("platform_sequence") }
    }
  }

  /// The members of the account of a request.
  struct SSOExtensionAccountIdentifierMembers: RequestMembers {
    static let names = ["home_account_id", "username"]

    let document: RequestDocument

    var homeAccountID: String? {
      get throws(TesseraError) { try document.string("home_account_id") }
    }
    var username: String? { get throws(TesseraError) { try document.string("username") } }
  }

  /// The members of the token members of a request.
  struct SSOExtensionTokenRequestMembers: RequestMembers {
    private static let own = [
      "authority", "client_id", "redirect_uri", "scopes", "provider_type", "extra_oidc_scopes",
      "token_type", "req_cnf", "brk_client_id", "brk_redirect_uri", "extra_query_parameters",
      "instance_aware", "intune_enrollment_ids", "intune_mam_resource", "client_capabilities",
      "claims", "request_sent_on", "nonce", "account_home_tenant_id", "client_sku",
      "accept_other_account", "force_refresh", "user_federated_identity_credential", "web_page_uri",
    ]
    static let names =
      SSOExtensionCallerMembers.names + SSOExtensionAccountIdentifierMembers.names + own

    let document: RequestDocument

    var caller: SSOExtensionCallerMembers { SSOExtensionCallerMembers(document) }
    var accountIdentifier: SSOExtensionAccountIdentifierMembers {
      SSOExtensionAccountIdentifierMembers(document)
    }
    var authority: String { get throws(TesseraError) { try document.requiredString("authority") } }
    var clientID: String { get throws(TesseraError) { try document.requiredString("client_id") } }
    var redirectURI: String {
      get throws(TesseraError) { try document.requiredString("redirect_uri") }
    }
    var scopes: [String] { get throws(TesseraError) { try document.requiredStrings("scopes") } }
    var providerType: SSOExtensionProvider? {
      get throws(TesseraError) { try document.choice("provider_type", SSOExtensionProvider.self) }
    }
    var extraOIDCScopes: [String]? {
      get throws(TesseraError) { try document.strings("extra_oidc_scopes") }
    }
    var tokenType: String? { get throws(TesseraError) { try document.string("token_type") } }
    var reqCnf: String? { get throws(TesseraError) { try document.string("req_cnf") } }
    var brkClientID: String? { get throws(TesseraError) { try document.string("brk_client_id") } }
    var brkRedirectURI: String? {
      get throws(TesseraError) { try document.string("brk_redirect_uri") }
    }
    var extraQueryParameters: [String: String]? {
      get throws(TesseraError) { try document.stringDictionary("extra_query_parameters") }
    }
    var instanceAware: Bool? { get throws(TesseraError) { try document.bool("instance_aware") } }
    var intuneEnrollmentIDs: JSONObject? {
      get throws(TesseraError) { try document.object("intune_enrollment_ids") }
    }
    var intuneMAMResource: [String: String]? {
      get throws(TesseraError) { try document.stringDictionary("intune_mam_resource") }
    }
    var clientCapabilities: [String]? {
      get throws(TesseraError) { try document.strings("client_capabilities") }
    }
    var claims: String? { get throws(TesseraError) { try document.string("claims") } }
    var requestSentOn: Int64? { get throws(TesseraError) { try document.count("request_sent_on") } }
    var nonce: String? { get throws(TesseraError) { try document.string("nonce") } }
    var accountHomeTenantID: String? {
      get throws(TesseraError) { try document.string("account_home_tenant_id") }
    }
    var clientSKU: String? { get throws(TesseraError) { try document.string("client_sku") } }
    var acceptOtherAccount: Bool? {
      get throws(TesseraError) { try document.bool("accept_other_account") }
    }
    var forceRefresh: Bool? { get throws(TesseraError) { try document.bool("force_refresh") } }
    var userFederatedIdentityCredential: String? {
      get throws(TesseraError) { try document.string("user_federated_identity_credential") }
    }
    var webPageURI: String? { get throws(TesseraError) { try document.string("web_page_uri") } }
  }

  /// The members of a request for a sign-in.
  struct SSOExtensionLoginMembers: RequestMembers {
    private static let own = [
      "prompt", "extra_scopes_to_consent", "onboarding_blob", "new_mobile_onboarding_flow",
    ]
    static let names = SSOExtensionTokenRequestMembers.names + own

    let document: RequestDocument

    var tokenRequest: SSOExtensionTokenRequestMembers { SSOExtensionTokenRequestMembers(document) }
    var prompt: String? { get throws(TesseraError) { try document.string("prompt") } }
    var extraScopesToConsent: [String]? {
      get throws(TesseraError) { try document.strings("extra_scopes_to_consent") }
    }
    var onboardingBlob: String? {
      get throws(TesseraError) { try document.string("onboarding_blob") }
    }
    var newMobileOnboardingFlow: Bool? {
      get throws(TesseraError) { try document.bool("new_mobile_onboarding_flow") }
    }
  }

  /// The members of a request for a token without user interaction.
  struct SSOExtensionRefreshMembers: RequestMembers {
    static let names = SSOExtensionTokenRequestMembers.names

    let document: RequestDocument

    var tokenRequest: SSOExtensionTokenRequestMembers { SSOExtensionTokenRequestMembers(document) }
  }

  /// The members of a request for accounts.
  struct SSOExtensionAccountsRequestMembers: RequestMembers {
    private static let own = ["client_id", "family_id", "signed_in_only"]
    static let names = SSOExtensionCallerMembers.names + own

    let document: RequestDocument

    var caller: SSOExtensionCallerMembers { SSOExtensionCallerMembers(document) }
    var clientID: String { get throws(TesseraError) { try document.requiredString("client_id") } }
    var familyID: String? { get throws(TesseraError) { try document.string("family_id") } }
    var signedInOnly: Bool? { get throws(TesseraError) { try document.bool("signed_in_only") } }
  }

  /// The members of a request to remove an account.
  struct SSOExtensionRemovalMembers: RequestMembers {
    private static let own = ["client_id"]
    static let names =
      SSOExtensionCallerMembers.names + SSOExtensionAccountIdentifierMembers.names + own

    let document: RequestDocument

    var caller: SSOExtensionCallerMembers { SSOExtensionCallerMembers(document) }
    var accountIdentifier: SSOExtensionAccountIdentifierMembers {
      SSOExtensionAccountIdentifierMembers(document)
    }
    var clientID: String { get throws(TesseraError) { try document.requiredString("client_id") } }
  }

  /// The members of a request to sign out.
  struct SSOExtensionSignOutMembers: RequestMembers {
    private static let own = [
      "client_id", "authority", "redirect_uri", "provider_type", "signout_from_browser",
      "clear_sso_extension_cookies", "wipe_account", "wipe_cache_all_accounts",
    ]
    static let names =
      SSOExtensionCallerMembers.names + SSOExtensionAccountIdentifierMembers.names + own

    let document: RequestDocument

    var caller: SSOExtensionCallerMembers { SSOExtensionCallerMembers(document) }
    var accountIdentifier: SSOExtensionAccountIdentifierMembers {
      SSOExtensionAccountIdentifierMembers(document)
    }
    var clientID: String { get throws(TesseraError) { try document.requiredString("client_id") } }
    var authority: String { get throws(TesseraError) { try document.requiredString("authority") } }
    var redirectURI: String {
      get throws(TesseraError) { try document.requiredString("redirect_uri") }
    }
    var providerType: SSOExtensionProvider? {
      get throws(TesseraError) { try document.choice("provider_type", SSOExtensionProvider.self) }
    }
    var signoutFromBrowser: Bool? {
      get throws(TesseraError) { try document.bool("signout_from_browser") }
    }
    var clearSSOExtensionCookies: Bool? {
      get throws(TesseraError) { try document.bool("clear_sso_extension_cookies") }
    }
    var wipeAccount: Bool? { get throws(TesseraError) { try document.bool("wipe_account") } }
    var wipeCacheAllAccounts: Bool? {
      get throws(TesseraError) { try document.bool("wipe_cache_all_accounts") }
    }
  }

  /// The members of a request without further members.
  struct SSOExtensionDeviceRequestMembers: RequestMembers {
    static let names = SSOExtensionCallerMembers.names

    let document: RequestDocument

    var caller: SSOExtensionCallerMembers { SSOExtensionCallerMembers(document) }
  }

  /// The members of a request for cookies.
  struct SSOExtensionCookieRequestMembers: RequestMembers {
    private static let own = ["url", "types_of_header"]
    static let names =
      SSOExtensionCallerMembers.names + SSOExtensionAccountIdentifierMembers.names + own

    let document: RequestDocument

    var caller: SSOExtensionCallerMembers { SSOExtensionCallerMembers(document) }
    var accountIdentifier: SSOExtensionAccountIdentifierMembers {
      SSOExtensionAccountIdentifierMembers(document)
    }
    var url: String { get throws(TesseraError) { try document.requiredString("url") } }
    var typesOfHeader: [String]? {
      get throws(TesseraError) { try document.strings("types_of_header") }
    }
  }

  /// The members of a request to sign with a passkey.
  struct SSOExtensionPasskeyRequestMembers: RequestMembers {
    private static let own = ["client_data_hash", "relying_party_id", "key_id"]
    static let names = SSOExtensionCallerMembers.names + own

    let document: RequestDocument

    var caller: SSOExtensionCallerMembers { SSOExtensionCallerMembers(document) }
    var clientDataHash: [UInt8] {
      get throws(TesseraError) { try document.requiredHexadecimal("client_data_hash") }
    }
    var relyingPartyID: String {
      get throws(TesseraError) { try document.requiredString("relying_party_id") }
    }
    var keyID: [UInt8] { get throws(TesseraError) { try document.requiredHexadecimal("key_id") } }
  }

  /// The members of a message of a web page.
  struct SSOExtensionBrowserMessageMembers: RequestMembers {
    private static let own = [
      "method", "sender", "parent_process_team_id", "parent_process_bundle_identifier",
      "parent_process_localized_name", "uri", "home_account_id", "client_id", "scopes",
      "redirect_uri", "authority", "login_hint", "prompt", "nonce", "state", "claims", "token_type",
      "req_cnf", "extra_parameters", "is_sts", "instance_aware", "can_show_ui",
    ]
    static let names = SSOExtensionCallerMembers.names + own

    let document: RequestDocument

    var caller: SSOExtensionCallerMembers { SSOExtensionCallerMembers(document) }
    var method: String { get throws(TesseraError) { try document.requiredString("method") } }
    var sender: String { get throws(TesseraError) { try document.requiredString("sender") } }
    var parentProcessTeamID: String? {
      get throws(TesseraError) { try document.string("parent_process_team_id") }
    }
    var parentProcessBundleIdentifier: String? {
      get throws(TesseraError) { try document.string("parent_process_bundle_identifier") }
    }
    var parentProcessLocalizedName: String? {
      get throws(TesseraError) { try document.string("parent_process_localized_name") }
    }
    var uri: String? { get throws(TesseraError) { try document.string("uri") } }
    var homeAccountID: String? {
      get throws(TesseraError) { try document.string("home_account_id") }
    }
    var clientID: String? { get throws(TesseraError) { try document.string("client_id") } }
    var scopes: [String]? { get throws(TesseraError) { try document.strings("scopes") } }
    var redirectURI: String? { get throws(TesseraError) { try document.string("redirect_uri") } }
    var authority: String? { get throws(TesseraError) { try document.string("authority") } }
    var loginHint: String? { get throws(TesseraError) { try document.string("login_hint") } }
    var prompt: String? { get throws(TesseraError) { try document.string("prompt") } }
    var nonce: String? { get throws(TesseraError) { try document.string("nonce") } }
    var state: String? { get throws(TesseraError) { try document.string("state") } }
    var claims: String? { get throws(TesseraError) { try document.string("claims") } }
    var tokenType: String? { get throws(TesseraError) { try document.string("token_type") } }
    var reqCnf: String? { get throws(TesseraError) { try document.string("req_cnf") } }
    var extraParameters: [String: String]? {
      get throws(TesseraError) { try document.stringDictionary("extra_parameters") }
    }
    var isSTS: Bool? { get throws(TesseraError) { try document.bool("is_sts") } }
    var instanceAware: Bool? { get throws(TesseraError) { try document.bool("instance_aware") } }
    var canShowUI: Bool? { get throws(TesseraError) { try document.bool("can_show_ui") } }
  }

  /// The members of the response of the single sign-on extension.
  struct SSOExtensionOutcomeMembers: RequestMembers {
    static let names = ["headers", "error"]
    static var moved: [String: String] {
      ["underlying": "error.underlying"]
    }

    let document: RequestDocument

    var headers: [String: String]? {
      get throws(TesseraError) { try document.stringDictionary("headers") }
    }
    var error: SSOExtensionFailureMembers? {
      get throws(TesseraError) { try document.nested("error") }
    }
  }

  /// The members of an `NSError`.
  struct SSOExtensionFaultMembers: RequestMembers {
    static let names = ["domain", "code", "message", "details"]

    let document: RequestDocument

    var domain: String { get throws(TesseraError) { try document.requiredString("domain") } }
    var code: Int64 { get throws(TesseraError) { try document.requiredInteger("code") } }
    var message: String? { get throws(TesseraError) { try document.string("message") } }
    var details: JSONObject? { get throws(TesseraError) { try document.object("details") } }
  }

  /// The members of the error of a call of the single sign-on extension.
  struct SSOExtensionFailureMembers: RequestMembers {
    private static let own = ["underlying"]
    static let names = SSOExtensionFaultMembers.names + own

    let document: RequestDocument

    var fault: SSOExtensionFaultMembers { SSOExtensionFaultMembers(document) }
    var underlying: SSOExtensionFaultMembers? {
      get throws(TesseraError) { try document.nested("underlying") }
    }
  }
#endif

#if TesseraBroker
  /// The members of a request for a cookie of the broker.
  struct BrokerCookieRequestMembers: RequestMembers {
    private static let own = ["home_account_id", "sso_url", "scopes"]
    static let names = BrokerRequestMembers.names + own

    let document: RequestDocument

    var brokerRequest: BrokerRequestMembers { BrokerRequestMembers(document) }
    var homeAccountID: String {
      get throws(TesseraError) { try document.requiredString("home_account_id") }
    }
    var ssoURL: String { get throws(TesseraError) { try document.requiredString("sso_url") } }
    var scopes: [String]? { get throws(TesseraError) { try document.strings("scopes") } }
  }

  /// The members of a request to sign an HTTP request.
  struct BrokerSigningRequestMembers: RequestMembers {
    private static let own = [
      "home_account_id", "http_method", "url", "nonce", "client_claims", "key_id",
    ]
    static let names = BrokerRequestMembers.names + own

    let document: RequestDocument

    var brokerRequest: BrokerRequestMembers { BrokerRequestMembers(document) }
    var homeAccountID: String {
      get throws(TesseraError) { try document.requiredString("home_account_id") }
    }
    var httpMethod: String {
      get throws(TesseraError) { try document.requiredString("http_method") }
    }
    var url: String { get throws(TesseraError) { try document.requiredString("url") } }
    var nonce: String? { get throws(TesseraError) { try document.string("nonce") } }
    var clientClaims: String? { get throws(TesseraError) { try document.string("client_claims") } }
    var keyID: String? { get throws(TesseraError) { try document.string("key_id") } }
  }

  /// The members of a request to the broker.
  struct BrokerRequestMembers: RequestMembers {
    static let names = ["authority", "timeout_milliseconds", "correlation_id"]

    let document: RequestDocument

    var authority: String? { get throws(TesseraError) { try document.string("authority") } }
    var timeout: Duration? {
      get throws(TesseraError) { try document.milliseconds("timeout_milliseconds") }
    }
    var correlationID: String? {
      get throws(TesseraError) { try document.string("correlation_id") }
    }
  }
#endif

#if TesseraLegacy
  /// The members of a request to import an older cache.
  struct MigrationRequestMembers: RequestMembers {
    static let names = ["path", "place", "format", "dry_run", "timeout_milliseconds"]

    let document: RequestDocument

    var path: String? { get throws(TesseraError) { try document.string("path") } }
    var place: MigrationRequest.Place? {
      get throws(TesseraError) { try document.choice("place", MigrationRequest.Place.self) }
    }
    var format: MigrationRequest.Format? {
      get throws(TesseraError) { try document.choice("format", MigrationRequest.Format.self) }
    }
    var dryRun: Bool? { get throws(TesseraError) { try document.bool("dry_run") } }
    var timeout: Duration? {
      get throws(TesseraError) { try document.milliseconds("timeout_milliseconds") }
    }
  }

  /// The members of a request to export sign-ins to an older cache.
  struct ExportRequestMembers: RequestMembers {
    static let names = ["format", "home_account_id", "timeout_milliseconds"]

    let document: RequestDocument

    var format: ExportRequest.Format {
      get throws(TesseraError) { try document.requiredChoice("format", ExportRequest.Format.self) }
    }
    var homeAccountID: String? {
      get throws(TesseraError) { try document.string("home_account_id") }
    }
    var timeout: Duration? {
      get throws(TesseraError) { try document.milliseconds("timeout_milliseconds") }
    }
  }
#endif

#if TesseraMSALFile
  /// The members of the changes of a cache document.
  struct CacheWriteRequestMembers: RequestMembers {
    static let names = ["before", "after", "timeout_milliseconds"]

    let document: RequestDocument

    var before: String { get throws(TesseraError) { try document.requiredString("before") } }
    var after: String { get throws(TesseraError) { try document.requiredString("after") } }
    var timeout: Duration? {
      get throws(TesseraError) { try document.milliseconds("timeout_milliseconds") }
    }
  }
#endif

#if TesseraServices
  /// The members of a request for a token of the application itself.
  struct ClientTokenRequestMembers: RequestMembers {
    static let names = [
      "scopes", "resource", "authority", "tenant", "claims", "force_refresh",
      "token_sha256_to_refresh", "extra_token_parameters", "extra_query_parameters",
      "timeout_milliseconds", "correlation_id", "traceparent", "tracestate",
    ]
    static let reserved = ["attributes", "authorization_details", "fmi_path"]

    let document: RequestDocument

    var scopes: [String]? { get throws(TesseraError) { try document.strings("scopes") } }
    var resource: String? { get throws(TesseraError) { try document.string("resource") } }
    var authority: String? { get throws(TesseraError) { try document.string("authority") } }
    var tenant: String? { get throws(TesseraError) { try document.string("tenant") } }
    var claims: String? { get throws(TesseraError) { try document.string("claims") } }
    var forceRefresh: Bool? { get throws(TesseraError) { try document.bool("force_refresh") } }
    var tokenSHA256ToRefresh: String? {
      get throws(TesseraError) { try document.string("token_sha256_to_refresh") }
    }
    var extraTokenParameters: [String: String]? {
      get throws(TesseraError) { try document.stringDictionary("extra_token_parameters") }
    }
    var extraQueryParameters: [String: String]? {
      get throws(TesseraError) { try document.stringDictionary("extra_query_parameters") }
    }
    var timeout: Duration? {
      get throws(TesseraError) { try document.milliseconds("timeout_milliseconds") }
    }
    var correlationID: String? {
      get throws(TesseraError) { try document.string("correlation_id") }
    }
    var traceparent: String? { get throws(TesseraError) { try document.string("traceparent") } }
    var tracestate: String? { get throws(TesseraError) { try document.string("tracestate") } }
  }
#endif
