// SPDX-License-Identifier: MIT
// Generated from docs/documents.toml and docs/errors.toml by scripts/check-documents --write.
package tessera;

import java.util.List;
import java.util.Map;

/** The document "LibraryFeatures". */
public final class LibraryFeatures extends Document {
  LibraryFeatures(Map<String, Object> members) {
    super(members);
  }

  /** Parses a JSON object, such as one that a test has written. */
  public static LibraryFeatures fromJson(String text) {
    return new LibraryFeatures(Json.parse(text));
  }

  /**
   * The features that the build of the library contains. Each is <code>apple</code>, <code>broker</code>,
   * <code>legacy</code>, <code>msal_file</code> or <code>services</code>.
   */
  public List<String> features() {
    return list("features");
  }
}
