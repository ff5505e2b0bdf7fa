// SPDX-License-Identifier: MIT
// Generated from docs/documents.toml and docs/errors.toml by scripts/check-documents --write.
package tessera;

import java.util.Set;

/** The names of the members that are not printed. */
final class SecretMembers {
  static final Set<String> NAMES =
      Set.of(
          "access_token", "after", "assertion", "before", "body", "cache", "content", "data", "end_session_url",
          "form", "id_token", "key", "key_pem", "new_store_key", "passphrase", "secret", "signed_http_request",
          "state", "url", "value");

  private SecretMembers() {}
}
