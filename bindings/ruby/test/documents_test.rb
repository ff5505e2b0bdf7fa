# SPDX-License-Identifier: MIT
# frozen_string_literal: true

require "minitest/autorun"
require "pp"
require "tessera"

class DocumentsTest < Minitest::Test
  def test_a_result_has_ruby_values
    text = '{"access_token":"secret-1","expires_on":1700000000,"account":{"username":"bob@contoso.com"},' \
           '"id_token_claims":{"oid":"1"},"refresh_error":{"code":"network_failed","message":"down"}}'
    token = Tessera::TokenResult.from_text(text)
    assert_equal Time.at(1_700_000_000), token.expires_on
    assert_equal "bob@contoso.com", token.account.username
    assert_equal "1", token.id_token_claims["oid"]
    assert_equal "network_failed", token.refresh_error.code
    assert_empty token.declined_scopes
    assert_nil token.id_token
    assert_predicate token.account.username, :frozen?
    assert_equal token, Tessera::TokenResult.from_text(text)
    token => { access_token: }
    assert_equal "secret-1", access_token
  end

  def test_a_request_has_json
    request = Tessera::SilentRequest.new(scopes: ["User.Read"], timeout: 0.5, claims: nil)
    assert_equal '{"scopes":["User.Read"],"timeout_milliseconds":500}', request.text
    configuration = Tessera::Configuration.new(client_id: "\0\"", cloud: :china, store: { group: "a" })
    assert_equal '{"client_id":"\u0000\"","cloud":"china","store":{"group":"a"}}', configuration.text
    assert_raises(TypeError) { Tessera::SilentRequest.new(timeout: "3") }
    store = Tessera::StoreOptions.new(group: "a")
    assert_equal '{"client_id":"x","store":{"group":"a"}}', Tessera::Configuration.new(client_id: "x", store: store).text
  end

  def test_secrets_are_not_shown
    secrets = [
      Tessera::TokenResult.new(access_token: "secret-1", id_token: "secret-2", token_type: "Bearer"),
      Tessera::StoreOptions.new(key: "secret-3"),
      Tessera::Configuration.new(client_id: "x", store: { key: "secret-4" }),
      Tessera::Configuration.new(client_id: "x", store: Tessera::StoreOptions.new(key: "secret-5")),
      Tessera::TransportRequest.new(body: "secret-6"), Tessera::RedirectResponse.new(url: "secret-7", state: "secret-8"),
      Tessera::SignInRequiredError.new("sign in", code: "account_not_found")
    ]
    secrets.each do |each|
      [each.inspect, each.to_s, each.pretty_inspect, "#{each}", JSON.generate([each]), [each].inspect].each do |text|
        refute_match(/secret-/, text)
      end
    end
    assert_match(/access_token=\[secret\], id_token=\[secret\], token_type="Bearer"/, secrets[0].inspect)
    error = assert_raises(NoMethodError) { secrets[0].undefined }
    refute_match(/secret-/, error.message)
  end

  def test_an_error_has_a_class_and_a_code
    response = '{"error":{"code":"interaction_required","message":"Sign in.","claims":"{}","retry_after":3}}'
    error = Tessera::Error.of(1, response)
    assert_instance_of Tessera::SignInRequiredError, error
    assert_equal ["sign_in", "interaction_required", "{}", 3], [error.remedy, error.code, error.claims, error.retry_after]
    assert_equal "Sign in. (interaction_required)", error.message
    assert_instance_of Tessera::InternalError, Tessera::Error.of(99, response)
    assert_equal Tessera::Codes::INTERNAL_ERROR, Tessera::Error.of(7, "").code
    assert_equal "account_not_found", Tessera::SignInRequiredError.new("sign in", code: "account_not_found").code
  end
end
