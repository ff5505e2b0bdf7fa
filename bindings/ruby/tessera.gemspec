# SPDX-License-Identifier: MIT
# frozen_string_literal: true

require_relative "lib/tessera/version"

Gem::Specification.new do |spec|
  spec.name = "tessera"
  spec.version = Tessera::VERSION
  spec.authors = ["The authors of Tessera"]
  spec.summary = "Sign-in to the Microsoft identity platform and to OpenID Connect providers"
  spec.description = "Access tokens from one token cache that all applications of a user on a machine share. " \
                     "Needs the Tessera library, which is loaded at run time."
  spec.homepage = "https://example.com/tessera"
  spec.license = "MIT"
  spec.required_ruby_version = ">= 3.1"
  spec.metadata = { "rubygems_mfa_required" => "true" }
  spec.files = Dir["{lib,sig}/**/*.{rb,rbs}", "ext/tessera/*.{c,h,rb}", "README.md", base: __dir__]
  spec.extensions = ["ext/tessera/extconf.rb"]
end
