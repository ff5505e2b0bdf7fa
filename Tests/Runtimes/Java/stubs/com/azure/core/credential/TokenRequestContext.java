// SPDX-License-Identifier: MIT
package com.azure.core.credential;

import java.util.List;

/** The class of azure-core, as far as the adapter uses it. */
public class TokenRequestContext {
  private List<String> scopes = List.of();
  private String claims;
  private String tenantId;

  /** Returns the scopes. */
  public List<String> getScopes() {
    return scopes;
  }

  /** Sets the scopes. */
  public TokenRequestContext setScopes(List<String> value) {
    scopes = value;
    return this;
  }

  /** Returns the claims; null if there are none. */
  public String getClaims() {
    return claims;
  }

  /** Sets the claims. */
  public TokenRequestContext setClaims(String value) {
    claims = value;
    return this;
  }

  /** Returns the tenant; null if there is none. */
  public String getTenantId() {
    return tenantId;
  }

  /** Sets the tenant. */
  public TokenRequestContext setTenantId(String value) {
    tenantId = value;
    return this;
  }
}
