# SPDX-License-Identifier: MIT
# frozen_string_literal: true

require "tessera"

module Tessera
  # The tokens of an account, with the methods of the credentials of googleauth, for clients that accept such an object:
  #
  #     require "tessera/googleauth"
  #
  #     credentials = Tessera::GoogleCredentials.new(application, scopes: ["User.Read"])
  #     credentials.apply!(headers)
  #
  # It never signs in: if that is necessary, it raises a {SignInRequiredError}. It needs no other gem.
  class GoogleCredentials
    # @param application [Application]
    # @param request [SilentRequest, nil] the request; otherwise its members are keywords
    def initialize(application, request = nil, **members)
      @application = application
      @request = SilentRequest.from(request, members)
    end

    # Sets the header of a request. A token that expires within a minute is refreshed.
    def apply!(headers, _options = {})
      fetch_access_token!
      headers[:authorization] = "Bearer #{access_token}"
    end

    # @return [Hash] a copy of the headers with a token
    def apply(headers, options = {})
      headers.clone.tap { |each| apply!(each, options) }
    end

    # @return [Proc] the method {#apply}
    def updater_proc = lambda(&method(:apply))

    # Gets the cached token, or refreshes it.
    # @return [Hash{String => Object}] the token response
    def fetch_access_token!(_options = {}) = take(@application.acquire_token_silent(@request))

    # Gets a new token, after a server has rejected the present one.
    # @return [Hash{String => Object}] the token response
    def refresh!(_options = {})
      take(@application.acquire_token_silent(**@request.to_h, force_refresh: true))
    end

    # @return [String, nil] the last token
    def access_token = @token&.access_token

    # @return [Time, nil] the time at which the last token expires
    def expires_at = @token&.expires_on

    # Whether the last token has expired.
    def expired? = expires_within?(0)

    # Whether the last token expires within the given seconds; false if there is none.
    def expires_within?(seconds) = !@token.nil? && Time.now >= expires_at - seconds

    # Whether {#apply!} would get another token, if the cache has no newer one.
    def needs_access_token? = @token.nil? || expires_within?(60)

    # The token is a secret.
    def inspect = "#<#{self.class}>"

    private

    def take(token)
      @token = token
      {
        "access_token" => token.access_token, "token_type" => token.token_type, "scope" => token.scopes.join(" "),
        "expires_in" => (token.expires_on - Time.now).to_i
      }
    end
  end
end
