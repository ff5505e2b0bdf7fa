# SPDX-License-Identifier: MIT
# frozen_string_literal: true

module Tessera
  # The callbacks of an application. A Ruby thread performs them, because the library calls them on its own threads.
  # @api private
  class Host
    def initialize(log, store_key, transport)
      @log = log
      @store_key = store_key
      @transport = transport
      @mutex = Mutex.new
    end

    # Passes on the lines of an application, in their order.
    def write(application)
      return if @log.nil? || @mutex.owned?

      @mutex.synchronize do
        application.lines&.each { |level, message| attempt { @log.call(level, message) } }
      end
    end

    # Returns the response to a job; nil if the callback failed.
    def respond(kind, request)
      return attempt { @store_key.call } if kind == Native::JOB_STORE_KEY

      response = @transport.call(TransportRequest.from_text(request))
      TransportResponse.from(*(response.is_a?(Hash) ? [nil, response] : [response, {}])).text
    rescue StandardError, NotImplementedError => e
      TransportResponse.new(error: "#{e.class}: #{e.message}").text
    end

    private

    # An exception of a callback does not cross the library.
    def attempt
      yield
    rescue StandardError, NotImplementedError
      nil
    end
  end

  # The thread that performs the callbacks of all applications.
  # @api private
  module HostThread
    # Applications by their numbers. They are collected if the program does not use them any more.
    @applications = ObjectSpace::WeakMap.new
    @count = 0
    @starting = Mutex.new

    class << self
      def number
        @starting.synchronize { @count += 1 }
      end

      # Starts the thread at the first use in this process.
      def register(number, application)
        @applications[number] = application
        ensure_running
      end

      def ensure_running
        return if @thread&.alive?

        @starting.synchronize { start unless @thread&.alive? }
      end

      private

      def start
        @thread = Thread.new do
          loop do
            kind, number, request, job = Native.next_job
            perform(kind, @applications[number], request, job) if job
          end
        end
        @thread.name = "tessera"
        @thread.report_on_exception = false
      end

      # Other jobs than log lines may wait for a server, or for the user.
      def perform(kind, application, request, job)
        if application.nil? || job.abandoned?
          job.finish(nil)
        elsif kind == Native::JOB_LOG
          application.write_log
        else
          Thread.new do
            job.finish(application.respond_to_job(kind, request))
          ensure
            job.finish(nil)
          end
        end
      end
    end
  end
end
