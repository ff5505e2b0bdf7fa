// SPDX-License-Identifier: MIT
/** @file at_home.hpp The declarations for the C++ blocks of the pages: an application at the local provider, with Alice. */
#ifndef AT_HOME_HPP
#define AT_HOME_HPP

#include <poll.h>

#include <cstdlib>
#include <iostream>
#include <tessera.hpp>

/** Exits with a failure unless a condition holds. */
inline void check(bool holds, const char *what) {
  if (holds) return;
  std::cerr << "after the block: " << what << "\n";
  std::exit(1);
}

/** Exits with a failure unless a token belongs to Alice. */
inline void check_token(const tessera::token_result &token) {
  check(token.account().username() == "alice@contoso.com", "the token has another account");
}

/** Creates an application at the local provider. */
inline tessera::application at_home() {
  tessera::configuration configuration;
  configuration.client_id = "your-client-id";
  configuration.authority = std::getenv("DOCS_AUTHORITY");
  configuration.authority_type = "entra";
  return tessera::application::create(configuration).value();
}

#endif  // AT_HOME_HPP
