// SPDX-License-Identifier: MIT
/* The driver of the C++ binding; Tests/Runtimes/run describes the commands. */
#include <dirent.h>
#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <fstream>
#include <iostream>
#include <set>
#include <sstream>
#include <stdexcept>
#include <thread>

#include <tessera.hpp>
#include <tessera_azure.hpp>

namespace {

constexpr int thread_count = 8;

/** The output of a command: the members of a JSON object. */
struct Line {
  std::string text = "{";

  template <class Value>
  void member(std::string_view name, const Value &value) {
    tessera::detail::writer out;
    out.member(",\"" + std::string(name) + "\":", value);
    std::string object = std::move(out).finish();
    // An absent value writes nothing.
    if (object.size() == 2) return;
    if (text.size() > 1) text += ',';
    text += object.substr(1, object.size() - 2);
  }
};

std::optional<tessera::application> application;
std::mutex mutex;
std::vector<std::string> lines;
/** The stop source of the call that an interrupt ends. */
std::atomic<std::stop_source *> interruptible = nullptr;

std::string closed(const Line &line) { return line.text + "}"; }

Line skipped(std::string_view reason) {
  Line line;
  line.member("skipped", reason);
  return line;
}

std::string name(tessera::status status) { return tessera_status_name(static_cast<tessera_status>(status)); }

template <class Value>
Line described(const tessera::result<Value> &result) {
  Line line;
  line.member("status", name(result.status()));
  if (!result) {
    line.member("code", result.error().code());
    line.member("claims", result.error().details().claims());
  } else if constexpr (std::is_same_v<Value, tessera::token_result>) {
    line.member("token", result->access_token());
    line.member("source", result->source());
    line.member("username", result->account().username());
    line.member("declined", result->declined_scopes());
  }
  return line;
}

template <class Request>
Request request_of(const tessera::document &command) {
  auto given = command.get<tessera::document>("request");
  Request request;
  request.scopes = given.get<std::vector<std::string>>("scopes");
  request.timeout = given.find<std::chrono::milliseconds>("timeout_milliseconds");
  if constexpr (std::is_same_v<Request, tessera::silent_request>) {
    request.home_account_id = given.find<std::string>("home_account_id");
    request.username = given.find<std::string>("username");
    request.force_refresh = given.find<bool>("force_refresh");
  }
  return request;
}

Line create(const tessera::document &command) {
  auto given = command.get<tessera::document>("configuration");
  if (given.contains("clientid")) return skipped("a structure has no unknown members");
  auto store = given.get<tessera::document>("store");
  tessera::configuration configuration;
  configuration.client_id = given.get<std::string>("client_id");
  configuration.authority = given.find<std::string>("authority");
  configuration.authority_type = given.find<std::string>("authority_type");
  configuration.cloud = given.find<std::string>("cloud");
  configuration.log_level = given.find<std::int64_t>("log_level");
  configuration.store.emplace();
  configuration.store->directory = store.find<std::string>("directory");
  configuration.store->group = store.find<std::string>("group");
  configuration.store->key_sources = store.get<std::vector<std::string>>("key_sources");
  tessera::host host;
  host.log = [thrown = command.find<std::string>("throws")](int, std::string_view message) {
    if (thrown) throw std::runtime_error(*thrown);
    std::lock_guard<std::mutex> lock(mutex);
    lines.emplace_back(message);
  };
  if (command.contains("transport")) {
    auto refusal = command.get<tessera::document>("transport");
    host.transport = [refusal](const tessera::transport_request &, const tessera::exchange &) {
      if (auto thrown = refusal.find<std::string>("throws")) throw std::runtime_error(*thrown);
      tessera::transport_response response;
      response.status = refusal.find<std::int64_t>("status");
      response.error = refusal.find<std::string>("error");
      response.sent = refusal.find<bool>("sent");
      return response;
    };
  }
  application.reset();
  auto created = tessera::application::create(configuration, host);
  Line line = described(created);
  if (created) application.emplace(std::move(created).value());
  return line;
}

/** Returns the token of the credential for the Azure SDK, and checks that a cancelled context ends its call. */
std::string azure_token(const std::vector<std::string> &scopes) {
  tessera::azure_credential credential(*application);
  Azure::Core::Credentials::TokenRequestContext request;
  request.Scopes = scopes;
  Azure::Core::Context context;
  std::string token = credential.GetToken(request, context).Token;
  context.Cancel();
  try {
    credential.GetToken(request, context);
    return "The context was ignored.";
  } catch (const Azure::Core::OperationCancelledException &) {
    return token;
  }
}

Line silent(const tessera::document &command) {
  auto request = request_of<tessera::silent_request>(command);
  if (!command.get<bool>("asynchronous")) return described(application->acquire_token_silent(request));
  tessera::call_group group = tessera::call_group::create().value();
  std::optional<tessera::result<tessera::token_result>> received;
  auto call = group.acquire_token_silent(
      *application, request, [&received](auto result) { received.emplace(std::move(result)); });
  if (!call) return described(call);
  while (!received) group.dispatch(std::chrono::milliseconds(-1));
  if (*received && azure_token(*request.scopes) != (*received)->access_token()) {
    throw std::runtime_error("The credential has another token.");
  }
  return described(*received);
}

Line device_code(const tessera::document &command) {
  std::stop_source stop;
  std::jthread timer;
  if (auto milliseconds = command.find<std::chrono::milliseconds>("cancel_after_milliseconds")) {
    timer = std::jthread([stop, milliseconds]() mutable {
      std::this_thread::sleep_for(*milliseconds);
      stop.request_stop();
    });
  }
  auto thrown = command.find<std::string>("throws");
  interruptible = &stop;
  try {
    auto result = application->acquire_token_by_device_code(
        request_of<tessera::device_code_request>(command),
        [&thrown](const tessera::device_code_prompt &prompt) {
          if (thrown) throw std::runtime_error(*thrown);
          std::cout << prompt.text() << std::endl;
        },
        stop.get_token());
    interruptible = nullptr;
    Line line = described(result);
    if (command.get<bool>("interrupt")) line.member("interrupted", result.status() == tessera::status::cancelled);
    return line;
  } catch (const std::runtime_error &error) {
    interruptible = nullptr;
    Line line;
    line.member("thrown", std::string(error.what()));
    return line;
  }
}

Line asynchronous_device_code(const tessera::document &command) {
  tessera::call_group group = tessera::call_group::create().value();
  std::optional<tessera::result<tessera::token_result>> received;
  auto call = group.acquire_token_by_device_code(
      *application, request_of<tessera::device_code_request>(command),
      [](const tessera::device_code_prompt &prompt) { std::cout << prompt.text() << std::endl; },
      [&received](auto result) { received.emplace(std::move(result)); });
  if (!call) return described(call);
  while (!received) group.dispatch(std::chrono::milliseconds(-1));
  return described(*received);
}

Line device_code_on_a_thread(const tessera::document &command) {
  Line line;
  std::thread([&command, &line] { line = device_code(command); }).join();
  return line;
}

Line accounts() {
  auto result = application->get_accounts();
  Line line = described(result);
  std::vector<std::string> names;
  for (const tessera::account &each : result.value().accounts()) names.push_back(each.username().value_or(""));
  line.member("usernames", names);
  return line;
}

std::int64_t kilobytes() {
  std::int64_t size = 0, resident = 0;
  std::ifstream("/proc/self/statm") >> size >> resident;
  return resident * sysconf(_SC_PAGESIZE) / 1024;
}

std::int64_t descriptors() {
  std::int64_t count = 0;
  DIR *folder = opendir("/proc/self/fd");
  while (folder != nullptr && readdir(folder) != nullptr) count++;
  closedir(folder);
  return count;
}

Line repeat(const tessera::document &command) {
  for (int index = 0; index < 1000; index++) silent(command);
  std::int64_t before = kilobytes();
  for (std::int64_t index = 1; index < command.get<std::int64_t>("count"); index++) silent(command);
  Line line = silent(command);
  line.member("kilobytes", kilobytes() - before);
  return line;
}

Line drop(const tessera::document &command) {
  std::int64_t files = descriptors(), before = kilobytes();
  Line line;
  for (std::int64_t index = 0; index < command.get<std::int64_t>("count"); index++) {
    create(command);
    line = silent(command);
  }
  application.reset();
  line.member("descriptors", descriptors() - files);
  line.member("kilobytes", kilobytes() - before);
  return line;
}

Line threads(const tessera::document &command) {
  std::set<std::string> seen;
  std::vector<std::jthread> workers;
  for (int index = 0; index < thread_count; index++) {
    workers.emplace_back([&command, &seen] {
      for (std::int64_t call = 0; call < command.get<std::int64_t>("count"); call++) {
        std::string text = closed(silent(command));
        std::lock_guard<std::mutex> lock(mutex);
        seen.insert(text);
      }
    });
  }
  workers.clear();
  Line line = silent(command);
  line.member("tokens", static_cast<std::int64_t>(seen.size()));
  return line;
}

Line in_a_child(const tessera::document &command) {
  int ends[2], status = 0;
  if (pipe(ends) != 0) std::abort();
  pid_t child = fork();
  if (child == 0) {
    std::string text = closed(silent(command));
    bool written = write(ends[1], text.data(), text.size()) == static_cast<ssize_t>(text.size());
    _exit(written ? 0 : 1);
  }
  close(ends[1]);
  std::string text(1 << 16, '\0');
  text.resize(static_cast<std::size_t>(std::max<ssize_t>(read(ends[0], text.data(), text.size()), 0)));
  close(ends[0]);
  waitpid(child, &status, 0);
  Line line;
  line.text = text.empty() ? "{\"status\":\"crashed\"" : text.substr(0, text.size() - 1);
  return line;
}

Line log_lines() {
  std::lock_guard<std::mutex> lock(mutex);
  Line line;
  line.member("lines", lines);
  return line;
}

Line perform(const tessera::document &command) {
  auto name = command.get<std::string>("do");
  if (name == "create") return create(command);
  if (name == "silent") return silent(command);
  if (name == "device_code") return device_code(command);
  if (name == "device_code_on_a_thread") return device_code_on_a_thread(command);
  if (name == "asynchronous_device_code") return asynchronous_device_code(command);
  if (name == "accounts") return accounts();
  if (name == "log") return log_lines();
  if (name == "repeat") return repeat(command);
  if (name == "threads") return threads(command);
  if (name == "drop") return drop(command);
  if (name == "fork") return in_a_child(command);
  if (name == "collect") return skipped("C++ has no garbage collector");
  return skipped("the driver does not know this command");
}

}  // namespace

int main() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGINT);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  std::thread([signals] {
    for (int number = 0; sigwait(&signals, &number) == 0;) {
      if (auto *stop = interruptible.load()) stop->request_stop();
    }
  }).detach();
  for (std::string text; std::getline(std::cin, text);) {
    std::cout << closed(perform(tessera::document::parse<tessera::document>(text))) << std::endl;
  }
  application.reset();
}
