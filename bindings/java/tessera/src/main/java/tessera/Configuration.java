// SPDX-License-Identifier: MIT
// Generated from docs/documents.toml and docs/errors.toml by scripts/check-documents --write.
package tessera;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/** The configuration of an application. */
public final class Configuration extends Document {
  Configuration(Map<String, Object> members) {
    super(members);
  }

  /** Returns a builder with the required members. */
  public static Builder builder(String clientId) {
    return new Builder(Map.of()).clientId(clientId);
  }

  /** Returns a builder with the members of this object. */
  public Builder toBuilder() {
    return new Builder(members());
  }

  /** The client ID that the provider assigned to the application. */
  public String clientId() {
    return find("client_id", String.class).orElse("");
  }

  /**
   * The redirect URI for sign-ins in a browser, as registered with the provider; see interactive.md (default:
   * <code>msauth.[bundle_id]://auth</code>; without <code>bundle_id</code>, <code>http://localhost</code>).
   */
  public Optional<String> redirectUri() {
    return find("redirect_uri", String.class);
  }

  /**
   * The identifier of the application, such as <code>com.example.mail</code>. The default redirect URI is derived
   * from it.
   */
  public Optional<String> bundleId() {
    return find("bundle_id", String.class);
  }

  /**
   * The default authority: the URL of a tenant, or an issuer exactly as its discovery document states it. It must
   * use https; http is accepted for this machine only (default:
   * <code>https://login.microsoftonline.com/common</code>).
   */
  public Optional<String> authority() {
    return find("authority", String.class);
  }

  /**
   * Instead of <code>authority</code>: the cloud of an Entra authority. The value is <code>public</code>,
   * <code>china</code>, <code>germany</code>, <code>us_government</code>, <code>france</code>, <code>delos</code>
   * or <code>gov_sg</code> (default: <code>public</code>).
   */
  public Optional<String> cloud() {
    return find("cloud", String.class);
  }

  /**
   * Instead of <code>authority</code>: the supported account types, as in the registration. The value is
   * <code>AzureADandPersonalMicrosoftAccount</code>, <code>AzureADMultipleOrgs</code>, <code>AzureADMyOrg</code>
   * or <code>PersonalMicrosoftAccount</code> (default: <code>AzureADMyOrg</code> with a <code>tenant</code>,
   * otherwise <code>AzureADandPersonalMicrosoftAccount</code>).
   */
  public Optional<String> audience() {
    return find("audience", String.class);
  }

  /**
   * Instead of <code>authority</code>, only for <code>AzureADMyOrg</code>: the tenant ID or a domain of the
   * tenant.
   */
  public Optional<String> tenant() {
    return find("tenant", String.class);
  }

  /**
   * The kind of the authority: an Entra tenant, a B2C policy, an external tenant, ADFS, or any other OpenID
   * Connect provider. The value is <code>entra</code>, <code>b2c</code>, <code>ciam</code>, <code>adfs</code> or
   * <code>openid</code> (default: derived from the URL, see authorities.md).
   */
  public Optional<String> authorityType() {
    return find("authority_type", String.class);
  }

  /**
   * Entra only: allows sign-ins of users from other Microsoft clouds, each in their own cloud; see authorities.md
   * (default: <code>false</code>).
   */
  public boolean multipleClouds() {
    return find("multiple_clouds", Boolean.class).orElse(false);
  }

  /**
   * Authorities that the application trusts, so that no instance discovery is needed for their hosts. Other
   * applications with the same store are not affected. The authority of a request on such a host has the same
   * kind, unless its URL indicates another one.
   */
  public List<String> knownAuthorities() {
    return list("known_authorities");
  }

  /**
   * The client capabilities to announce, such as <code>CP1</code>: the application handles claims challenges.
   * Tokens with different capabilities are cached separately, even for the same <code>client_id</code>.
   */
  public List<String> clientCapabilities() {
    return list("client_capabilities");
  }

  /** The credential of a confidential client; see services.md (default: none: a public client). */
  public Optional<ClientCredential> credential() {
    return findDocument("credential", ClientCredential::new);
  }

  /**
   * The method of client authentication; only with <code>credential</code>. The value is
   * <code>client_secret_post</code>, <code>client_secret_basic</code> or <code>private_key_jwt</code> (default:
   * with a secret, <code>client_secret_post</code> at Microsoft's authorities; elsewhere
   * <code>client_secret_basic</code>, unless the discovery document lists only <code>client_secret_post</code>).
   */
  public Optional<String> authenticationMethod() {
    return find("authentication_method", String.class);
  }

  /**
   * The audience of the assertions that the application signs. The value is <code>token_endpoint</code> or
   * <code>issuer</code> (default: <code>token_endpoint</code> at Microsoft's authorities, <code>issuer</code>
   * elsewhere).
   */
  public Optional<String> assertionAudience() {
    return find("assertion_audience", String.class);
  }

  /**
   * Whether the identity broker of this machine is used for tokens and sign-ins. <code>require</code> rejects
   * device codes and pages that the application shows; see brokers.md. The value is <code>never</code>,
   * <code>prefer</code> or <code>require</code> (default: <code>never</code>).
   */
  public Optional<String> broker() {
    return find("broker", String.class);
  }

  /**
   * The most detailed level that <code>host-&#62;log</code> receives: 1 error, 2 warning, 3 information, 4 detail
   * (default: 3).
   */
  public OptionalLong logLevel() {
    return findNumber("log_level");
  }

  /**
   * Whether log messages may contain personal data. Otherwise user names are masked
   * (<code>auth.placeholder-1a2b3c4d__contoso.com</code>; the domain remains), paths are reduced to their last
   * component, that of a <code>store.msal_cache</code> to a hash, and errors to their code (default:
   * <code>false</code>).
   */
  public boolean logPii() {
    return find("log_pii", Boolean.class).orElse(false);
  }

  /** The token store. */
  public Optional<StoreOptions> store() {
    return findDocument("store", StoreOptions::new);
  }

  /** Proxies, certificates and timeouts. */
  public Optional<NetworkOptions> network() {
    return findDocument("network", NetworkOptions::new);
  }

  /** The use and the refresh of tokens. */
  public Optional<TokenOptions> tokens() {
    return findDocument("tokens", TokenOptions::new);
  }

  /** The state of Intune app protection, as the Intune SDK provides it; see brokers.md. */
  public Optional<IntuneOptions> intune() {
    return findDocument("intune", IntuneOptions::new);
  }

  /** Texts for users that replace those of the library, by code. */
  public Optional<UserMessages> userMessages() {
    return findDocument("user_messages", UserMessages::new);
  }

  /** Options that few applications need. */
  public Optional<AdvancedOptions> advanced() {
    return findDocument("advanced", AdvancedOptions::new);
  }

  /** Builds an object of type Configuration. A member that is set to null is left out. */
  public static final class Builder extends DocumentBuilder {
    private Builder(Map<String, Object> members) {
      super(members);
    }

    /** The client ID that the provider assigned to the application. */
    public Builder clientId(String value) {
      put("client_id", value);
      return this;
    }

    /**
     * The redirect URI for sign-ins in a browser, as registered with the provider; see interactive.md (default:
     * <code>msauth.[bundle_id]://auth</code>; without <code>bundle_id</code>, <code>http://localhost</code>).
     */
    public Builder redirectUri(String value) {
      put("redirect_uri", value);
      return this;
    }

    /**
     * The identifier of the application, such as <code>com.example.mail</code>. The default redirect URI is
     * derived from it.
     */
    public Builder bundleId(String value) {
      put("bundle_id", value);
      return this;
    }

    /**
     * The default authority: the URL of a tenant, or an issuer exactly as its discovery document states it. It
     * must use https; http is accepted for this machine only (default:
     * <code>https://login.microsoftonline.com/common</code>).
     */
    public Builder authority(String value) {
      put("authority", value);
      return this;
    }

    /**
     * Instead of <code>authority</code>: the cloud of an Entra authority. The value is <code>public</code>,
     * <code>china</code>, <code>germany</code>, <code>us_government</code>, <code>france</code>,
     * <code>delos</code> or <code>gov_sg</code> (default: <code>public</code>).
     */
    public Builder cloud(String value) {
      put("cloud", value);
      return this;
    }

    /**
     * Instead of <code>authority</code>: the supported account types, as in the registration. The value is
     * <code>AzureADandPersonalMicrosoftAccount</code>, <code>AzureADMultipleOrgs</code>, <code>AzureADMyOrg</code>
     * or <code>PersonalMicrosoftAccount</code> (default: <code>AzureADMyOrg</code> with a <code>tenant</code>,
     * otherwise <code>AzureADandPersonalMicrosoftAccount</code>).
     */
    public Builder audience(String value) {
      put("audience", value);
      return this;
    }

    /**
     * Instead of <code>authority</code>, only for <code>AzureADMyOrg</code>: the tenant ID or a domain of the
     * tenant.
     */
    public Builder tenant(String value) {
      put("tenant", value);
      return this;
    }

    /**
     * The kind of the authority: an Entra tenant, a B2C policy, an external tenant, ADFS, or any other OpenID
     * Connect provider. The value is <code>entra</code>, <code>b2c</code>, <code>ciam</code>, <code>adfs</code> or
     * <code>openid</code> (default: derived from the URL, see authorities.md).
     */
    public Builder authorityType(String value) {
      put("authority_type", value);
      return this;
    }

    /**
     * Entra only: allows sign-ins of users from other Microsoft clouds, each in their own cloud; see
     * authorities.md (default: <code>false</code>).
     */
    public Builder multipleClouds(boolean value) {
      put("multiple_clouds", value);
      return this;
    }

    /**
     * Authorities that the application trusts, so that no instance discovery is needed for their hosts. Other
     * applications with the same store are not affected. The authority of a request on such a host has the same
     * kind, unless its URL indicates another one.
     */
    public Builder knownAuthorities(List<String> value) {
      put("known_authorities", value);
      return this;
    }

    /**
     * Authorities that the application trusts, so that no instance discovery is needed for their hosts. Other
     * applications with the same store are not affected. The authority of a request on such a host has the same
     * kind, unless its URL indicates another one.
     */
    public Builder knownAuthorities(String... values) {
      return knownAuthorities(List.of(values));
    }

    /**
     * The client capabilities to announce, such as <code>CP1</code>: the application handles claims challenges.
     * Tokens with different capabilities are cached separately, even for the same <code>client_id</code>.
     */
    public Builder clientCapabilities(List<String> value) {
      put("client_capabilities", value);
      return this;
    }

    /**
     * The client capabilities to announce, such as <code>CP1</code>: the application handles claims challenges.
     * Tokens with different capabilities are cached separately, even for the same <code>client_id</code>.
     */
    public Builder clientCapabilities(String... values) {
      return clientCapabilities(List.of(values));
    }

    /** The credential of a confidential client; see services.md (default: none: a public client). */
    public Builder credential(ClientCredential value) {
      put("credential", value);
      return this;
    }

    /**
     * The method of client authentication; only with <code>credential</code>. The value is
     * <code>client_secret_post</code>, <code>client_secret_basic</code> or <code>private_key_jwt</code> (default:
     * with a secret, <code>client_secret_post</code> at Microsoft's authorities; elsewhere
     * <code>client_secret_basic</code>, unless the discovery document lists only <code>client_secret_post</code>).
     */
    public Builder authenticationMethod(String value) {
      put("authentication_method", value);
      return this;
    }

    /**
     * The audience of the assertions that the application signs. The value is <code>token_endpoint</code> or
     * <code>issuer</code> (default: <code>token_endpoint</code> at Microsoft's authorities, <code>issuer</code>
     * elsewhere).
     */
    public Builder assertionAudience(String value) {
      put("assertion_audience", value);
      return this;
    }

    /**
     * Whether the identity broker of this machine is used for tokens and sign-ins. <code>require</code> rejects
     * device codes and pages that the application shows; see brokers.md. The value is <code>never</code>,
     * <code>prefer</code> or <code>require</code> (default: <code>never</code>).
     */
    public Builder broker(String value) {
      put("broker", value);
      return this;
    }

    /**
     * The most detailed level that <code>host-&#62;log</code> receives: 1 error, 2 warning, 3 information, 4
     * detail (default: 3).
     */
    public Builder logLevel(long value) {
      put("log_level", value);
      return this;
    }

    /**
     * Whether log messages may contain personal data. Otherwise user names are masked
     * (<code>auth.placeholder-1a2b3c4d__contoso.com</code>; the domain remains), paths are reduced to their last
     * component, that of a <code>store.msal_cache</code> to a hash, and errors to their code (default:
     * <code>false</code>).
     */
    public Builder logPii(boolean value) {
      put("log_pii", value);
      return this;
    }

    /** The token store. */
    public Builder store(StoreOptions value) {
      put("store", value);
      return this;
    }

    /** Proxies, certificates and timeouts. */
    public Builder network(NetworkOptions value) {
      put("network", value);
      return this;
    }

    /** The use and the refresh of tokens. */
    public Builder tokens(TokenOptions value) {
      put("tokens", value);
      return this;
    }

    /** The state of Intune app protection, as the Intune SDK provides it; see brokers.md. */
    public Builder intune(IntuneOptions value) {
      put("intune", value);
      return this;
    }

    /** Texts for users that replace those of the library, by code. */
    public Builder userMessages(UserMessages value) {
      put("user_messages", value);
      return this;
    }

    /** Options that few applications need. */
    public Builder advanced(AdvancedOptions value) {
      put("advanced", value);
      return this;
    }

    /** Returns the object. */
    public Configuration build() {
      return new Configuration(copy());
    }
  }
}
