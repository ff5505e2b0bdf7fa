// SPDX-License-Identifier: MIT
package com.azure.core.credential;

import reactor.core.publisher.Mono;

/** The interface of azure-core. */
@FunctionalInterface
public interface TokenCredential {
  /** Returns a token. */
  Mono<AccessToken> getToken(TokenRequestContext request);

  /** Returns a token, on this thread. */
  default AccessToken getTokenSync(TokenRequestContext request) {
    return getToken(request).block();
  }
}
