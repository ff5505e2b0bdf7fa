// SPDX-License-Identifier: MIT
// A program that only the TypeScript compiler reads.

import { Application, RetryLaterError, SignInRequiredError, TesseraError } from 'tessera-identity';
import type { TokenResult } from 'tessera-identity';
import { TesseraCredential } from 'tessera-identity/azure';
import type { TokenCredential } from '@azure/core-auth';

const application = new Application(
  { clientId: 'x', store: { keySources: ['key_file'] } },
  { log: (level, message) => console.log(level, message), transport: async () => ({ status: 503 }) },
);
export const credential: TokenCredential = new TesseraCredential(application, { username: 'alice@contoso.com' });

export async function token(): Promise<TokenResult> {
  const { signal } = new AbortController();
  try {
    return await application.acquireTokenSilent({ scopes: ['User.Read'], timeoutMilliseconds: 5000 }, { signal });
  } catch (error) {
    if (error instanceof SignInRequiredError)
      return application.acquireTokenByDeviceCode(
        { scopes: ['User.Read'], claims: error.claims },
        { signal, onPrompt: (prompt) => console.log(prompt.message) },
      );
    if (error instanceof RetryLaterError) console.log(error.retryAfter?.toFixed(0));
    if (error instanceof TesseraError && error.code === 'account_not_found') console.log(error.message);
    throw error;
  }
}

// @ts-expect-error An unknown member.
void application.acquireTokenSilent({ scopes: [], usernam: 'alice' });
// @ts-expect-error A result is shared.
void token().then((result) => (result.accessToken = ''));
