# SPDX-License-Identifier: MIT
# frozen_string_literal: true

module Tessera
  @loading = Mutex.new

  # The functions of the library that need no application.
  class << self
    # @return [LibraryFeatures] the features that the loaded library contains
    def features = result(LibraryFeatures) { Native.call(Native::CALL_FEATURES, "") }

    # Decodes a token without validation, for display and debugging.
    # @return [TokenDescription]
    def describe_token(token) = result(TokenDescription) { Native.call(Native::CALL_DESCRIBE, token) }

    # Lists the caches of Microsoft's tools on this machine.
    # @return [KnownCaches]
    def find_caches(request = nil, **members)
      request = StoreRequest.from(request, members)
      result(KnownCaches) { Native.call(Native::CALL_KNOWN_CACHES, request.text) }
    end

    # Delivers a redirect URL that this program was opened with to the pending sign-in of the same user.
    # @return [void]
    def hand_over_url(url)
      result(Result) { Native.call(Native::CALL_HAND_OVER_URL, url) }
      nil
    end

    # Loads the library at the first use.
    # @api private
    def load_library
      return if @is_loaded

      @loading.synchronize do
        problem = Native.load(packaged) unless @is_loaded
        raise ConfigurationError.new(problem, code: Codes::LIBRARY_MISSING) if problem

        @is_loaded = true
      end
    end

    # Returns the result of a call. A token that covers only some of the scopes is a result with the status 1.
    # @api private
    def decoded(type, status, response)
      return type.from_text(response) if status.zero?

      found = type.from_text(response) unless response.empty?
      raise Error.of(status, response) if found.nil? || found.to_h.key?(:error)

      found
    end

    private

    def result(type)
      load_library
      decoded(type, *yield)
    end

    # The path of a library in the folder of the extension.
    def packaged
      extension = $LOADED_FEATURES.find { |each| each.end_with?("/tessera/native.so") }
      File.join(File.dirname(extension), "libtessera.so.#{Native::ABI_VERSION}") if extension
    end
  end
end
