// SPDX-License-Identifier: MIT
// Generated from docs/documents.toml and docs/errors.toml by scripts/check-documents --write.
package tessera;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The options for Microsoft Authenticator. */
public final class AuthenticatorOptions extends Document {
  AuthenticatorOptions(Map<String, Object> members) {
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

  /**
   * <code>LSApplicationQueriesSchemes</code> of Info.plist, to be checked: a missing scheme causes
   * <code>redirect_scheme_not_registered</code>.
   */
  public List<String> querySchemes() {
    return list("query_schemes");
  }

  /** The display name of your application. */
  public Optional<String> clientAppName() {
    return find("client_app_name", String.class);
  }

  /** The version of your application. */
  public Optional<String> clientAppVersion() {
    return find("client_app_version", String.class);
  }

  /** The broker features that the application supports, such as <code>sso_extension</code>. */
  public List<String> sdkCapabilities() {
    return list("sdk_capabilities");
  }

  /** The enrollments in Intune, if different from the configuration; see brokers.md. */
  public Map<String, Object> intuneEnrollmentIds() {
    return map("intune_enrollment_ids");
  }

  /** The resource of Intune, if different from the configuration. */
  public Map<String, String> intuneMamResource() {
    return map("intune_mam_resource");
  }

  /** The client ID of the application in which this one is embedded. */
  public Optional<String> brkClientId() {
    return find("brk_client_id", String.class);
  }

  /** The redirect URI of that application, to which the response is sent. */
  public Optional<String> brkRedirectUri() {
    return find("brk_redirect_uri", String.class);
  }

  /** The name of the library, for Microsoft's statistics. */
  public Optional<String> clientSku() {
    return find("client_sku", String.class);
  }

  /** The libraries that were used before this one, for Microsoft's statistics. */
  public Optional<String> platformSequence() {
    return find("platform_sequence", String.class);
  }

  /** The state of the onboarding of the user's device. */
  public Optional<String> onboardingBlob() {
    return find("onboarding_blob", String.class);
  }

  /** Whether the application supports the new onboarding of a device. */
  public boolean newMobileOnboardingFlow() {
    return find("new_mobile_onboarding_flow", Boolean.class).orElse(false);
  }

  /** Whether to request device-bound refresh tokens. */
  public boolean boundRefreshTokens() {
    return find("bound_refresh_tokens", Boolean.class).orElse(false);
  }

  /** A credential of another provider for the user. */
  public Optional<String> userFederatedIdentityCredential() {
    return find("user_federated_identity_credential", String.class);
  }

  /** Builds an object of type AuthenticatorOptions. A member that is set to null is left out. */
  public static final class Builder extends DocumentBuilder {
    private Builder(Map<String, Object> members) {
      super(members);
    }

    /**
     * <code>LSApplicationQueriesSchemes</code> of Info.plist, to be checked: a missing scheme causes
     * <code>redirect_scheme_not_registered</code>.
     */
    public Builder querySchemes(List<String> value) {
      put("query_schemes", value);
      return this;
    }

    /**
     * <code>LSApplicationQueriesSchemes</code> of Info.plist, to be checked: a missing scheme causes
     * <code>redirect_scheme_not_registered</code>.
     */
    public Builder querySchemes(String... values) {
      return querySchemes(List.of(values));
    }

    /** The display name of your application. */
    public Builder clientAppName(String value) {
      put("client_app_name", value);
      return this;
    }

    /** The version of your application. */
    public Builder clientAppVersion(String value) {
      put("client_app_version", value);
      return this;
    }

    /** The broker features that the application supports, such as <code>sso_extension</code>. */
    public Builder sdkCapabilities(List<String> value) {
      put("sdk_capabilities", value);
      return this;
    }

    /** The broker features that the application supports, such as <code>sso_extension</code>. */
    public Builder sdkCapabilities(String... values) {
      return sdkCapabilities(List.of(values));
    }

    /** The enrollments in Intune, if different from the configuration; see brokers.md. */
    public Builder intuneEnrollmentIds(Map<String, Object> value) {
      put("intune_enrollment_ids", value);
      return this;
    }

    /** The resource of Intune, if different from the configuration. */
    public Builder intuneMamResource(Map<String, String> value) {
      put("intune_mam_resource", value);
      return this;
    }

    /** The client ID of the application in which this one is embedded. */
    public Builder brkClientId(String value) {
      put("brk_client_id", value);
      return this;
    }

    /** The redirect URI of that application, to which the response is sent. */
    public Builder brkRedirectUri(String value) {
      put("brk_redirect_uri", value);
      return this;
    }

    /** The name of the library, for Microsoft's statistics. */
    public Builder clientSku(String value) {
      put("client_sku", value);
      return this;
    }

    /** The libraries that were used before this one, for Microsoft's statistics. */
    public Builder platformSequence(String value) {
      put("platform_sequence", value);
      return this;
    }

    /** The state of the onboarding of the user's device. */
    public Builder onboardingBlob(String value) {
      put("onboarding_blob", value);
      return this;
    }

    /** Whether the application supports the new onboarding of a device. */
    public Builder newMobileOnboardingFlow(boolean value) {
      put("new_mobile_onboarding_flow", value);
      return this;
    }

    /** Whether to request device-bound refresh tokens. */
    public Builder boundRefreshTokens(boolean value) {
      put("bound_refresh_tokens", value);
      return this;
    }

    /** A credential of another provider for the user. */
    public Builder userFederatedIdentityCredential(String value) {
      put("user_federated_identity_credential", value);
      return this;
    }

    /** Returns the object. */
    public AuthenticatorOptions build() {
      return new AuthenticatorOptions(copy());
    }
  }
}
