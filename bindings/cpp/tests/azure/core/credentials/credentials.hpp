// SPDX-License-Identifier: MIT
/** @file credentials.hpp The interface of azure-core that tessera_azure.hpp uses, for tests without the Azure SDK. */
#ifndef AZURE_CORE_CREDENTIALS_HPP
#define AZURE_CORE_CREDENTIALS_HPP

#include <azure/core/context.hpp>

#include <chrono>
#include <exception>
#include <string>
#include <utility>
#include <vector>

namespace Azure {

class DateTime {
 public:
  DateTime(const std::chrono::system_clock::time_point &time) : time_(time) {}
  explicit operator std::chrono::system_clock::time_point() const { return time_; }

 private:
  std::chrono::system_clock::time_point time_;
};

namespace Core {

namespace Credentials {

struct AccessToken final {
  std::string Token;
  DateTime ExpiresOn;
};

struct TokenRequestContext final {
  std::vector<std::string> Scopes;
  std::chrono::system_clock::duration MinimumExpiration = std::chrono::minutes(2);
  std::string TenantId;
};

class AuthenticationException final : public std::exception {
 public:
  explicit AuthenticationException(std::string what) : what_(std::move(what)) {}
  const char *what() const noexcept override { return what_.c_str(); }

 private:
  std::string what_;
};

class TokenCredential {
 public:
  virtual AccessToken GetToken(const TokenRequestContext &request, const Context &context) const = 0;
  const std::string &GetCredentialName() const { return name_; }
  virtual ~TokenCredential() = default;
  TokenCredential(const TokenCredential &) = delete;
  void operator=(const TokenCredential &) = delete;

 protected:
  explicit TokenCredential(const std::string &name) : name_(name) {}

 private:
  std::string name_;
};

}  // namespace Credentials
}  // namespace Core
}  // namespace Azure

#endif  // AZURE_CORE_CREDENTIALS_HPP
