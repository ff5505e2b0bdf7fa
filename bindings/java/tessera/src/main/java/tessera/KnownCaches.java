// SPDX-License-Identifier: MIT
// Generated from docs/documents.toml and docs/errors.toml by scripts/check-documents --write.
package tessera;

import java.util.List;
import java.util.Map;

/** The document "KnownCaches". */
public final class KnownCaches extends Document {
  KnownCaches(Map<String, Object> members) {
    super(members);
  }

  /** Parses a JSON object, such as one that a test has written. */
  public static KnownCaches fromJson(String text) {
    return new KnownCaches(Json.parse(text));
  }

  /** The locations of known caches. */
  public List<FoundCache> caches() {
    return list("caches", FoundCache::new);
  }
}
