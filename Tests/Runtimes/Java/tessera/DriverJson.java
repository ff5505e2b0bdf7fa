// SPDX-License-Identifier: MIT
package tessera;

import java.util.Map;

/** The JSON of the binding, for the driver. */
public final class DriverJson {
  private DriverJson() {}

  /** Parses an object. */
  public static Map<String, Object> parse(String text) {
    return Json.parse(text);
  }

  /** Writes an object. */
  public static String write(Map<String, ?> members) {
    StringBuilder out = new StringBuilder();
    Json.write(out, members);
    return out.toString();
  }
}
