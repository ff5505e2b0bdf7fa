// SPDX-License-Identifier: MIT
/** @file context.hpp The interface of azure-core that tessera_azure.hpp uses, for tests without the Azure SDK. */
#ifndef AZURE_CORE_CONTEXT_HPP
#define AZURE_CORE_CONTEXT_HPP

#include <stdexcept>

namespace Azure {
namespace Core {

class OperationCancelledException : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class Context {
 public:
  bool IsCancelled() const { return cancelled_; }
  void ThrowIfCancelled() const {
    if (cancelled_) throw OperationCancelledException("Request was cancelled by context.");
  }
  void Cancel() { cancelled_ = true; }

 private:
  bool cancelled_ = false;
};

}  // namespace Core
}  // namespace Azure

#endif  // AZURE_CORE_CONTEXT_HPP
