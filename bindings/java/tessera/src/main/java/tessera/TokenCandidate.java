// SPDX-License-Identifier: MIT
// Generated from docs/documents.toml and docs/errors.toml by scripts/check-documents --write.
package tessera;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The document "TokenCandidate". */
public final class TokenCandidate extends Document {
  TokenCandidate(Map<String, Object> members) {
    super(members);
  }

  /** Parses a JSON object, such as one that a test has written. */
  public static TokenCandidate fromJson(String text) {
    return new TokenCandidate(Json.parse(text));
  }

  /** The kind of the token, such as <code>AccessToken</code> or <code>RefreshToken</code>. */
  public String credentialType() {
    return find("credential_type", String.class).orElse("");
  }

  /** <code>used</code>; <code>fallback</code>: used if the preceding ones fail; <code>not_used</code>. */
  public String role() {
    return find("role", String.class).orElse("");
  }

  /** The reasons for not using it, or not first: see below. */
  public List<String> obstacles() {
    return list("obstacles");
  }

  /** The application that it was issued to. */
  public String clientId() {
    return find("client_id", String.class).orElse("");
  }

  /** The family of applications that may redeem it. Present if there is one. */
  public Optional<String> familyId() {
    return find("family_id", String.class);
  }

  /** The cloud or the issuer. */
  public String environment() {
    return find("environment", String.class).orElse("");
  }

  /** The tenant; refresh tokens apply to all tenants. Present for access tokens. */
  public Optional<String> tenantId() {
    return find("tenant_id", String.class);
  }

  /** The granted scopes. Present for access tokens. */
  public List<String> scopes() {
    return list("scopes");
  }

  /** The requested scopes that it lacks. Present if it lacks some. */
  public List<String> missingScopes() {
    return list("missing_scopes");
  }

  /** The time of receipt. Present if known. */
  public Optional<Instant> cachedOn() {
    return find("cached_on", Long.class).map(Instant::ofEpochSecond);
  }

  /** The time of expiry. Present if known. */
  public Optional<Instant> expiresOn() {
    return find("expires_on", Long.class).map(Instant::ofEpochSecond);
  }

  /** The time of the recommended refresh. Present if known. */
  public Optional<Instant> refreshOn() {
    return find("refresh_on", Long.class).map(Instant::ofEpochSecond);
  }
}
