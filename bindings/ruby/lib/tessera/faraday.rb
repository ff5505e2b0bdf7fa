# SPDX-License-Identifier: MIT
# frozen_string_literal: true

require "faraday"
require "tessera"

module Tessera
  # Sends the tokens of an account with the requests of a Faraday connection:
  #
  #     require "tessera/faraday"
  #
  #     Faraday.new { |builder| builder.request :tessera, application, scopes: ["User.Read"] }
  #
  # It never signs in: if that is necessary, it raises a {SignInRequiredError}. A request with an Authorization header keeps
  # it. Put the middleware after those that retry requests or follow redirects.
  class FaradayMiddleware < ::Faraday::Middleware
    # @param application [Application]
    # @param request [SilentRequest, nil] the request; otherwise its members are keywords
    def initialize(app, application, request = nil, **members)
      super(app)
      @application = application
      @request = SilentRequest.from(request, members)
    end

    def call(env)
      headers = env[:request_headers]
      unless headers["Authorization"]
        check(env[:url])
        headers["Authorization"] = "Bearer #{@application.acquire_token_silent(@request).access_token}"
      end
      @app.call(env)
    end

    private

    LOOPBACK = %w[localhost 127.0.0.1 [::1]].freeze
    private_constant :LOOPBACK

    # A token must not be sent in the clear to another machine.
    def check(url)
      return if url.scheme == "https" || LOOPBACK.include?(url.host)

      raise ArgumentError, "a token is sent by https only, not to #{url.scheme}://#{url.host}"
    end
  end
end

Faraday::Request.register_middleware(tessera: Tessera::FaradayMiddleware)
