// SPDX-License-Identifier: MIT
/* The JSON of requests and results, and errors, without a network. Also compiled with -fno-exceptions. */
#include <cstdlib>
#include <cstring>
#include <iostream>

#include <tessera.hpp>

static int failures = 0;

#define CHECK(condition) check((condition), #condition, __LINE__)

static void check(bool holds, const char *what, int line) {
  if (holds) return;
  std::cerr << __FILE__ << ":" << line << ": " << what << "\n";
  failures++;
}

static void requests_have_the_assigned_members() {
  tessera::silent_request request;
  CHECK(tessera::detail::text_of(request) == "{}");
  request.scopes = {"User.Read", "a\"b\\c\n\x01"};
  request.force_refresh = false;
  request.timeout = std::chrono::seconds(2);
  request.home_account_id = "";
  request.extra_query_parameters = {{"a\"", "1"}, {"b", ""}};
  CHECK(tessera::detail::text_of(request) ==
        "{\"home_account_id\":\"\",\"scopes\":[\"User.Read\",\"a\\\"b\\\\c\\u000a\\u0001\"],\"force_refresh\":false,"
        "\"extra_query_parameters\":{\"a\\\"\":\"1\",\"b\":\"\"},\"timeout_milliseconds\":2000}");
  tessera::configuration configuration;
  configuration.client_id = "client";
  configuration.store = tessera::store_options();
  configuration.store->key_sources = std::vector<std::string>();
  configuration.tokens = tessera::token_options();
  configuration.tokens->expiry_margin = std::chrono::minutes(1);
  CHECK(tessera::detail::text_of(configuration) ==
        "{\"client_id\":\"client\",\"store\":{\"key_sources\":[]},\"tokens\":{\"expiry_margin_seconds\":60}}");
}

static void every_byte_of_a_text_is_escaped() {
  for (std::size_t at = 0; at < 40; at++) {
    for (int byte = 1; byte < 256; byte++) {
      tessera::silent_request request;
      std::string text(40, 'x');
      text[at] = static_cast<char>(byte);
      request.home_account_id = text;
      std::string object = tessera::detail::text_of(request);
      CHECK(tessera::document::parse<tessera::document>(object).get<std::string>("home_account_id") == text);
      bool is_escaped = byte < 0x20 || byte == '"' || byte == '\\';
      CHECK((object.find('\\') != std::string::npos) == is_escaped);
    }
  }
}

static void results_decode_their_members() {
  auto token = tessera::document::parse<tessera::token_result>(
      R"({"access_token":"a.b.c","expires_on":4102444800,"scopes":["x","y \u00e9\ud83d\ude00\t\/"],"id_token":null,)"
      R"("id_token_claims":{"a":[1,{"b":"]}"}],"c":"\\"},"persisted":true,"account":{"username":"\"alice\\",)"
      R"("tenant_profiles":[{"tenant_id":"one"},{"tenant_id":"two","is_home_tenant":true}]},"source":"cache"})");
  CHECK(token.access_token() == "a.b.c");
  CHECK(token.expires_on().time_since_epoch().count() == 4102444800);
  CHECK((token.scopes() == std::vector<std::string>{"x", "y \xc3\xa9\xf0\x9f\x98\x80\t/"}));
  CHECK(!token.id_token() && !token.refresh_on());
  CHECK(token.id_token_claims()->text == R"({"a":[1,{"b":"]}"}],"c":"\\"})");
  CHECK(token.id_token_claims()->parse([](const std::string &text) { return text.size(); }) == 29);
  CHECK(token.persisted() && token.source() == "cache" && token.declined_scopes().empty());
  CHECK(token.account().username() == "\"alice\\");
  CHECK(token.account().tenant_profiles().size() == 2);
  CHECK(token.account().tenant_profiles()[1].tenant_id() == "two");
  CHECK(token.account().tenant_profiles()[1].is_home_tenant());
  CHECK(!token.contains("missing") && token.get<std::string>("missing").empty());
  auto report = tessera::document::parse<tessera::migration_report>(R"({"preserved":{"AccessToken":3,"a\"b":-4}})");
  CHECK(report.preserved().size() == 2 && report.preserved()["a\"b"] == -4);
  CHECK(tessera::document::parse<tessera::token_result>("{}").access_token().empty());
  CHECK(tessera::document::take(nullptr).text().empty());
}

static void errors_have_a_class_for_each_remedy() {
  tessera::configuration wrong;
  wrong.client_id = "client";
  wrong.authority = "http://login.example";
  auto failed = tessera::application::create(wrong);
  CHECK(!failed && failed.status() == tessera::status::fix_configuration);
  CHECK(failed.error().code() == tessera::codes::invalid_authority);
  CHECK(std::strstr(failed.error().what(), "https") != nullptr);
  CHECK(!failed.error().details().retryable());
#if defined(__cpp_exceptions)
  try {
    static_cast<void>(failed.value());
    CHECK(false);
  } catch (const tessera::configuration_error &error) {
    CHECK(error.code() == failed.error().code());
  }
  try {
    tessera::detail::raise({static_cast<tessera::status>(99), {}});
  } catch (const tessera::internal_error &error) {
    CHECK(error.code().empty());
  }
#endif
}

static void the_library_describes_itself() {
  CHECK(tessera::is_compatible());
  CHECK(!tessera::get_library_features()->features().empty());
  auto described = tessera::describe_token("opaque");
  CHECK(described && described->kind() == "opaque" && !described->verified());
  auto delivered = tessera::hand_over_url("no URL");
  CHECK(!delivered && delivered.status() == tessera::status::fix_request);
}

static void requests_outlive_their_callbacks() {
  tessera::configuration configuration;
  configuration.client_id = "client";
  configuration.store.emplace().kind = "memory";
  std::vector<tessera::transport_request> kept;
  tessera::host host;
  host.transport = [&kept](const tessera::transport_request &request, const tessera::exchange &) {
    kept.push_back(request);
    tessera::transport_response response;
    response.error = "offline";
    return response;
  };
  auto application = tessera::application::create(configuration, host).value();
  tessera::device_code_request request;
  request.scopes = {"User.Read"};
  auto token = application.acquire_token_by_device_code(request, [](const tessera::device_code_prompt &) {});
  CHECK(token.status() == tessera::status::retry_later);
  CHECK(!kept.empty() && kept.front().method() == "GET");
  CHECK(kept.front().url().find("https://login.microsoftonline.com/") == 0);
}

int main() {
  requests_have_the_assigned_members();
  every_byte_of_a_text_is_escaped();
  results_decode_their_members();
  errors_have_a_class_for_each_remedy();
  the_library_describes_itself();
  requests_outlive_their_callbacks();
  return failures == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
