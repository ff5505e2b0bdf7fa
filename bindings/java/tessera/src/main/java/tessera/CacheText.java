// SPDX-License-Identifier: MIT
// Generated from docs/documents.toml and docs/errors.toml by scripts/check-documents --write.
package tessera;

import java.util.Map;

/** The document "CacheText". */
public final class CacheText extends Document {
  CacheText(Map<String, Object> members) {
    super(members);
  }

  /** Parses a JSON object, such as one that a test has written. */
  public static CacheText fromJson(String text) {
    return new CacheText(Json.parse(text));
  }

  /** The store as the JSON document of MSAL libraries. */
  public String cache() {
    return find("cache", String.class).orElse("");
  }
}
