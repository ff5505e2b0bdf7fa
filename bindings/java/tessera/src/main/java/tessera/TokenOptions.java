// SPDX-License-Identifier: MIT
// Generated from docs/documents.toml and docs/errors.toml by scripts/check-documents --write.
package tessera;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/** The options of tokens. */
public final class TokenOptions extends Document {
  TokenOptions(Map<String, Object> members) {
    super(members);
  }

  /** Returns a builder. */
  public static Builder builder() {
    return new Builder(Map.of());
  }

  /** Returns a builder with the members of this object. */
  public Builder toBuilder() {
    return new Builder(members());
  }

  /**
   * The remaining lifetime below which a cached token is no longer used; at most half of the token's lifetime
   * (default: 300).
   */
  public Optional<Duration> expiryMargin() {
    return find("expiry_margin_seconds", Long.class).map(Duration::ofSeconds);
  }

  /**
   * Whether an expired token may be returned until <code>extended_expires_on</code> while the server is down
   * (default: <code>false</code>).
   */
  public boolean extendedLifetime() {
    return find("extended_lifetime", Boolean.class).orElse(false);
  }

  /**
   * Whether sign-ins request a refresh token (scope <code>offline_access</code>). With <code>false</code>,
   * refreshes do not request it either. If a requested refresh token is missing, the result has a warning
   * (default: <code>true</code>; <code>false</code> for the <code>prompt</code> <code>none</code> at providers
   * other than Microsoft's).
   */
  public boolean requestRefreshToken() {
    return find("request_refresh_token", Boolean.class).orElse(false);
  }

  /**
   * <code>consent</code> sends <code>prompt=consent</code> with the request for a refresh token, as OpenID Connect
   * Core section 11 requires. The user is then asked for consent at each sign-in. Microsoft's authorities, and the
   * <code>prompt</code> <code>none</code>, are not affected. The value is <code>consent</code>.
   */
  public Optional<String> offlineAccessPrompt() {
    return find("offline_access_prompt", String.class);
  }

  /**
   * Whether Microsoft's instance discovery validates Entra hosts that are not built in (default:
   * <code>true</code>).
   */
  public boolean instanceDiscovery() {
    return find("instance_discovery", Boolean.class).orElse(false);
  }

  /** Builds an object of type TokenOptions. A member that is set to null is left out. */
  public static final class Builder extends DocumentBuilder {
    private Builder(Map<String, Object> members) {
      super(members);
    }

    /**
     * The remaining lifetime below which a cached token is no longer used; at most half of the token's lifetime
     * (default: 300).
     */
    public Builder expiryMargin(Duration value) {
      put("expiry_margin_seconds", value == null ? null : value.toSeconds());
      return this;
    }

    /**
     * Whether an expired token may be returned until <code>extended_expires_on</code> while the server is down
     * (default: <code>false</code>).
     */
    public Builder extendedLifetime(boolean value) {
      put("extended_lifetime", value);
      return this;
    }

    /**
     * Whether sign-ins request a refresh token (scope <code>offline_access</code>). With <code>false</code>,
     * refreshes do not request it either. If a requested refresh token is missing, the result has a warning
     * (default: <code>true</code>; <code>false</code> for the <code>prompt</code> <code>none</code> at providers
     * other than Microsoft's).
     */
    public Builder requestRefreshToken(boolean value) {
      put("request_refresh_token", value);
      return this;
    }

    /**
     * <code>consent</code> sends <code>prompt=consent</code> with the request for a refresh token, as OpenID
     * Connect Core section 11 requires. The user is then asked for consent at each sign-in. Microsoft's
     * authorities, and the <code>prompt</code> <code>none</code>, are not affected. The value is
     * <code>consent</code>.
     */
    public Builder offlineAccessPrompt(String value) {
      put("offline_access_prompt", value);
      return this;
    }

    /**
     * Whether Microsoft's instance discovery validates Entra hosts that are not built in (default:
     * <code>true</code>).
     */
    public Builder instanceDiscovery(boolean value) {
      put("instance_discovery", value);
      return this;
    }

    /** Returns the object. */
    public TokenOptions build() {
      return new TokenOptions(copy());
    }
  }
}
