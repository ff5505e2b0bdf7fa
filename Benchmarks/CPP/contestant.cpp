// SPDX-License-Identifier: MIT
/* The C++ contestant: acquires tokens through tessera.hpp, and reads each token. */
#include <cstring>
#include <fstream>
#include <string>
#include <vector>

#include <tessera.hpp>

extern "C" {
#include "../C/stopwatch.h"
}

namespace {

struct contestant {
  tessera::application application;
  std::vector<tessera::silent_request> requests;
  std::size_t distinct = 1;
  std::size_t position = 0;
};

void acquire(const contestant &contestant, std::size_t index) {
  auto token = contestant.application.acquire_token_silent(contestant.requests[index]);
  if (!token) fail("no token", token.error().what());
  if (token->access_token().empty()) fail("an empty token", "");
}

void acquire_next(void *context) {
  auto &own = *static_cast<contestant *>(context);
  if (++own.position >= own.distinct) own.position = 0;
  acquire(own, own.position);
}

double answer(void *context, const char *name, double first, double second) {
  auto &own = *static_cast<contestant *>(context);
  if (std::strcmp(name, "warm") == 0) {
    std::uint64_t start = now_nanoseconds();
    for (std::size_t index = 0; index < static_cast<std::size_t>(first); index++) acquire(own, index);
    return static_cast<double>(now_nanoseconds() - start);
  }
  if (std::strcmp(name, "hit") != 0) fail("unknown command", name);
  own.distinct = static_cast<std::size_t>(first);
  return median_nanoseconds(second, acquire_next, context);
}

}  // namespace

int main(int argc, char **argv) {
  if (argc < 6) fail("usage", "contestant CLIENT AUTHORITY DIRECTORY GROUP REQUESTS");
  tessera::configuration configuration;
  configuration.client_id = argv[1];
  configuration.authority = argv[2];
  configuration.store.emplace();
  configuration.store->directory = argv[3];
  configuration.store->group = argv[4];
  contestant own{tessera::application::create(configuration).value(), {}};
  std::ifstream file(argv[5]);
  for (std::string line; std::getline(file, line) && !line.empty();) {
    tessera::document given(tessera::detail::value{{}, line});
    tessera::silent_request request;
    request.home_account_id = given.find<std::string>("home_account_id");
    request.scopes = given.get<std::vector<std::string>>("scopes");
    own.requests.push_back(request);
  }
  serve(answer, &own);
}
