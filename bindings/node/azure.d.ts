// SPDX-License-Identifier: MIT
import type { AccessToken, GetTokenOptions, TokenCredential } from '@azure/core-auth';
import type { Application, SilentRequest } from './index';

/**
 * A credential with the tokens of an account, for the clients of the Azure SDK for JavaScript.
 *
 * It never signs in: if that is necessary, getToken() throws SignInRequiredError, and the application calls
 * acquireTokenInteractive().
 */
export class TesseraCredential implements TokenCredential {
  /**
   * Creates a credential. The request selects the account. Clients that request the token of another tenant get it
   * from the cloud of the request's `authority`; by default, from the public cloud.
   */
  constructor(application: Application, request?: SilentRequest);

  /** Returns a cached or refreshed token. Neither console.log() nor JSON.stringify() shows it. */
  getToken(scopes: string | string[], options?: GetTokenOptions): Promise<AccessToken>;
}
