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
    return number("accounts");
  }

  /** The number of access tokens. */
  public long accessTokens() {
    return number("access_tokens");
  }

  /** The number of refresh tokens. */
  public long refreshTokens() {
    return number("refresh_tokens");
  }

  /** The number of ID tokens. */
  public long idTokens() {
    return number("id_tokens");
  }
}
