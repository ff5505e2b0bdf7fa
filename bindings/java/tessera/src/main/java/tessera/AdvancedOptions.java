// SPDX-License-Identifier: MIT
// Generated from docs/documents.toml and docs/errors.toml by scripts/check-documents --write.
package tessera;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Options that few applications need. */
public final class AdvancedOptions extends Document {
  AdvancedOptions(Map<String, Object> members) {
    super(members);
  }

  /** Returns a builder. */
  public static Builder builder() {
    return new Builder(Map.of());
  }

  /** Returns a builder with the members of this object. */
  public Builder toBuilder() {
    return new Builder(members());
  }

  /** The query parameter <code>slice</code>, which selects a slice of the service, for tests of the service. */
  public Optional<String> slice() {
    return find("slice", String.class);
  }

  /** The query parameter <code>dc</code>, which selects a data center, for tests of the service. */
  public Optional<String> dc() {
    return find("dc", String.class);
  }

  /**
   * Whether token requests report earlier calls to Entra, as other MSAL libraries do; see telemetry (default:
   * <code>false</code>).
   */
  public boolean serverTelemetry() {
    return find("server_telemetry", Boolean.class).orElse(false);
  }

  /**
   * Parameters to add to the body of every token request. Parameters that the library sends are rejected, and so
   * is <code>client_secret</code>, because public clients have none. A parameter with a blank value is sent as its
   * name only.
   */
  public Map<String, String> extraTokenParameters() {
    return map("extra_token_parameters");
  }

  /**
   * Parameters to add to the query of the authorization, device authorization and token endpoints. They replace
   * parameters that the endpoint's URL already has.
   */
  public Map<String, String> extraQueryParameters() {
    return map("extra_query_parameters");
  }

  /**
   * The URI schemes that are registered for the application. A redirect URI with another scheme is rejected,
   * without a query to the desktop (default: unknown).
   */
  public List<String> registeredSchemes() {
    return list("registered_schemes");
  }

  /** Builds an object of type AdvancedOptions. A member that is set to null is left out. */
  public static final class Builder extends DocumentBuilder {
    private Builder(Map<String, Object> members) {
      super(members);
    }

    /** The query parameter <code>slice</code>, which selects a slice of the service, for tests of the service. */
    public Builder slice(String value) {
      put("slice", value);
      return this;
    }

    /** The query parameter <code>dc</code>, which selects a data center, for tests of the service. */
    public Builder dc(String value) {
      put("dc", value);
      return this;
    }

    /**
     * Whether token requests report earlier calls to Entra, as other MSAL libraries do; see telemetry (default:
     * <code>false</code>).
     */
    public Builder serverTelemetry(boolean value) {
      put("server_telemetry", value);
      return this;
    }

    /**
     * Parameters to add to the body of every token request. Parameters that the library sends are rejected, and so
     * is <code>client_secret</code>, because public clients have none. A parameter with a blank value is sent as
     * its name only.
     */
    public Builder extraTokenParameters(Map<String, String> value) {
      put("extra_token_parameters", value);
      return this;
    }

    /**
     * Parameters to add to the query of the authorization, device authorization and token endpoints. They replace
     * parameters that the endpoint's URL already has.
     */
    public Builder extraQueryParameters(Map<String, String> value) {
      put("extra_query_parameters", value);
      return this;
    }

    /**
     * The URI schemes that are registered for the application. A redirect URI with another scheme is rejected,
     * without a query to the desktop (default: unknown).
     */
    public Builder registeredSchemes(List<String> value) {
      put("registered_schemes", value);
      return this;
    }

    /**
     * The URI schemes that are registered for the application. A redirect URI with another scheme is rejected,
     * without a query to the desktop (default: unknown).
     */
    public Builder registeredSchemes(String... values) {
      return registeredSchemes(List.of(values));
    }

    /** Returns the object. */
    public AdvancedOptions build() {
      return new AdvancedOptions(copy());
    }
  }
}
