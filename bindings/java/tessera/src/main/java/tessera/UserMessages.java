// SPDX-License-Identifier: MIT
// Generated from docs/documents.toml and docs/errors.toml by scripts/check-documents --write.
package tessera;

import java.util.Map;
import java.util.Optional;

/** The texts that the library shows to users. */
public final class UserMessages extends Document {
  UserMessages(Map<String, Object> members) {
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

  /** The language of the pages: a language tag (BCP 47), such as <code>de-AT</code> (default: en). */
  public Optional<String> pageLanguage() {
    return find("page_language", String.class);
  }

  /** The title of the page after a successful sign-in (default: You have signed in). */
  public Optional<String> signedInTitle() {
    return find("signed_in_title", String.class);
  }

  /** The text of that page (default: You can close this page and return to the application.). */
  public Optional<String> signedInText() {
    return find("signed_in_text", String.class);
  }

  /** The title of the page after a failed sign-in (default: Sign-in failed). */
  public Optional<String> signInFailedTitle() {
    return find("sign_in_failed_title", String.class);
  }

  /** The sentence before the error description of the provider (default: The provider reported:). */
  public Optional<String> signInFailedReason() {
    return find("sign_in_failed_reason", String.class);
  }

  /** The sentence after it (default: You can close this page. The application shows what to do next.). */
  public Optional<String> signInFailedText() {
    return find("sign_in_failed_text", String.class);
  }

  /**
   * The title of the page for a response to another sign-in (default: This response does not belong to the pending
   * sign-in).
   */
  public Optional<String> otherSignInTitle() {
    return find("other_sign_in_title", String.class);
  }

  /**
   * The text of that page (default: An application waits here for a sign-in, but this response belongs to a
   * different one. The application continues to wait.).
   */
  public Optional<String> otherSignInText() {
    return find("other_sign_in_text", String.class);
  }

  /** The title of the page at another address than the redirect URI (default: Page not found). */
  public Optional<String> pageNotFoundTitle() {
    return find("page_not_found_title", String.class);
  }

  /** The text of that page (default: An application waits for a sign-in, but at another address.). */
  public Optional<String> pageNotFoundText() {
    return find("page_not_found_text", String.class);
  }

  /** The title of the page for a request that a browser would not send (default: Invalid request). */
  public Optional<String> invalidRequestTitle() {
    return find("invalid_request_title", String.class);
  }

  /** The text of that page (default: Browsers do not send requests of this form.). */
  public Optional<String> invalidRequestText() {
    return find("invalid_request_text", String.class);
  }

  /**
   * The last sentence of these three pages (default: Return to the sign-in page, or start the sign-in again in the
   * application.).
   */
  public Optional<String> returnToSignIn() {
    return find("return_to_sign_in", String.class);
  }

  /**
   * <code>message</code> of a device code prompt. It must contain both placeholders. The default is used only if
   * the server sends no text (default: To sign in, open {verification_uri} and enter the code {user_code}.).
   */
  public Optional<String> deviceCode() {
    return find("device_code", String.class);
  }

  /**
   * <code>problem</code> of a sign-in prompt, after another URL than the redirect was pasted (default: The pasted
   * URL does not belong to this sign-in.).
   */
  public Optional<String> wrongUrlPasted() {
    return find("wrong_url_pasted", String.class);
  }

  /** Builds an object of type UserMessages. A member that is set to null is left out. */
  public static final class Builder extends DocumentBuilder {
    private Builder(Map<String, Object> members) {
      super(members);
    }

    /** The language of the pages: a language tag (BCP 47), such as <code>de-AT</code> (default: en). */
    public Builder pageLanguage(String value) {
      put("page_language", value);
      return this;
    }

    /** The title of the page after a successful sign-in (default: You have signed in). */
    public Builder signedInTitle(String value) {
      put("signed_in_title", value);
      return this;
    }

    /** The text of that page (default: You can close this page and return to the application.). */
    public Builder signedInText(String value) {
      put("signed_in_text", value);
      return this;
    }

    /** The title of the page after a failed sign-in (default: Sign-in failed). */
    public Builder signInFailedTitle(String value) {
      put("sign_in_failed_title", value);
      return this;
    }

    /** The sentence before the error description of the provider (default: The provider reported:). */
    public Builder signInFailedReason(String value) {
      put("sign_in_failed_reason", value);
      return this;
    }

    /** The sentence after it (default: You can close this page. The application shows what to do next.). */
    public Builder signInFailedText(String value) {
      put("sign_in_failed_text", value);
      return this;
    }

    /**
     * The title of the page for a response to another sign-in (default: This response does not belong to the
     * pending sign-in).
     */
    public Builder otherSignInTitle(String value) {
      put("other_sign_in_title", value);
      return this;
    }

    /**
     * The text of that page (default: An application waits here for a sign-in, but this response belongs to a
     * different one. The application continues to wait.).
     */
    public Builder otherSignInText(String value) {
      put("other_sign_in_text", value);
      return this;
    }

    /** The title of the page at another address than the redirect URI (default: Page not found). */
    public Builder pageNotFoundTitle(String value) {
      put("page_not_found_title", value);
      return this;
    }

    /** The text of that page (default: An application waits for a sign-in, but at another address.). */
    public Builder pageNotFoundText(String value) {
      put("page_not_found_text", value);
      return this;
    }

    /** The title of the page for a request that a browser would not send (default: Invalid request). */
    public Builder invalidRequestTitle(String value) {
      put("invalid_request_title", value);
      return this;
    }

    /** The text of that page (default: Browsers do not send requests of this form.). */
    public Builder invalidRequestText(String value) {
      put("invalid_request_text", value);
      return this;
    }

    /**
     * The last sentence of these three pages (default: Return to the sign-in page, or start the sign-in again in
     * the application.).
     */
    public Builder returnToSignIn(String value) {
      put("return_to_sign_in", value);
      return this;
    }

    /**
     * <code>message</code> of a device code prompt. It must contain both placeholders. The default is used only if
     * the server sends no text (default: To sign in, open {verification_uri} and enter the code {user_code}.).
     */
    public Builder deviceCode(String value) {
      put("device_code", value);
      return this;
    }

    /**
     * <code>problem</code> of a sign-in prompt, after another URL than the redirect was pasted (default: The
     * pasted URL does not belong to this sign-in.).
     */
    public Builder wrongUrlPasted(String value) {
      put("wrong_url_pasted", value);
      return this;
    }

    /** Returns the object. */
    public UserMessages build() {
      return new UserMessages(copy());
    }
  }
}
