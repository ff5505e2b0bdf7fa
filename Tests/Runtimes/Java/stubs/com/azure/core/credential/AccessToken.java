// SPDX-License-Identifier: MIT
package com.azure.core.credential;

import java.time.OffsetDateTime;

/** The class of azure-core, as far as the adapter uses it. */
public class AccessToken {
  private final String token;
  private final OffsetDateTime expiresAt;

  /** Creates a token. */
  public AccessToken(String token, OffsetDateTime expiresAt) {
    this.token = token;
    this.expiresAt = expiresAt;
  }

  /** Returns the token. */
  public String getToken() {
    return token;
  }

  /** Returns the expiry time. */
  public OffsetDateTime getExpiresAt() {
    return expiresAt;
  }
}
