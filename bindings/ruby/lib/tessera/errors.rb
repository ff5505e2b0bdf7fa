# SPDX-License-Identifier: MIT
# frozen_string_literal: true

module Tessera
  # The base class of all errors of the library; each subclass is a remedy. Every application must handle
  # SignInRequiredError: the user must sign in. For all others it is sufficient to show the message, and to try again
  # later if `retryable` is true.
  class Error < StandardError
    # @return [ErrorDetails] all members of the error
    attr_reader :details

    # For tests: an error with a message and other members, such as `code`.
    def initialize(message = nil, **members)
      @details = members[:details] || ErrorDetails.new(message: message.to_s, **members)
      text, code = @details.message, @details.code
      super(text.to_s.empty? ? (code || self.class.name) : (code ? "#{text} (#{code})" : text))
    end

    # @return [String] the name of the remedy, such as "sign_in"
    def remedy = self.class::REMEDY

    (ErrorDetails.public_instance_methods(false) - %i[message remedy]).each do |name|
      define_method(name) { @details.public_send(name) }
    end

    # Returns the error of a status. An unknown status is an internal error.
    # @api private
    def self.of(status, response)
      document = JSON.parse(response)["error"] unless response.empty?
      document ||= { "code" => Codes::INTERNAL_ERROR, "message" => "The response of the library cannot be read." }
      (BY_STATUS[status] || InternalError).new(details: ErrorDetails.from_document(document))
    end
  end

  # The user must sign in: start an interactive flow, and pass on `claims`.
  class SignInRequiredError < Error
    REMEDY = "sign_in"
  end

  # The network, the server or the store is unavailable: try again after `retry_after` seconds.
  class RetryLaterError < Error
    REMEDY = "retry_later"
  end

  # The request is invalid: correct it as the message describes.
  class InvalidRequestError < Error
    REMEDY = "fix_request"
  end

  # The configuration or the registration of the application must be corrected.
  class ConfigurationError < Error
    REMEDY = "fix_configuration"
  end

  # The token store cannot be used: repair it, or choose another one.
  class StorageError < Error
    REMEDY = "fix_storage"
  end

  # The user cancelled the call, or its `timeout` has passed.
  class CancelledError < Error
    REMEDY = "cancelled"
  end

  # An internal error: report it, including the message.
  class InternalError < Error
    REMEDY = "report_bug"
  end

  class Error
    REMEDY = InternalError::REMEDY
    BY_STATUS = [
      nil, SignInRequiredError, RetryLaterError, InvalidRequestError, ConfigurationError, StorageError, CancelledError,
      InternalError
    ].freeze
    private_constant :BY_STATUS
  end
end
