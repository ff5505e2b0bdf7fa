# SPDX-License-Identifier: MIT
# frozen_string_literal: true

require "json"

module Tessera
  # The members of requests and results. Neither can be changed.
  class Document
    # The members whose values are converted, and how.
    CONVERSIONS = {}.freeze
    # The members that are not shown.
    SECRETS = [].freeze
    NO_ELEMENTS = [].freeze
    NO_MEMBERS = {}.freeze
    private_constant :NO_ELEMENTS, :NO_MEMBERS

    # @return [Hash{Symbol => Object}] the members, with the secrets
    def to_h = @members.transform_keys(&:to_sym)

    # For pattern matching.
    def deconstruct_keys(_names) = to_h

    # Whether both have the same type and the same members.
    def ==(other) = other.class == self.class && other.to_h == to_h
    alias eql? ==

    def hash = [self.class, @members].hash

    # @return [String] the members, without the secrets
    def inspect
      members = @members.map do |name, value|
        " #{name}=#{self.class::SECRETS.include?(name.to_s) && !value.nil? ? "[secret]" : value.inspect}"
      end
      "#<#{self.class}#{members.join(",")}>"
    end
    alias to_s inspect

    # For serializers of Rails, which would write the instance variables.
    def as_json(*) = inspect
  end

  # A request, which can be used for several calls. nil means the default.
  class Request < Document
    # Returns a request, or one with the given members.
    def self.from(request, members)
      return new(**members) if request.nil?
      return request if request.instance_of?(self) && members.empty?

      raise ArgumentError, "expected a #{self}, or its members as keywords"
    end

    # @return [String] the text of the request
    attr_reader :text

    # @option members [Object] the members; the library rejects unknown ones
    def initialize(**members)
      conversions = self.class::CONVERSIONS
      @members = members.compact
      # A part of a request may be a hash.
      conversions.each { |name, type| @members[name] = type.new(**@members[name]) if nested?(type, @members[name]) }
      @members.freeze
      @text = JSON.generate(document).freeze
      freeze
    end

    # @return [Hash] the members as in the C interface
    def document
      conversions = self.class::CONVERSIONS
      return @members if conversions.empty?

      @members.to_h do |name, value|
        case conversion = conversions[name]
        when Array then [conversion[0], duration(name, value, conversion[1])]
        else [name, value.is_a?(Request) ? value.document : value]
        end
      end
    end

    private

    def duration(name, value, factor)
      raise TypeError, "#{name} must be a number of seconds, not #{value.inspect}" unless value.is_a?(Numeric)

      (value * factor).round
    end

    def nested?(type, value) = type.is_a?(Class) && value.is_a?(Hash)
  end

  # A result. Its text, and all of its members, are frozen.
  class Result < Document
    # @api private
    def self.from_text(text) = from_document(JSON.parse(text, freeze: true))

    # @api private
    def self.from_document(document)
      result = allocate
      result.send(:take, document)
      result
    end

    # For tests: a result with the given members.
    def initialize(**members) = take(members.transform_keys(&:to_s))

    private

    def take(document)
      conversions = self.class::CONVERSIONS
      @members = document.to_h do |name, value|
        type = conversions[name]
        [name, type.nil? || value.nil? ? value : converted(type, value)]
      end
      @members.freeze
      freeze
    end

    def converted(type, value)
      case value
      when Integer then Time.at(value).freeze
      when Array then value.map { |each| converted(type, each) }.freeze
      when Hash then type.from_document(value.transform_keys(&:to_s))
      else value
      end
    end
  end
end
