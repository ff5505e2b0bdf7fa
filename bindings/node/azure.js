// SPDX-License-Identifier: MIT
'use strict';

const { inspect } = require('node:util');

/** A credential with the tokens of an account, for the clients of the Azure SDK for JavaScript. */
class TesseraCredential {
  #application;
  #request;

  constructor(application, request = {}) {
    this.#application = application;
    this.#request = { ...request };
  }

  async getToken(scopes, { claims, tenantId, abortSignal } = {}) {
    const request = { ...this.#request, scopes: typeof scopes === 'string' ? [scopes] : scopes };
    if (claims) request.claims = claims;
    if (tenantId) request.authority = `${this.#authorityHost()}/${tenantId}`;
    const token = await this.#application.acquireTokenSilent(request, { signal: abortSignal });
    const found = {
      token: token.accessToken, expiresOnTimestamp: token.expiresOn.getTime(), tokenType: token.tokenType,
    };
    if (token.refreshOn) found.refreshAfterTimestamp = token.refreshOn.getTime();
    const shown = () => ({ ...found, token: '[secret]' });
    return Object.defineProperties(found, { [inspect.custom]: { value: shown }, toJSON: { value: shown } });
  }

  /** Returns the address of the authority, up to the tenant. */
  #authorityHost() {
    return new URL(this.#request.authority ?? 'https://login.microsoftonline.com').origin;
  }
}

module.exports = { TesseraCredential };
