# SPDX-License-Identifier: MIT
# frozen_string_literal: true

require "io/wait"

module Tessera
  # An OAuth 2.0 public client. Any number of threads and fibers may use it, and the child processes of a fork.
  #
  # The methods accept the members of their request as keywords, or a request, which is faster if it is used repeatedly:
  #
  #     application.acquire_token_silent(scopes: ["User.Read"], timeout: 10)
  #
  #     REQUEST = Tessera::SilentRequest.new(scopes: ["User.Read"])
  #     application.acquire_token_silent(REQUEST)
  #
  # Timeouts are in seconds. nil means the default.
  class Application
    # Creates an application, and yields it to a block, after which it is closed. It performs no I/O.
    #
    # @param configuration [Configuration, nil] the configuration; otherwise its members are keywords
    # @param log [#call] receives the log messages: the level (1 error to 4 detail) and the text
    # @param store_key [#call] returns the 32 bytes of the key of the store
    # @param transport [#call] sends a {TransportRequest}, and returns a {TransportResponse} or its members. It must not
    #   follow redirects
    #
    # The callbacks run on threads of their own, several at the same time, and `log` also on the threads of calls. They must
    # not call the application. An exception counts as a failure of the callback.
    def self.open(configuration = nil, **members)
      application = new(configuration, **members)
      return application unless block_given?

      begin
        yield application
      ensure
        application.close
      end
    end

    # (see .open)
    def initialize(configuration = nil, log: nil, store_key: nil, transport: nil, **members)
      Tessera.load_library
      configuration = Configuration.from(configuration, members)
      @host = Host.new(log, store_key, transport) if log || store_key || transport
      @results = {}
      number = HostThread.number
      status, response, @native = Native.create(configuration.text, number, log, store_key, transport)
      raise Error.of(status, response) if @native.nil?

      HostThread.register(number, self) if @host
    end

    # Frees the application, after the calls that do not wait for a server have ended. Calls that do continue. Calls of a
    # closed application raise an IOError. An application that is not closed is freed when it is collected.
    # @return [void]
    def close
      write_log
      @native.close
      @results = {}.freeze
      nil
    end

    # The configuration has secrets.
    def inspect = "#<#{self.class}>"

    # Returns a cached token, or refreshes it, without user interaction. If the server granted fewer scopes than requested,
    # `declined_scopes` has the others.
    # @return [TokenResult]
    def acquire_token_silent(request = nil, **members)
      request = SilentRequest.from(request, members)
      known, result = @results[request.text]
      found = started(Native::START_ACQUIRE_TOKEN_SILENT, request, known)
      return result if found.equal?(known) && known

      is_cached = found.is_a?(Array)
      status, response = is_cached ? found : wait(found)
      result = Tessera.decoded(TokenResult, status, response)
      keep(request.text, response.freeze, result) if is_cached && status.zero?
      result
    end

    # Signs a user in on another device: it yields a code, and waits until the user enters it (RFC 8628).
    # @yieldparam prompt [DeviceCodePrompt]
    # @return [TokenResult]
    def acquire_token_by_device_code(request = nil, **members, &block)
      raise ArgumentError, "a block must show the device code" if block.nil?

      request = DeviceCodeRequest.from(request, members)
      waited(TokenResult, Native::START_ACQUIRE_TOKEN_BY_DEVICE_CODE, request, DeviceCodePrompt, &block)
    end

    # Signs a user in with a browser. The block receives the address of the sign-in page. Without a block the program
    # cannot show an address, and the call fails at once if there is no browser.
    # @yieldparam prompt [SignInPrompt]
    # @return [TokenResult]
    def acquire_token_interactive(request = nil, **members, &block)
      members = { shows_address: false, **members } if block.nil? && request.nil?
      request = InteractiveCallRequest.from(request, members)
      waited(TokenResult, Native::START_ACQUIRE_TOKEN_INTERACTIVE, request, SignInPrompt, &block)
    end

    # @api private
    def lines = @native.lines

    # @api private
    def write_log = @host&.write(self)

    # @api private
    def respond_to_job(kind, request) = @host.respond(kind, request)

    protected

    attr_reader :native

    private

    # The results are removed when there are too many.
    RESULT_LIMIT = 1000
    private_constant :RESULT_LIMIT

    def keep(text, response, result)
      @results = {} if @results.size >= RESULT_LIMIT
      @results[text] = [response, result].freeze unless @results.frozen?
    end

    # Starts a call: the call, its status and response, or `known` if that is the response.
    def started(function, request, known = nil)
      return @native.start(function, request.text, known) if @host.nil?

      HostThread.ensure_running
      @native.start(function, request.text, known).tap { write_log }
    end

    # Waits for the result of a call, which is cancelled if an exception ends the method.
    def wait(call)
      descriptor = IO.for_fd(call.descriptor, autoclose: false)
      loop do
        is_prompt, status, response = call.next
        if status.nil?
          descriptor.wait_readable
        elsif is_prompt
          yield response if block_given?
        else
          return status, response
        end
      end
    ensure
      call.close
      write_log
    end

    # Makes a call that may wait for a server or for the user.
    def waited(type, function, request, prompt = nil)
      found = started(function, request)
      found = wait(found) { |text| yield prompt.from_text(text) if block_given? } unless found.is_a?(Array)
      Tessera.decoded(type, *found)
    end

    # Makes a call that works offline, or takes little time.
    def called(type, function, request, data = nil, from = nil)
      HostThread.ensure_running if @host
      Tessera.decoded(type, *@native.call(function, request.text, data, from))
    ensure
      write_log
    end
  end
end
