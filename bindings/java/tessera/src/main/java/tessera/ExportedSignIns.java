// SPDX-License-Identifier: MIT
// Generated from docs/documents.toml and docs/errors.toml by scripts/check-documents --write.
package tessera;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The document "ExportedSignIns". */
public final class ExportedSignIns extends Document {
  ExportedSignIns(Map<String, Object> members) {
    super(members);
  }

  /** Parses a JSON object, such as one that a test has written. */
  public static ExportedSignIns fromJson(String text) {
    return new ExportedSignIns(Json.parse(text));
  }

  /** The <code>format</code> of the request. */
  public String format() {
    return find("format", String.class).orElse("");
  }

  /**
   * The number of exported accounts. <code>adal_macos</code> has only accounts with a user name, because ADAL
   * finds no others.
   */
  public long accountCount() {
    return findNumber("account_count").orElse(0);
  }

  /**
   * The keychain access groups of ADAL and MSAL, for iOS and for macOS. Present for <code>apple_keychain</code>.
   */
  public List<String> accessGroups() {
    return list("access_groups");
  }

  /** The keychain items. **They contain refresh tokens**. Present for <code>apple_keychain</code>. */
  public List<KeychainItem> items() {
    return list("items", KeychainItem::new);
  }

  /**
   * The cache of ADAL for macOS in Base64. **It contains refresh tokens**. Present for <code>adal_macos</code>.
   */
  public Optional<String> data() {
    return find("data", String.class);
  }
}
