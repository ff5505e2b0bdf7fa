// SPDX-License-Identifier: MIT
// Generated from docs/documents.toml and docs/errors.toml by scripts/check-documents --write.
package tessera;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/** The document "DeviceCodePrompt". */
public final class DeviceCodePrompt extends Document {
  DeviceCodePrompt(Map<String, Object> members) {
    super(members);
  }

  /** Parses a JSON object, such as one that a test has written. */
  public static DeviceCodePrompt fromJson(String text) {
    return new DeviceCodePrompt(Json.parse(text));
  }

  /** The code to enter. */
  public String userCode() {
    return find("user_code", String.class).orElse("");
  }

  /** The URL of the page on which to enter it. */
  public String verificationUri() {
    return find("verification_uri", String.class).orElse("");
  }

  /** The same URL including the code, for a QR code. Present if the server sent it. */
  public Optional<String> verificationUriComplete() {
    return find("verification_uri_complete", String.class);
  }

  /** A sentence with the code and the URL; the server's own if it sent one. */
  public String message() {
    return find("message", String.class).orElse("");
  }

  /** The time at which the code expires. */
  public Instant expiresOn() {
    return find("expires_on", Long.class).map(Instant::ofEpochSecond).orElse(Instant.EPOCH);
  }

  /** The polling interval. */
  public Optional<Duration> interval() {
    return find("interval_seconds", Long.class).map(Duration::ofSeconds);
  }
}
