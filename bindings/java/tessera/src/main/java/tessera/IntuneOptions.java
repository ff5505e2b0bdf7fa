// SPDX-License-Identifier: MIT
// Generated from docs/documents.toml and docs/errors.toml by scripts/check-documents --write.
package tessera;

import java.util.Map;

/** The state of Intune app protection. */
public final class IntuneOptions extends Document {
  IntuneOptions(Map<String, Object> members) {
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
   * The enrollments of users in Intune app protection, as the Intune SDK provides them: <code>{"enrollment_ids":
   * [{…}]}</code>; see brokers.md.
   */
  public Map<String, Object> enrollmentIds() {
    return map("enrollment_ids");
  }

  /**
   * The resource of the Intune service, by cloud host. With it, access tokens are cached per
   * <code>bundle_id</code>, and used only for the enrollment that they were issued for.
   */
  public Map<String, String> mamResource() {
    return map("mam_resource");
  }

  /** Builds an object of type IntuneOptions. A member that is set to null is left out. */
  public static final class Builder extends DocumentBuilder {
    private Builder(Map<String, Object> members) {
      super(members);
    }

    /**
     * The enrollments of users in Intune app protection, as the Intune SDK provides them: <code>{"enrollment_ids":
     * [{…}]}</code>; see brokers.md.
     */
    public Builder enrollmentIds(Map<String, Object> value) {
      put("enrollment_ids", value);
      return this;
    }

    /**
     * The resource of the Intune service, by cloud host. With it, access tokens are cached per
     * <code>bundle_id</code>, and used only for the enrollment that they were issued for.
     */
    public Builder mamResource(Map<String, String> value) {
      put("mam_resource", value);
      return this;
    }

    /** Returns the object. */
    public IntuneOptions build() {
      return new IntuneOptions(copy());
    }
  }
}
