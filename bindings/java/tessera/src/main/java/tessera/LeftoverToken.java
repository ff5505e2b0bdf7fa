// SPDX-License-Identifier: MIT
// Generated from docs/documents.toml and docs/errors.toml by scripts/check-documents --write.
package tessera;

import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/** The document "LeftoverToken". */
public final class LeftoverToken extends Document {
  LeftoverToken(Map<String, Object> members) {
    super(members);
  }

  /** Parses a JSON object, such as one that a test has written. */
  public static LeftoverToken fromJson(String text) {
    return new LeftoverToken(Json.parse(text));
  }

  /**
   * The type of the token or session. The value is <code>other_application</code>,
   * <code>family_refresh_token</code>, <code>handed_out_access_tokens</code>,
   * <code>unrevoked_refresh_tokens</code>, <code>browser_session</code>, <code>set_aside_store</code> or
   * <code>other_group</code>.
   */
  public String kind() {
    return find("kind", String.class).orElse("");
  }

  /** The application that owns it. Present if it has one. */
  public Optional<String> clientId() {
    return find("client_id", String.class);
  }

  /** The time at which the last one expires. Present for access tokens. */
  public Optional<Instant> expiresOn() {
    return find("expires_on", Long.class).map(Instant::ofEpochSecond);
  }

  /** The file. Present for a store. */
  public Optional<String> path() {
    return find("path", String.class);
  }
}
