// SPDX-License-Identifier: MIT
import * as documents from './documents';

export * from './documents';

/** The options of a call. */
export interface CallOptions {
  /** Cancels the call. The promise is then rejected with the reason of the signal. */
  signal?: AbortSignal;
}

/** The options of a call that shows something to the user. */
export interface PromptOptions<Prompt> extends CallOptions {
  /** Shows a prompt. The call continues; an exception ends it. */
  onPrompt: (prompt: Prompt) => void | PromiseLike<void>;
}

/** The callbacks of the host application. They must not call the application. */
export interface Host {
  /**
   * Receives the log messages: the level (1 error to 4 detail) and the text. The call that writes a message continues
   * after an exception, which is a warning of the process.
   */
  log?(level: number, message: string): void;

  /** Returns the 32 bytes of the key of the store. After an exception, a warning of the process, there is no key. */
  storeKey?(): Uint8Array | PromiseLike<Uint8Array>;

  /**
   * Sends an HTTP request, without following redirects. The signal aborts it. An exception means that no response
   * was received; the error of the call contains its message.
   */
  transport?(
    request: documents.TransportRequest, options: { signal: AbortSignal },
  ): documents.TransportResponse | PromiseLike<documents.TransportResponse>;
}

/**
 * An OAuth 2.0 public client. Create one object for the whole process.
 *
 * No call blocks the event loop. A call that waits for a server occupies no thread of Node.js.
 */
export class Application {
  /** Creates an application, without I/O. It is freed when it is closed, or some time after its last use. */
  constructor(configuration: documents.Configuration, host?: Host);

  /** Frees the application. Calls in progress continue; new ones fail with InvalidRequestError. */
  close(): void;

  /**
   * Returns a cached token, or refreshes it, without user interaction. The result is shared with other calls and
   * frozen. If the server granted fewer scopes than requested, `declinedScopes` has the others.
   */
  acquireTokenSilent(request: documents.SilentRequest, options?: CallOptions): Promise<documents.TokenResult>;

  /** Signs a user in on another device: shows a code, and waits until the user enters it (RFC 8628). */
  acquireTokenByDeviceCode(
    request: documents.DeviceCodeRequest, options: PromptOptions<documents.DeviceCodePrompt>,
  ): Promise<documents.TokenResult>;

  /**
   * Signs a user in with a browser. `onPrompt` receives the address of the sign-in page. Without it, the call fails at
   * once if there is no browser.
   */
  acquireTokenInteractive(
    request: documents.InteractiveCallRequest, options?: Partial<PromptOptions<documents.SignInPrompt>>,
  ): Promise<documents.TokenResult>;

  /** Begins a sign-in for a page that the application shows itself. */
  beginSignIn(request: documents.SignInRequest, options?: CallOptions): Promise<documents.SignInSession>;

  /** Completes a sign-in with the redirect. */
  completeSignIn(request: documents.RedirectResponse, options?: CallOptions): Promise<documents.TokenResult>;

  /** Lists the accounts that are signed in to this application. Works offline. */
  getAccounts(request?: documents.AccountsRequest, options?: CallOptions): Promise<documents.AccountList>;

  /** Returns the account that the request identifies. */
  getAccount(request: documents.AccountsRequest, options?: CallOptions): Promise<documents.AccountResult>;

  /** Returns the account of a single-account application, and the account that the previous such call returned. */
  getCurrentAccount(request?: documents.StoreRequest, options?: CallOptions): Promise<documents.CurrentAccount>;

  /** Deletes the tokens of an account for this application from this machine. */
  removeAccount(request: documents.RemoveAccountRequest, options?: CallOptions): Promise<documents.RemovedAccount>;

  /** Signs a user out, and reports which data was removed and which remains. */
  signOut(request: documents.SignOutRequest, options?: CallOptions): Promise<documents.SignOutReport>;

  /** Explains the decision that acquireTokenSilent() would make, as a dry run. */
  explain(request: documents.ExplainRequest, options?: CallOptions): Promise<documents.Explanation>;

  /** Returns the location, the protection and the state of the store. */
  getStoreInfo(request?: documents.StoreRequest, options?: CallOptions): Promise<documents.StoreInfo>;

  /** Rotates the key of the store. */
  rotateStoreKey(request?: documents.RotateKeyRequest, options?: CallOptions): Promise<documents.RotatedKey>;

  /** Reads the whole store as an MSAL cache document. */
  readCache(request?: documents.StoreRequest, options?: CallOptions): Promise<documents.CacheText>;

  /** Applies the changes that another library made to an MSAL cache document. */
  writeCache(request: documents.CacheWriteRequest, options?: CallOptions): Promise<documents.CacheChanges>;

  /** Copies the accounts and tokens from the store of another application. */
  copySignIns(
    from: Application, request?: documents.CopyRequest, options?: CallOptions,
  ): Promise<documents.CopyReport>;

  /** Imports the sign-ins from the cache of an older library: the data, or the file that the request names. */
  migrate(
    request: documents.MigrationRequest, data?: Uint8Array, options?: CallOptions,
  ): Promise<documents.MigrationReport>;

  /** Exports the sign-ins for an older library; the data is its present cache. */
  exportSignIns(
    request: documents.ExportRequest, data?: Uint8Array, options?: CallOptions,
  ): Promise<documents.ExportedSignIns>;

  /** Returns the version of the identity broker. */
  getBrokerVersion(request?: documents.BrokerRequest, options?: CallOptions): Promise<documents.BrokerVersion>;

  /** Lists the accounts of the identity broker. */
  getBrokerAccounts(request?: documents.BrokerRequest, options?: CallOptions): Promise<documents.BrokerAccountList>;

  /** Returns a single sign-on cookie of the identity broker. */
  getBrokerSsoCookie(
    request: documents.BrokerCookieRequest, options?: CallOptions,
  ): Promise<documents.BrokerCookies>;

  /** Returns an HTTP request that the identity broker signed. */
  getBrokerSignedHttpRequest(
    request: documents.BrokerSigningRequest, options?: CallOptions,
  ): Promise<documents.BrokerSignature>;
}

/** The base class of all errors, with the members of the document. Each subclass represents one remedy. */
export class TesseraError extends Error {
  /** Creates an error, such as for a test. The class determines the remedy. */
  constructor(details: Partial<documents.ErrorDetails>);
}
export interface TesseraError extends documents.ErrorDetails {
  readonly message: string;
}

/** The user must sign in: start an interactive flow, and pass on `claims`. Every application must handle it. */
export class SignInRequiredError extends TesseraError {}
/** The network, the server or the store is unavailable. Retry after `retryAfter` seconds. */
export class RetryLaterError extends TesseraError {}
/** The request is invalid. */
export class InvalidRequestError extends TesseraError {}
/** The configuration or the registration of the application is wrong, or the library is missing. */
export class ConfigurationError extends TesseraError {}
/** The token store cannot be used. */
export class StorageError extends TesseraError {}
/** The user cancelled the call, or its timeout has passed. */
export class CancelledError extends TesseraError {}
/** An internal error of the library. */
export class InternalError extends TesseraError {}

/** Returns the features that the loaded library contains. */
export function features(): documents.LibraryFeatures;

/** Decodes a token without validation, for display and debugging. */
export function describeToken(token: string): documents.TokenDescription;

/** Lists the caches of Microsoft's tools on this machine. */
export function findCaches(
  request?: documents.StoreRequest, options?: CallOptions,
): Promise<documents.KnownCaches>;

/** Delivers a redirect URL that this program was opened with to the pending sign-in of the same user. */
export function handOverUrl(url: string, options?: CallOptions): Promise<void>;
