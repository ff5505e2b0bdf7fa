// SPDX-License-Identifier: MIT
// The interfaces of @azure/core-auth that the credential uses.

export interface AbortSignalLike {
  readonly aborted: boolean;
  addEventListener(
    type: 'abort', listener: (this: AbortSignalLike, ev: any) => any, options?: any,
  ): void;
  removeEventListener(
    type: 'abort', listener: (this: AbortSignalLike, ev: any) => any, options?: any,
  ): void;
}

export interface GetTokenOptions {
  abortSignal?: AbortSignalLike;
  requestOptions?: { timeout?: number };
  claims?: string;
  enableCae?: boolean;
  tenantId?: string;
}

export interface AccessToken {
  token: string;
  expiresOnTimestamp: number;
  refreshAfterTimestamp?: number;
  tokenType?: 'Bearer' | 'pop';
}

export interface TokenCredential {
  getToken(scopes: string | string[], options?: GetTokenOptions): Promise<AccessToken | null>;
}
