// SPDX-License-Identifier: MIT
/**
 * @file tessera.hpp
 * Tessera for C++17 and later: tessera.h with lifetimes, typed requests and results, and errors.
 *
 * Header-only. Link with the C library: `pkg-config --cflags --libs tessera`, or Tessera::tessera in CMake.
 *
 * - A function that can fail returns a tessera::result. value() throws a tessera::error, of the class for its
 *   remedy. Without exceptions (-fno-exceptions), test the result, and read error() if it is false.
 * - Requests are structures. A member that is not assigned is not sent.
 * - Results are documents. Their functions decode one member each, so a cached token costs no parser. Copies
 *   share the text, which is overwritten when the last one is destroyed.
 * - A call that waits takes a tessera::cancellation, or a std::stop_token in C++20.
 * - An exception of a prompt function cancels the call, also by a tessera::cancellation that was passed, and the
 *   call then throws it again. Functions of a tessera::host report failures in their result; an exception counts as
 *   one.
 */
#ifndef TESSERA_HPP
#define TESSERA_HPP

#include <tessera.h>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <functional>
#include <initializer_list>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#if defined(__has_include)
#if __has_include(<version>)
#include <version>
#endif
#endif
#if defined(__cpp_lib_jthread)
#include <stop_token>
#endif

namespace tessera {

/** A time in a document. It converts to std::chrono::system_clock::time_point. */
using time_point = std::chrono::time_point<std::chrono::system_clock, std::chrono::seconds>;

/** The text of a JSON value, for a member of any type, such as the claims of a token. */
struct json {
  std::string text;

  /** Parses the text with a JSON library: `claims.parse([](auto &text) { return nlohmann::json::parse(text); })`. */
  template <class Parser>
  auto parse(Parser &&parser) const {
    return std::forward<Parser>(parser)(text);
  }
};

/** A list in a request. It is absent until it is assigned; an assigned list may be empty. */
template <class Element>
class list : public std::optional<std::vector<Element>> {
 public:
  list() = default;
  list(std::initializer_list<Element> elements) : std::optional<std::vector<Element>>(std::in_place, elements) {}
  list(std::vector<Element> elements) : std::optional<std::vector<Element>>(std::move(elements)) {}
};

namespace detail {

// MARK: - Writing of requests

/** Whether JSON requires an escape for one of eight bytes: a control character, a quotation mark or a backslash. */
inline bool needs_escape(const char *bytes) {
  constexpr std::uint64_t ones = 0x0101010101010101, highs = ones << 7;
  std::uint64_t word = 0;
  std::memcpy(&word, bytes, sizeof word);
  // The highest bit of a byte is set if the byte is less than a limit. After another such byte, it may also be.
  auto less = [](std::uint64_t bytes, std::uint64_t limit) { return (bytes - ones * limit) & ~bytes & highs; };
  return (less(word, 0x20) | less(word ^ ones * '"', 1) | less(word ^ ones * '\\', 1)) != 0;
}

/** Writes the members of a JSON object. The first comma becomes the brace that opens it. */
class writer {
 public:
  writer() { text_.reserve(256); }

  /** Writes a member. The name has a comma before it, quotation marks and a colon. */
  template <class Value>
  void member(std::string_view name, const Value &value) {
    text_.append(name);
    write(value);
  }

  /** Writes a member if it is assigned. */
  template <class Value>
  void member(std::string_view name, const std::optional<Value> &value) {
    if (value) member(name, *value);
  }

  /** Writes a list if it is assigned. */
  template <class Element>
  void member(std::string_view name, const list<Element> &value) {
    if (value) member(name, *value);
  }

  /** Writes a map unless it is empty. */
  template <class Value>
  void member(std::string_view name, const std::map<std::string, Value> &values) {
    if (values.empty()) return;
    writer object;
    for (const auto &[key, value] : values) object.member("," + quoted(key) + ":", value);
    member(name, json{std::move(object).finish()});
  }

  /** Returns the object. */
  std::string finish() && {
    if (text_.empty()) text_ = ',';
    text_.front() = '{';
    text_ += '}';
    return std::move(text_);
  }

 private:
  static std::string quoted(std::string_view value) {
    writer out;
    out.write(value);
    return std::move(out.text_);
  }

  void write(std::string_view value) {
    text_ += '"';
    std::size_t start = 0;
    for (std::size_t at = 0; at < value.size(); at++) {
      while (value.size() - at > 8 && !needs_escape(value.data() + at)) at += 8;
      auto byte = static_cast<unsigned char>(value[at]);
      if (byte >= 0x20 && byte != '"' && byte != '\\') continue;
      text_.append(value.substr(start, at - start));
      start = at + 1;
      char escape[8];
      std::snprintf(escape, sizeof escape, byte < 0x20 ? "\\u%04x" : "\\%c", byte);
      text_ += escape;
    }
    text_.append(value.substr(start));
    text_ += '"';
  }

  void write(const std::string &value) { write(std::string_view(value)); }
  void write(bool value) { text_ += value ? "true" : "false"; }
  void write(std::int64_t value) { text_ += std::to_string(value); }
  void write(const json &value) { text_ += value.text; }

  template <class Period>
  void write(std::chrono::duration<std::int64_t, Period> value) {
    text_ += std::to_string(value.count());
  }

  template <class Element>
  void write(const std::vector<Element> &values) {
    text_ += '[';
    for (const Element &each : values) {
      if (text_.back() != '[') text_ += ',';
      write(each);
    }
    text_ += ']';
  }

  /** Writes a nested request. */
  template <class Request>
  auto write(const Request &request) -> decltype(request.write(*this)) {
    writer nested;
    request.write(nested);
    text_ += std::move(nested).finish();
  }

  std::string text_;
};

/** Returns the text of a request. */
template <class Request>
std::string text_of(const Request &request) {
  writer out;
  request.write(out);
  return std::move(out).finish();
}

// MARK: - Reading of results

/** Returns the end of the string that starts at a quotation mark. */
inline const char *end_of_string(const char *at) {
  // Most strings are short.
  for (int index = 1; index < 32 && at[index] != '\\' && at[index] != '\0'; index++) {
    if (at[index] == '"') return at + index + 1;
  }
  for (const char *end = at + 1; (end = std::strchr(end, '"')) != nullptr; end++) {
    const char *before = end;
    while (before[-1] == '\\') before--;
    if ((end - before) % 2 == 0) return end + 1;
  }
  return at + std::strlen(at);
}

/** Returns the end of a value of a valid document. */
inline const char *end_of_value(const char *at) {
  int depth = 0;
  do {
    if (*at == '"') {
      at = end_of_string(at);
    } else if (*at == '{' || *at == '[') {
      depth++, at++;
    } else if (*at == '}' || *at == ']') {
      depth--, at++;
    } else if (depth > 0) {
      at++;
    } else {
      while (*at != ',' && *at != '}' && *at != ']' && *at != '\0') at++;
    }
  } while (depth > 0 && *at != '\0');
  return at;
}

using owner = std::shared_ptr<const char>;

/** A value of a document, and the text that contains it. */
struct value {
  detail::owner owner;
  std::string_view text;
};

/** Returns the text of a member of an object; nothing if there is none, or it is null. */
inline std::optional<std::string_view> member_of(std::string_view object, std::string_view name) {
  if (object.empty() || object.front() != '{') return std::nullopt;
  for (const char *at = object.data() + 1; *at == '"';) {
    const char *start = end_of_string(at);
    std::string_view key(at + 1, static_cast<std::size_t>(start - at) - 2);
    const char *end = end_of_value(++start);
    if (key == name) {
      if (*start == 'n') return std::nullopt;
      return std::string_view(start, static_cast<std::size_t>(end - start));
    }
    at = *end == ',' ? end + 1 : end;
  }
  return std::nullopt;
}

inline unsigned hexadecimal(std::string_view digits) {
  return static_cast<unsigned>(std::strtoul(std::string(digits).c_str(), nullptr, 16));
}

inline void append_utf8(std::string &text, unsigned scalar) {
  auto add = [&text](unsigned byte) { text += static_cast<char>(byte); };
  if (scalar < 0x80) {
    add(scalar);
  } else if (scalar < 0x800) {
    add(0xC0 | scalar >> 6), add(0x80 | (scalar & 0x3F));
  } else if (scalar < 0x10000) {
    add(0xE0 | scalar >> 12), add(0x80 | (scalar >> 6 & 0x3F)), add(0x80 | (scalar & 0x3F));
  } else {
    add(0xF0 | scalar >> 18), add(0x80 | (scalar >> 12 & 0x3F)), add(0x80 | (scalar >> 6 & 0x3F));
    add(0x80 | (scalar & 0x3F));
  }
}

/** Decodes the escapes of a string. */
inline std::string unescaped(std::string_view text) {
  std::string decoded;
  decoded.reserve(text.size());
  for (std::size_t at = 0; at < text.size(); at++) {
    if (text[at] != '\\' || at + 1 >= text.size()) {
      decoded += text[at];
      continue;
    }
    at++;
    static constexpr std::string_view names = "bfnrt", controls = "\b\f\n\r\t";
    if (text[at] != 'u') {
      std::size_t found = names.find(text[at]);
      decoded += found == std::string_view::npos ? text[at] : controls[found];
      continue;
    }
    unsigned scalar = hexadecimal(text.substr(at + 1, 4));
    at += 4;
    if (scalar >= 0xD800 && scalar < 0xDC00 && text.substr(at + 1, 2) == "\\u") {
      scalar = 0x10000 + ((scalar - 0xD800) << 10) + hexadecimal(text.substr(at + 3, 4)) - 0xDC00;
      at += 6;
    }
    append_utf8(decoded, scalar);
  }
  return decoded;
}

inline void read(const owner &, std::string_view from, std::string &to) {
  if (from.size() < 2 || from.front() != '"') return;
  std::string_view inner = from.substr(1, from.size() - 2);
  if (std::memchr(inner.data(), '\\', inner.size()) == nullptr) {
    to = inner;
  } else {
    to = unescaped(inner);
  }
}

inline void read(const owner &, std::string_view from, bool &to) { to = from == "true"; }
inline void read(const owner &, std::string_view from, std::int64_t &to) { to = std::strtoll(from.data(), nullptr, 10); }
inline void read(const owner &, std::string_view from, json &to) { to.text = from; }

template <class Duration>
void read(const owner &, std::string_view from, std::chrono::time_point<std::chrono::system_clock, Duration> &to) {
  to = time_point(std::chrono::seconds(std::strtoll(from.data(), nullptr, 10)));
}

template <class Rep, class Period>
void read(const owner &, std::string_view from, std::chrono::duration<Rep, Period> &to) {
  to = std::chrono::duration<Rep, Period>(std::strtoll(from.data(), nullptr, 10));
}

template <class Document>
auto read(const owner &owner, std::string_view from, Document &to) -> decltype(static_cast<void>(Document(value{}))) {
  to = Document(value{owner, from});
}

template <class Element>
void read(const owner &owner, std::string_view from, std::vector<Element> &to) {
  if (from.empty() || from.front() != '[') return;
  for (const char *at = from.data() + 1; *at != ']' && *at != '\0';) {
    const char *end = end_of_value(at);
    read(owner, {at, static_cast<std::size_t>(end - at)}, to.emplace_back());
    at = *end == ',' ? end + 1 : end;
  }
}

template <class Value>
void read(const owner &owner, std::string_view from, std::map<std::string, Value> &to) {
  if (from.empty() || from.front() != '{') return;
  for (const char *at = from.data() + 1; *at == '"';) {
    const char *start = end_of_string(at);
    std::string key = unescaped({at + 1, static_cast<std::size_t>(start - at) - 2});
    const char *end = end_of_value(++start);
    read(owner, {start, static_cast<std::size_t>(end - start)}, to[key]);
    at = *end == ',' ? end + 1 : end;
  }
}

}  // namespace detail

/** A JSON object of the library. Copies share the text. */
class document {
 public:
  document() = default;
  explicit document(detail::value value) : value_(std::move(value)) {}

  /** Takes a response of the C interface, and frees it with tessera_string_free(). NULL is an empty document. */
  static document take(char *response) {
    if (response == nullptr) return {};
    std::shared_ptr<const char> owner(response, [](const char *text) {
      tessera_string_free(const_cast<char *>(text));
    });
    return document({std::move(owner), response});
  }

  /** Creates a document with a copy of a JSON text, which is overwritten when the last document is destroyed. */
  template <class Document>
  static Document parse(std::string_view json) {
    std::unique_ptr<char[]> text(new char[json.size() + 1]());
    std::memcpy(text.get(), json.data(), json.size());
    std::shared_ptr<const char> owner(text.release(), [size = json.size()](const char *copied) {
      // Volatile, because the compiler removes stores before a deletion.
      for (volatile char *at = const_cast<char *>(copied); at != copied + size; at = at + 1) *at = 0;
      delete[] copied;
    });
    const char *start = owner.get();
    return Document(detail::value{std::move(owner), {start, json.size()}});
  }

  /** The text of the object. It may contain tokens: do not log it. */
  std::string_view text() const { return value_.text; }

  /** Returns the object as a document of another type. */
  template <class Document>
  Document as() && {
    return Document(std::move(value_));
  }

  /** Whether the object has a member that is not null. */
  bool contains(std::string_view name) const { return detail::member_of(value_.text, name).has_value(); }

  /** Returns a member, or an empty value if there is none. For members that this version does not know. */
  template <class Value>
  Value get(std::string_view name) const {
    Value value{};
    if (auto found = detail::member_of(value_.text, name)) detail::read(value_.owner, *found, value);
    return value;
  }

  /** Returns a member if there is one. */
  template <class Value>
  std::optional<Value> find(std::string_view name) const {
    auto found = detail::member_of(value_.text, name);
    if (!found) return std::nullopt;
    Value value{};
    detail::read(value_.owner, *found, value);
    return value;
  }

 private:
  detail::value value_;
};

}  // namespace tessera

#include "tessera_documents.hpp"

namespace tessera {

// MARK: - Errors

/** The action that the caller should take; the numbers of TESSERA_STATUS_… */
enum class status : std::int32_t {
  ok = TESSERA_STATUS_OK,
  sign_in = TESSERA_STATUS_SIGN_IN,
  retry_later = TESSERA_STATUS_RETRY_LATER,
  fix_request = TESSERA_STATUS_FIX_REQUEST,
  fix_configuration = TESSERA_STATUS_FIX_CONFIGURATION,
  fix_storage = TESSERA_STATUS_FIX_STORAGE,
  cancelled = TESSERA_STATUS_CANCELLED,
  report_bug = TESSERA_STATUS_REPORT_BUG
};

/**
 * The base class of all errors. Each subclass represents one remedy.
 *
 * Every application must handle status::sign_in: the user must sign in. For all other errors it is sufficient to
 * show what(), and to try again later if details().retryable() is true.
 */
class error : public std::exception {
 public:
  error(tessera::status status, error_details details)
      : status_(status), details_(std::move(details)), code_(details_.code()), message_(details_.message()) {}

  /** The remedy. */
  tessera::status status() const noexcept { return status_; }
  /** The error code, such as codes::interaction_required; docs/errors.md lists all codes. */
  const std::string &code() const noexcept { return code_; }
  /** A description for developers, without tokens, keys or codes. */
  const char *what() const noexcept override { return message_.c_str(); }
  /** All members of the error, such as `claims` and `retry_after`. */
  const error_details &details() const noexcept { return details_; }

 private:
  tessera::status status_;
  error_details details_;
  std::string code_;
  std::string message_;
};

/** The user must sign in: start an interactive flow, and pass on details().claims(). */
class sign_in_required_error : public error {
  using error::error;
};
/** The network, the server or the store is unavailable: try again after details().retry_after(). */
class retry_later_error : public error {
  using error::error;
};
/** The request is invalid: correct it as the message describes. */
class invalid_request_error : public error {
  using error::error;
};
/** The configuration or the registration of the application must be corrected. */
class configuration_error : public error {
  using error::error;
};
/** The token store cannot be used: repair it, or choose another one. */
class storage_error : public error {
  using error::error;
};
/** The user or the application cancelled the call, or it timed out. */
class cancelled_error : public error {
  using error::error;
};
/** An internal error: report it, including the message. */
class internal_error : public error {
  using error::error;
};

namespace detail {

/** Throws an error of the class for its remedy. Without exceptions, writes the message and ends the process. */
[[noreturn]] inline void raise(const error &problem) {
#if defined(__cpp_exceptions)
  switch (problem.status()) {
    case status::sign_in: throw sign_in_required_error(problem.status(), problem.details());
    case status::retry_later: throw retry_later_error(problem.status(), problem.details());
    case status::fix_request: throw invalid_request_error(problem.status(), problem.details());
    case status::fix_configuration: throw configuration_error(problem.status(), problem.details());
    case status::fix_storage: throw storage_error(problem.status(), problem.details());
    case status::cancelled: throw cancelled_error(problem.status(), problem.details());
    default: throw internal_error(problem.status(), problem.details());
  }
#else
  std::fprintf(stderr, "tessera: %s (%s)\n", problem.what(), problem.code().c_str());
  std::abort();
#endif
}

}  // namespace detail

/** The value or the error of a call. */
template <class Value>
class [[nodiscard]] result {
 public:
  result(Value value, tessera::status status = tessera::status::ok) : state_(std::move(value)), status_(status) {}
  result(tessera::error error) : state_(std::move(error)), status_(std::get<1>(state_).status()) {}

  /** Whether there is a value. */
  explicit operator bool() const noexcept { return state_.index() == 0; }

  /**
   * The status of the call. A token that covers only some of the requested scopes is a value with
   * status::sign_in: see token_result::declined_scopes().
   */
  tessera::status status() const noexcept { return status_; }

  /** Returns the value, or throws the error. */
  const Value &value() const & { return *checked(); }
  Value &&value() && { return std::move(*checked()); }
  const Value *operator->() const { return checked(); }
  const Value &operator*() const & { return *checked(); }

  /** Returns the error. There must be one. */
  const tessera::error &error() const { return *std::get_if<1>(&state_); }

 private:
  const Value *checked() const {
    if (const auto *problem = std::get_if<1>(&state_)) detail::raise(*problem);
    return std::get_if<0>(&state_);
  }
  Value *checked() { return const_cast<Value *>(std::as_const(*this).checked()); }

  std::variant<Value, tessera::error> state_;
  tessera::status status_;
};

/** The value of a call without a result. */
struct nothing {};

namespace detail {

/** Returns the result of a call from its status and its response. */
template <class Value>
result<Value> result_of(tessera_status status, document received) {
  if (status != TESSERA_STATUS_OK) {
    // A token that covers only some of the scopes has no error.
    auto problem = received.find<error_details>("error");
    if (problem || received.text().empty()) {
      return error(static_cast<tessera::status>(status), problem.value_or(error_details()));
    }
  }
  if constexpr (std::is_same_v<Value, nothing>) {
    return nothing{};
  } else {
    return {std::move(received).as<Value>(), static_cast<tessera::status>(status)};
  }
}

/** Returns the result of a call from its status and its response, which it frees. */
template <class Value>
result<Value> result_of(tessera_status status, char *response) {
  return result_of<Value>(status, document::take(response));
}

/** Frees a handle. */
template <auto Free>
struct freed {
  template <class Handle>
  void operator()(Handle *handle) const {
    Free(handle);
  }
};

}  // namespace detail

// MARK: - Cancellation

/** Cancels calls from another thread. It cannot be reset, and must outlive the calls that use it. */
class cancellation {
 public:
  cancellation() : handle_(tessera_cancellation_create()) {}

  /** Cancels all present and future calls with this cancellation. Not for signal handlers. */
  void cancel() const { tessera_cancellation_cancel(handle_.get()); }
  /** The handle for the C interface. */
  tessera_cancellation *get() const { return handle_.get(); }

 private:
  std::unique_ptr<tessera_cancellation, detail::freed<tessera_cancellation_free>> handle_;
};

/** The cancellation of one call: nothing, a cancellation, or a std::stop_token. */
class cancelled_by {
 public:
  cancelled_by() = default;
  cancelled_by(const cancellation &other) : handle_(other.get()) {}
  cancelled_by(const cancelled_by &) = delete;
  cancelled_by &operator=(const cancelled_by &) = delete;
#if defined(__cpp_lib_jthread)
  cancelled_by(const std::stop_token &token) : own_(std::in_place), handle_(own_->get()) {
    stop_.emplace(token, canceller{handle_});
  }
#endif

  /** The handle for the C interface; NULL if nothing cancels the call. */
  tessera_cancellation *get() const { return handle_; }

 private:
  std::optional<cancellation> own_;
  tessera_cancellation *handle_ = nullptr;
#if defined(__cpp_lib_jthread)
  struct canceller {
    tessera_cancellation *handle;
    void operator()() const noexcept { tessera_cancellation_cancel(handle); }
  };
  std::optional<std::stop_callback<canceller>> stop_;
#endif
};

// MARK: - Callbacks

/** One HTTP request that a host application sends. */
class exchange {
 public:
  explicit exchange(const tessera_exchange *handle) : handle_(handle) {}

  /** Whether to abort the request. Call it at least every 100 ms while waiting. */
  bool is_cancelled() const { return tessera_exchange_is_cancelled(handle_) != 0; }

 private:
  const tessera_exchange *handle_;
};

/** Callbacks of the host application; an empty one has the default behaviour. docs/host.md describes the rules. */
struct host {
  /** Receives a log message: the level (1 error to 4 detail) and the text. */
  std::function<void(int level, std::string_view message)> log = {};
  /** Writes the key of the store to `size` bytes, and returns whether there is one. */
  std::function<bool(std::uint8_t *key, std::size_t size)> store_key = {};
  /** Sends an HTTP request and returns the response, or an `error`. Called on several threads at the same time. */
  std::function<transport_response(const transport_request &request, const exchange &exchange)> transport = {};
};

namespace detail {

/** Calls a function that may throw. Returns whether it did not. */
template <class Function>
bool completes(Function &&function, std::exception_ptr *thrown = nullptr) noexcept {
#if defined(__cpp_exceptions)
  try {
    function();
    return true;
  } catch (...) {
    if (thrown != nullptr) *thrown = std::current_exception();
    return false;
  }
#else
  static_cast<void>(thrown);
  function();
  return true;
#endif
}

/**
 * The callbacks of an application. A running callback owns them too, because tessera_application_free() waits for it
 * only for some seconds.
 */
struct shared_host : std::enable_shared_from_this<shared_host> {
  explicit shared_host(host given) : callbacks(std::move(given)) {}

  static std::shared_ptr<shared_host> of(void *user_data) {
    return static_cast<shared_host *>(user_data)->shared_from_this();
  }

  host callbacks;
};

inline void write_log(void *user_data, std::int32_t level, const char *message) {
  completes([owner = shared_host::of(user_data), &level, &message] { owner->callbacks.log(level, message); });
}

inline std::int32_t provide_key(void *user_data, std::uint8_t *key, std::size_t size) {
  bool provided = false;
  auto owner = shared_host::of(user_data);
  return completes([&] { provided = owner->callbacks.store_key(key, size); }) && provided ? 0 : 1;
}

inline void send_request(void *user_data, const char *request, tessera_exchange *handle) {
  auto owner = shared_host::of(user_data);
  completes([&] {
    // A copy, because the text is valid only during the callback.
    auto received = document::parse<transport_request>(request);
    transport_response response = owner->callbacks.transport(received, exchange(handle));
    tessera_exchange_respond(handle, text_of(response).c_str());
  });
}

/** A prompt function during a call. */
template <class Prompt>
struct prompting {
  const std::function<void(const Prompt &)> &show;
  tessera_cancellation *cancellation;
  std::exception_ptr thrown = nullptr;

  static void call(void *user_data, const char *text) {
    auto *self = static_cast<prompting *>(user_data);
    // A copy, because the text is valid only during the callback.
    bool shown = completes([&] { self->show(document::parse<Prompt>(text)); }, &self->thrown);
    if (!shown) tessera_cancellation_cancel(self->cancellation);
  }
};

}  // namespace detail

// MARK: - Applications

/** An OAuth 2.0 public client. Several threads may use it; do not move or destroy it during a call. */
class application {
 public:
  /** Creates an application. Performs no I/O. */
  static result<application> create(const configuration &configuration, host callbacks = {}) {
    auto owned = std::make_shared<detail::shared_host>(std::move(callbacks));
    tessera_host given = {};
    given.size = sizeof given;
    given.user_data = owned.get();
    if (owned->callbacks.log) given.log = detail::write_log;
    if (owned->callbacks.store_key) given.store_key = detail::provide_key;
    if (owned->callbacks.transport) given.transport = detail::send_request;
    return create(detail::text_of(configuration), given, std::move(owned));
  }

  /** Creates an application with the callbacks of the C interface, such as a browser or a store. */
  static result<application> create(const configuration &configuration, const tessera_host &callbacks) {
    return create(detail::text_of(configuration), callbacks, nullptr);
  }

  application(application &&) = default;
  application &operator=(application &&other) noexcept {
    // The handle first: its callbacks exist until it is freed.
    handle_ = std::move(other.handle_);
    host_ = std::move(other.host_);
    return *this;
  }

  /** The handle for the C interface. */
  tessera_application *get() const { return handle_.get(); }

  /** Lists the accounts that are signed in to this application. Works offline. */
  result<account_list> get_accounts(const accounts_request &request = {}, const cancelled_by &by = {}) const {
    return call<account_list>(tessera_application_get_accounts, request, by);
  }

  /** Returns the account that the request identifies. */
  result<account_result> get_account(const accounts_request &request, const cancelled_by &by = {}) const {
    return call<account_result>(tessera_application_get_account, request, by);
  }

  /** Returns the account of a single-account application, and the account that the previous such call returned. */
  result<current_account> get_current_account(const store_request &request = {}, const cancelled_by &by = {}) const {
    return call<current_account>(tessera_application_get_current_account, request, by);
  }

  /** Removes an account: deletes its tokens for this application from this machine. */
  result<removed_account> remove_account(const remove_account_request &request, const cancelled_by &by = {}) const {
    return call<removed_account>(tessera_application_remove_account, request, by);
  }

  /** Signs a user out, and reports which data was removed and which remains. */
  result<sign_out_report> sign_out(const sign_out_request &request, const cancelled_by &by = {}) const {
    return call<sign_out_report>(tessera_application_sign_out, request, by);
  }

  /** Returns a cached token, or refreshes it, without user interaction. */
  result<token_result> acquire_token_silent(const silent_request &request, const cancelled_by &by = {}) const {
    return call<token_result>(tessera_application_acquire_token_silent, request, by);
  }

  /** Explains the decision that acquire_token_silent() would make, as a dry run. */
  result<explanation> explain(const explain_request &request, const cancelled_by &by = {}) const {
    return call<explanation>(tessera_application_explain, request, by);
  }

  /** Signs a user in on another device: shows a code, and waits until the user enters it (RFC 8628). */
  result<token_result> acquire_token_by_device_code(
      const device_code_request &request, const std::function<void(const device_code_prompt &)> &prompt,
      const cancelled_by &by = {}) const {
    return prompting(tessera_application_acquire_token_by_device_code, request, prompt, by);
  }

  /**
   * Signs a user in with a browser. `prompt` receives the address of the sign-in page; if it is empty and no
   * browser can be opened, the call fails at once.
   */
  result<token_result> acquire_token_interactive(
      const interactive_request &request, const std::function<void(const sign_in_prompt &)> &prompt = {},
      const cancelled_by &by = {}) const {
    return prompting(tessera_application_acquire_token_interactive, request, prompt, by);
  }

  /** Begins a sign-in for a page that the application shows itself. */
  result<sign_in_session> begin_sign_in(const sign_in_request &request, const cancelled_by &by = {}) const {
    return call<sign_in_session>(tessera_application_begin_sign_in, request, by);
  }

  /** Completes a sign-in with the redirect. */
  result<token_result> complete_sign_in(const redirect_response &request, const cancelled_by &by = {}) const {
    return call<token_result>(tessera_application_complete_sign_in, request, by);
  }

  /** Returns the location, the protection and the state of the store. */
  result<store_info> get_store_info(const store_request &request = {}, const cancelled_by &by = {}) const {
    return call<store_info>(tessera_application_get_store_info, request, by);
  }

  /** Rotates the key of the store. */
  result<rotated_key> rotate_store_key(const rotate_key_request &request = {}, const cancelled_by &by = {}) const {
    return call<rotated_key>(tessera_application_rotate_store_key, request, by);
  }

  /** Reads the whole store as an MSAL cache document. */
  result<cache_text> read_cache(const store_request &request = {}, const cancelled_by &by = {}) const {
    return call<cache_text>(tessera_application_read_cache, request, by);
  }

  /** Applies the changes that another library made to an MSAL cache document. */
  result<cache_changes> write_cache(const cache_write_request &request, const cancelled_by &by = {}) const {
    return call<cache_changes>(tessera_application_write_cache, request, by);
  }

  /** Copies the accounts and tokens from the store of another application. */
  result<copy_report> copy_sign_ins(
      const application &from, const copy_request &request = {}, const cancelled_by &by = {}) const {
    char *response = nullptr;
    tessera_status status = tessera_application_copy_sign_ins(
        get(), from.get(), detail::text_of(request).c_str(), by.get(), &response);
    return detail::result_of<copy_report>(status, response);
  }

  /** Imports the sign-ins from the cache of an older library: `data`, or the file that the request names. */
  result<migration_report> migrate(
      const migration_request &request, std::string_view data = {}, const cancelled_by &by = {}) const {
    char *response = nullptr;
    tessera_status status = tessera_application_migrate(
        get(), detail::text_of(request).c_str(), data.data(), data.size(), by.get(), &response);
    return detail::result_of<migration_report>(status, response);
  }

  /** Exports the sign-ins for an older library; `data` is its present cache. */
  result<exported_sign_ins> export_sign_ins(
      const export_request &request, std::string_view data = {}, const cancelled_by &by = {}) const {
    char *response = nullptr;
    tessera_status status = tessera_application_export_sign_ins(
        get(), detail::text_of(request).c_str(), data.data(), data.size(), by.get(), &response);
    return detail::result_of<exported_sign_ins>(status, response);
  }

  /** Returns the version of the identity broker. */
  result<broker_version> get_broker_version(const broker_request &request = {}, const cancelled_by &by = {}) const {
    return call<broker_version>(tessera_application_get_broker_version, request, by);
  }

  /** Lists the accounts of the identity broker. */
  result<broker_account_list> get_broker_accounts(
      const broker_request &request = {}, const cancelled_by &by = {}) const {
    return call<broker_account_list>(tessera_application_get_broker_accounts, request, by);
  }

  /** Returns a single sign-on cookie of the identity broker. */
  result<broker_cookies> get_broker_sso_cookie(
      const broker_cookie_request &request, const cancelled_by &by = {}) const {
    return call<broker_cookies>(tessera_application_get_broker_sso_cookie, request, by);
  }

  /** Returns an HTTP request that the identity broker signed. */
  result<broker_signature> get_broker_signed_http_request(
      const broker_signing_request &request, const cancelled_by &by = {}) const {
    return call<broker_signature>(tessera_application_get_broker_signed_http_request, request, by);
  }

 private:
  application() = default;

  static result<application> create(
      const std::string &text, const tessera_host &callbacks, std::shared_ptr<detail::shared_host> owned) {
    tessera_application *handle = nullptr;
    char *response = nullptr;
    tessera_status status = tessera_application_create(text.c_str(), &callbacks, &handle, &response);
    if (auto created = detail::result_of<nothing>(status, response); !created) return created.error();
    application made;
    made.host_ = std::move(owned);
    made.handle_.reset(handle);
    return made;
  }

  template <class Value, class Function, class Request>
  result<Value> call(Function function, const Request &request, const cancelled_by &by) const {
    char *response = nullptr;
    tessera_status status = function(get(), detail::text_of(request).c_str(), by.get(), &response);
    return detail::result_of<Value>(status, response);
  }

  template <class Function, class Request, class Prompt>
  result<token_result> prompting(
      Function function, const Request &request, const std::function<void(const Prompt &)> &prompt,
      const cancelled_by &by) const {
    std::optional<cancellation> own;
    if (prompt && by.get() == nullptr) own.emplace();
    tessera_cancellation *handle = own ? own->get() : by.get();
    detail::prompting<Prompt> state{prompt, handle};
    char *response = nullptr;
    tessera_status status = function(
        get(), detail::text_of(request).c_str(), prompt ? detail::prompting<Prompt>::call : nullptr, &state, handle,
        &response);
    auto received = detail::result_of<token_result>(status, response);
#if defined(__cpp_exceptions)
    if (state.thrown) std::rethrow_exception(state.thrown);
#endif
    return received;
  }

  // The callbacks must exist until the application is freed.
  std::shared_ptr<detail::shared_host> host_;
  std::unique_ptr<tessera_application, detail::freed<tessera_application_free>> handle_;
};

// MARK: - Non-blocking calls

/**
 * A group of non-blocking calls, for an event loop.
 *
 * Watch descriptor(), and call dispatch() when it is readable. It calls the functions of the finished calls on its
 * thread. A cached token is passed to the function before the start function returns.
 */
class call_group {
 public:
  /** Receives the result of a call. */
  using completion = std::function<void(result<token_result>)>;

  /** Creates a group. */
  static result<call_group> create() {
    tessera_call_group *handle = nullptr;
    char *response = nullptr;
    tessera_status status = tessera_call_group_create(&handle, &response);
    if (auto created = detail::result_of<nothing>(status, response); !created) return created.error();
    call_group made;
    made.handle_.reset(handle);
    return made;
  }

  call_group(call_group &&) = default;
  call_group &operator=(call_group &&other) noexcept {
    handle_ = std::move(other.handle_);
    pending_ = std::move(other.pending_);
    return *this;
  }

  /** A file descriptor that is readable while there are events. The group owns it. */
  int descriptor() const { return tessera_call_group_descriptor(handle_.get()); }

  /** Starts a silent request. Returns the ID of the call, or 0 if the token was cached. */
  result<std::int64_t> acquire_token_silent(
      const application &application, const silent_request &request, completion done) {
    return start(tessera_call_group_acquire_token_silent, application, request, {std::move(done), {}, {}});
  }

  /** Starts a sign-in with a device code. */
  result<std::int64_t> acquire_token_by_device_code(
      const application &application, const device_code_request &request,
      std::function<void(const device_code_prompt &)> prompt, completion done) {
    return start(
        tessera_call_group_acquire_token_by_device_code, application, request,
        {std::move(done), prompting(std::move(prompt)), {}});
  }

  /** Starts a sign-in with a browser. */
  result<std::int64_t> acquire_token_interactive(
      const application &application, const interactive_call_request &request,
      std::function<void(const sign_in_prompt &)> prompt, completion done) {
    return start(
        tessera_call_group_acquire_token_interactive, application, request,
        {std::move(done), prompting(std::move(prompt)), {}});
  }

  /** Starts a sign-in for a page that the application shows itself. */
  result<std::int64_t> begin_sign_in(
      const application &application, const sign_in_request &request,
      std::function<void(result<sign_in_session>)> done) {
    return start(tessera_call_group_begin_sign_in, application, request, {{}, {}, std::move(done)});
  }

  /** Starts the completion of a sign-in. */
  result<std::int64_t> complete_sign_in(
      const application &application, const redirect_response &request, completion done) {
    return start(tessera_call_group_complete_sign_in, application, request, {std::move(done), {}, {}});
  }

  /**
   * Removes the oldest event, and calls its function. Waits for an event for at most `timeout`; a negative value
   * waits without limit. Returns whether there was an event. Exceptions of the function are passed on.
   */
  bool dispatch(std::chrono::milliseconds timeout = std::chrono::milliseconds(0)) {
    tessera_event event = {};
    event.size = sizeof event;
    if (tessera_call_group_next_event(handle_.get(), timeout.count(), &event) != TESSERA_STATUS_OK ||
        event.kind == TESSERA_EVENT_NONE) {
      tessera_string_free(event.response);
      return false;
    }
    document received = document::take(event.response);
    if (event.kind == TESSERA_EVENT_PROMPT) {
      // The call may finish during the prompt function, in another thread or in a nested event loop.
      auto pending = pending_->find(event.user_data);
      if (pending && pending->prompt) pending->prompt(std::move(received));
    } else {
      finish(*pending_->take(event.user_data), event.status, std::move(received));
    }
    return true;
  }

  /** Cancels a call, or all calls if `call` is 0. Their functions receive a cancelled_error. */
  void cancel(std::int64_t call = 0) const { tessera_call_group_cancel(handle_.get(), call); }

 private:
  struct handlers {
    completion done;
    std::function<void(document)> prompt;
    std::function<void(result<sign_in_session>)> begun;
  };

  /** The functions of the calls that have not finished. */
  class pending_calls {
   public:
    void *add(handlers handlers) {
      auto owned = std::make_shared<call_group::handlers>(std::move(handlers));
      void *key = owned.get();
      std::lock_guard<std::mutex> lock(mutex_);
      calls_[key] = std::move(owned);
      return key;
    }

    std::shared_ptr<handlers> find(void *key) {
      std::lock_guard<std::mutex> lock(mutex_);
      auto found = calls_.find(key);
      return found == calls_.end() ? nullptr : found->second;
    }

    std::shared_ptr<handlers> take(void *key) {
      std::lock_guard<std::mutex> lock(mutex_);
      return std::move(calls_.extract(key).mapped());
    }

   private:
    std::mutex mutex_;
    std::map<void *, std::shared_ptr<handlers>> calls_;
  };

  call_group() = default;

  template <class Prompt>
  static std::function<void(document)> prompting(std::function<void(const Prompt &)> prompt) {
    if (!prompt) return {};
    return [prompt = std::move(prompt)](document text) { prompt(std::move(text).as<Prompt>()); };
  }

  static void finish(const handlers &handlers, tessera_status status, document response) {
    if (handlers.begun) {
      handlers.begun(detail::result_of<sign_in_session>(status, std::move(response)));
    } else {
      handlers.done(detail::result_of<token_result>(status, std::move(response)));
    }
  }

  template <class Function, class Request>
  result<std::int64_t> start(
      Function function, const application &application, const Request &request, handlers given) {
    void *pending = pending_->add(std::move(given));
    std::int64_t call = 0;
    char *response = nullptr;
    tessera_status status =
        function(handle_.get(), application.get(), detail::text_of(request).c_str(), pending, &call, &response);
    if (call != 0) {
      tessera_string_free(response);
      return call;
    }
    auto unused = pending_->take(pending);
    if (status == TESSERA_STATUS_OK) {
      finish(*unused, status, document::take(response));
      return call;
    }
    auto failed = detail::result_of<token_result>(status, response);
    if (!failed) return failed.error();
    // A cached token that covers only some of the scopes.
    unused->done(std::move(failed));
    return call;
  }

  std::unique_ptr<pending_calls> pending_ = std::make_unique<pending_calls>();
  std::unique_ptr<tessera_call_group, detail::freed<tessera_call_group_free>> handle_;
};

// MARK: - Library

/** Whether the loaded library has the binary interface of this header. If not, recompile the program. */
inline bool is_compatible() { return tessera_abi_version() == TESSERA_ABI_VERSION; }

/** Returns the features of the loaded library. */
inline result<library_features> get_library_features() {
  char *response = nullptr;
  tessera_status status = tessera_library_features(&response);
  return detail::result_of<library_features>(status, response);
}

/** Decodes a token without validation, for display and debugging. */
inline result<token_description> describe_token(const std::string &token) {
  char *response = nullptr;
  tessera_status status = tessera_token_describe(token.c_str(), &response);
  return detail::result_of<token_description>(status, response);
}

/** Lists the caches of Microsoft's tools on this machine. */
inline result<known_caches> get_known_caches(const store_request &request = {}, const cancelled_by &by = {}) {
  char *response = nullptr;
  tessera_status status = tessera_library_known_caches(detail::text_of(request).c_str(), by.get(), &response);
  return detail::result_of<known_caches>(status, response);
}

/** Delivers a redirect URL that this program was opened with to the pending sign-in of the same user. */
inline result<nothing> hand_over_url(const std::string &url, const cancelled_by &by = {}) {
  char *response = nullptr;
  tessera_status status = tessera_library_hand_over_url(url.c_str(), by.get(), &response);
  return detail::result_of<nothing>(status, response);
}

}  // namespace tessera

#endif  // TESSERA_HPP
