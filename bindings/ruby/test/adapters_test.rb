# SPDX-License-Identifier: MIT
# frozen_string_literal: true

require "minitest/autorun"
require "tessera/googleauth"

class AdaptersTest < Minitest::Test
  # Returns a new token for each call.
  class Application
    attr_reader :requests

    def initialize(lifetime = 3600)
      @lifetime = lifetime
      @requests = []
    end

    def acquire_token_silent(request = nil, **members)
      @requests << (request || Tessera::SilentRequest.new(**members)).to_h
      Tessera::TokenResult.new(
        access_token: "token-#{@requests.size}", token_type: "Bearer", scopes: ["User.Read"],
        expires_on: Time.now.to_i + @lifetime
      )
    end
  end

  def connection(url, *members, **keywords, &block)
    stubs = Faraday::Adapter::Test::Stubs.new do |each|
      each.get("/me") { |env| [200, {}, env[:request_headers]["Authorization"]] }
    end
    Faraday.new(url) do |builder|
      builder.request :tessera, *members, **keywords
      builder.adapter :test, stubs, &block
    end
  end

  def test_faraday_sends_a_token
    require "tessera/faraday"
    application = Application.new
    client = connection("https://graph.example", application, scopes: ["User.Read"])
    assert_equal "Bearer token-1", client.get("/me").body
    assert_equal "Bearer own", client.get("/me", nil, "Authorization" => "Bearer own").body
    assert_equal [{ scopes: ["User.Read"] }], application.requests
    assert_equal "Bearer token-2", connection("http://127.0.0.1:8", application, scopes: []).get("/me").body
    request = Tessera::SilentRequest.new(scopes: [])
    assert_equal "Bearer token-3", connection("https://graph.example", application, request).get("/me").body
    assert_raises(ArgumentError) { connection("http://graph.example", application, scopes: []).get("/me") }
  rescue LoadError
    skip "the gem faraday is not installed"
  end

  def test_credentials_set_headers
    application = Application.new
    credentials = Tessera::GoogleCredentials.new(application, scopes: ["User.Read"])
    assert_predicate credentials, :needs_access_token?
    refute credentials.expires_within?(60)
    headers = {}
    credentials.apply!(headers)
    assert_equal({ authorization: "Bearer token-1" }, headers)
    assert_equal({ a: 1, authorization: "Bearer token-2" }, credentials.updater_proc.call({ a: 1 }))
    refute_predicate credentials, :needs_access_token?
    assert credentials.expires_within?(4000)
    assert_equal "token-3", credentials.refresh!["access_token"]
    assert_equal({ scopes: ["User.Read"], force_refresh: true }, application.requests.last)
    refute_match(/token-/, credentials.inspect)
  end

  # A client of googleauth calls these methods.
  def test_credentials_have_the_methods_of_googleauth
    require "googleauth"
    %i[apply! apply updater_proc fetch_access_token! refresh! expires_within? expired? access_token expires_at].each do |name|
      theirs = Signet::OAuth2::Client.instance_method(name)
      ours = Tessera::GoogleCredentials.instance_method(name)
      assert_equal theirs.arity, ours.arity, name
    end
  rescue LoadError
    skip "the gem googleauth is not installed"
  end
end
