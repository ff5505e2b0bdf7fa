// SPDX-License-Identifier: MIT
// Generated from docs/documents.toml and docs/errors.toml by scripts/check-documents --write.
package tessera;

import java.util.Map;
import java.util.OptionalLong;

/** The document "KeychainItem". */
public final class KeychainItem extends Document {
  KeychainItem(Map<String, Object> members) {
    super(members);
  }

  /** Parses a JSON object, such as one that a test has written. */
  public static KeychainItem fromJson(String text) {
    return new KeychainItem(Json.parse(text));
  }

  /** The attribute <code>kSecAttrAccount</code>. */
  public String account() {
    return find("account", String.class).orElse("");
  }

  /** The attribute <code>kSecAttrService</code>. */
  public String service() {
    return find("service", String.class).orElse("");
  }

  /** The attribute <code>kSecAttrGeneric</code>, in Base64. */
  public String generic() {
    return find("generic", String.class).orElse("");
  }

  /** The attribute <code>kSecAttrType</code>. Present if there is one. */
  public OptionalLong type() {
    return findNumber("type");
  }

  /** The data of the item, in Base64. */
  public String value() {
    return find("value", String.class).orElse("");
  }
}
