// SPDX-License-Identifier: MIT
// The next steps of a user of the command line, for errors that need their own.

// Generated from docs/errors.toml by scripts/check-errors --write.

import Tessera

/// The next step of a user of the command line after an error.
enum NextSteps {
  /// The texts by code.
  static let codes: [TesseraError.Code: String] = [
    .accountDisabled: "Sign in with another account, or ask an administrator to enable this one.",
    .accountNotInTenant:
      "Sign in with another account, or pass the authority of the account with --authority.",
    .accessBlocked:
      "Run \"tessera login\" once: the page shows the reason. Do not retry automatically.",
    .codeExpired: "Start the sign-in again with \"tessera login\" or \"tessera begin-login\".",
    .serverDeclinedScopes:
      "Run \"tessera login\" again and consent, or request fewer scopes with --scope.",
    .invalidAuthorizationResponse:
      "Start the sign-in again with \"tessera login\" or \"tessera begin-login\".",
    .signInExpired: "Run \"tessera begin-login\" again, with a longer --lifetime if necessary.",
    .signInUsed:
      "Ignore this if the sign-in succeeded. Otherwise run \"tessera begin-login\" again.",
    .signInLost:
      "Run \"tessera begin-login\" again, with the same store options as \"tessera complete-login\".",
    .workplaceJoinRequired:
      "Register this device with the organization. Then run \"tessera login\" again.",
    .deviceUpgradeRequired:
      "Register this device with the organization again. Then run \"tessera login\" again.",
    .networkFailed: "Try again. If the error persists, check the network and the proxy settings.",
    .invalidResponse: "Check the network, and try again.",
    .storeBusy: "Try again. If the error persists, check the process that holds the store lock.",
    .scopesRequired:
      "Pass --scope with a scope of a resource, or with openid for an ID token only.",
    .stateMismatch:
      "Pass the URL to which the browser was redirected, and the --state of the same sign-in.",
    .invalidSignInState:
      "Pass the --state exactly as \"tessera begin-login\" printed it, with the same other options.",
    .legacyCacheInvalid:
      "Check the path and the permissions, or pass the format of the file with --format.",
    .invalidAuthority:
      "Correct --authority. A host that is not Microsoft's may need --authority-type.",
    .issuerMismatch:
      "Pass the issuer with --authority exactly as the message states it, if you trust it.",
    .invalidIDToken: "Check --client-id and the clock of this machine.",
    .clientRejected:
      "Check --client-id and --authority, and register the application as a public client.",
    .accountNotAssigned: "Ask an administrator to assign the user to the application.",
    .protectionPolicyRequired:
      "Ask an administrator to exclude this application or this platform from the policy.",
    .scopeRejected: "Check --scope and the API permissions in the registration of the application.",
    .redirectPortTaken:
      "End the process, or pass a --redirect-uri without a port if the provider accepts any port.",
    .redirectSchemeNotRegistered:
      "Run \"tessera scheme register\", or use --redirect-uri http://localhost.",
    .redirectSchemeTaken: "Choose another scheme, or pass --replace.",
    .browserUnavailable: "Sign in with --device-code or --paste.",
    .brokerUnavailable: "Install or start the broker, or pass --broker never.",
    .brokerUnresponsive: "Try again, or pass --broker never.",
    .webviewUnavailable:
      "Install tessera-webview or pass its path with --webview-program, or remove --webview.",
    .webviewFailed: "Try again, or remove --webview to sign in with the browser.",
    .navigationRefused: "Compare --redirect-uri with the registration of the application.",
    .redirectUriRejected:
      "Register the redirect URI, or pass a registered one with --redirect-uri.",
    .flowUnsupported:
      "Allow the flow in the registration, or use another one: add or remove --device-code.",
    .certificateUntrusted: "If you trust the issuer, pass its certificate with --ca-file.",
    .unsafeEnvironment: "Run the command without the environment variable SSLKEYLOGFILE.",
    .storeUnavailable:
      "Correct the permissions, or choose another directory with --store-directory.",
    .storeUnsafe:
      "Correct the owner and the mode (chown, chmod go-w), or choose another --store-directory.",
    .cacheUndecryptable:
      "Restore the key, or choose another store with --group or --store-directory.",
    .encryptionUnavailable: "Add a --key-source, or choose another --storage-policy.",
    .deadlineExceeded: "Allow more time with --timeout.",
  ]
}
