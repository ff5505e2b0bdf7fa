// SPDX-License-Identifier: MIT
/** @file tessera_azure.hpp A credential for the clients of the Azure SDK for C++. */
#ifndef TESSERA_AZURE_HPP
#define TESSERA_AZURE_HPP

#include <azure/core/context.hpp>
#include <azure/core/credentials/credentials.hpp>
#include <tessera.hpp>

namespace tessera {

/**
 * A credential with the tokens of an account, for the clients of the Azure SDK for C++.
 *
 * It never signs in: if that is necessary, GetToken throws AuthenticationException, and the application calls
 * acquire_token_interactive(). The application object must outlive the credential.
 */
class azure_credential final : public Azure::Core::Credentials::TokenCredential {
 public:
  /**
   * Creates a credential. `account` has the members of a silent request that select the account. Clients that request
   * the token of another tenant get it from the cloud of its `authority`; by default, from the public cloud.
   */
  explicit azure_credential(const application &application, silent_request account = {})
      : TokenCredential("TesseraCredential"), application_(application), account_(std::move(account)) {}

  /** Returns a cached or refreshed token. Throws OperationCancelledException if the context is cancelled. */
  Azure::Core::Credentials::AccessToken GetToken(
      const Azure::Core::Credentials::TokenRequestContext &request,
      const Azure::Core::Context &context) const override {
    using Azure::Core::Credentials::AuthenticationException;
    silent_request silent = account_;
    silent.scopes = request.Scopes;
    if (!request.TenantId.empty()) silent.authority = authority_host() + request.TenantId;
    context.ThrowIfCancelled();
    result<token_result> token = acquired(silent, context);
    if (!token) context.ThrowIfCancelled();
    if (!token) throw AuthenticationException(std::string(token.error().what()) + " (" + token.error().code() + ")");
    if (token.status() != status::ok) throw AuthenticationException(declined(*token));
    return {token->access_token(), std::chrono::system_clock::time_point(token->expires_on())};
  }

 private:
  /** Returns the message for a token that does not cover all requested scopes. */
  static std::string declined(const token_result &token) {
    std::string names;
    for (const std::string &each : token.declined_scopes()) names += (names.empty() ? "" : " ") + each;
    return "The server granted fewer scopes than requested; it declined: " + names +
           ". Sign in and consent. (server_declined_scopes)";
  }

  /** Returns the address of the authority, up to the tenant. */
  std::string authority_host() const {
    std::string given = account_.authority.value_or("https://login.microsoftonline.com/");
    return given.substr(0, given.find('/', std::string_view("https://").size())) + "/";
  }

  /** Waits for a token. The context has no notification, so it is polled. */
  result<token_result> acquired(const silent_request &request, const Azure::Core::Context &context) const {
    std::optional<result<token_result>> received;
    auto group = call_group::create();
    if (!group) return group.error();
    call_group calls = std::move(group).value();
    auto call = calls.acquire_token_silent(
        application_, request, [&received](result<token_result> token) { received.emplace(std::move(token)); });
    if (!call) return call.error();
    while (!received) {
      if (!calls.dispatch(std::chrono::milliseconds(50)) && context.IsCancelled()) calls.cancel();
    }
    return *std::move(received);
  }

  const application &application_;
  silent_request account_;
};

}  // namespace tessera

#endif  // TESSERA_AZURE_HPP
