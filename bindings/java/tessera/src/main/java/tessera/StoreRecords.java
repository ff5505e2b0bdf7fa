// SPDX-License-Identifier: MIT
// Generated from docs/documents.toml and docs/errors.toml by scripts/check-documents --write.
package tessera;

import java.util.Map;

/** The document "StoreRecords". */
public final class StoreRecords extends Document {
  StoreRecords(Map<String, Object> members) {
    super(members);
  }

  /** Parses a JSON object, such as one that a test has written. */
  public static StoreRecords fromJson(String text) {
    return new StoreRecords(Json.parse(text));
  }

  /** The number of accounts. */
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

  /** The number of other records. */
  public long others() {
    return number("others");
  }

  /** The number of damaged records. */
  public long damaged() {
    return number("damaged");
  }
}
