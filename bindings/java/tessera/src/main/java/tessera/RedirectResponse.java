// SPDX-License-Identifier: MIT
// Generated from docs/documents.toml and docs/errors.toml by scripts/check-documents --write.
package tessera;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/** The response of a provider at the redirect URI. */
public final class RedirectResponse extends Document {
  RedirectResponse(Map<String, Object> members) {
    super(members);
  }

  /** Returns a builder with the required members. */
  public static Builder builder(String state) {
    return new Builder(Map.of()).state(state);
  }

  /** Returns a builder with the members of this object. */
  public Builder toBuilder() {
    return new Builder(members());
  }

  /** The <code>state</code> of the SignInSession. */
  public String state() {
    return find("state", String.class).orElse("");
  }

  /** The complete URL that was opened at the redirect URI. */
  public Optional<String> url() {
    return find("url", String.class);
  }

  /** Instead of <code>url</code>: the body that was posted to the redirect URI. */
  public Optional<String> form() {
    return find("form", String.class);
  }

  /** The application that opened the redirect URI (default: unknown). */
  public Optional<String> sourceApplication() {
    return find("source_application", String.class);
  }

  /** The deadline of the call. */
  public Optional<Duration> timeout() {
    return find("timeout_milliseconds", Long.class).map(Duration::ofMillis);
  }

  /** Builds an object of type RedirectResponse. A member that is set to null is left out. */
  public static final class Builder extends DocumentBuilder {
    private Builder(Map<String, Object> members) {
      super(members);
    }

    /** The <code>state</code> of the SignInSession. */
    public Builder state(String value) {
      put("state", value);
      return this;
    }

    /** The complete URL that was opened at the redirect URI. */
    public Builder url(String value) {
      put("url", value);
      return this;
    }

    /** Instead of <code>url</code>: the body that was posted to the redirect URI. */
    public Builder form(String value) {
      put("form", value);
      return this;
    }

    /** The application that opened the redirect URI (default: unknown). */
    public Builder sourceApplication(String value) {
      put("source_application", value);
      return this;
    }

    /** The deadline of the call. */
    public Builder timeout(Duration value) {
      put("timeout_milliseconds", value == null ? null : value.toMillis());
      return this;
    }

    /** Returns the object. */
    public RedirectResponse build() {
      return new RedirectResponse(copy());
    }
  }
}
