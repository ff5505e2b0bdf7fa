// SPDX-License-Identifier: MIT
// Generated from docs/documents.toml and docs/errors.toml by scripts/check-documents --write.
package tessera;

import java.util.Map;

/** The document "RemovedRecords". */
public final class RemovedRecords extends Document {
  RemovedRecords(Map<String, Object> members) {
    super(members);
  }

  /** Parses a JSON object, such as one that a test has written. */
  public static RemovedRecords fromJson(String text) {
    return new RemovedRecords(Json.parse(text));
  }

  /** The number of accounts, one for each tenant. */
  public long accounts() {
    return findNumber("accounts").orElse(0);
  }

  /** The number of access tokens. */
  public long accessTokens() {
    return findNumber("access_tokens").orElse(0);
  }

  /** The number of refresh tokens. */
  public long refreshTokens() {
    return findNumber("refresh_tokens").orElse(0);
  }

  /** The number of ID tokens. */
  public long idTokens() {
    return findNumber("id_tokens").orElse(0);
  }
}
