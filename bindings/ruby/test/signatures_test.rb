# SPDX-License-Identifier: MIT
# frozen_string_literal: true

require "minitest/autorun"
require "tessera"

class SignaturesTest < Minitest::Test
  # Every public method has a signature.
  def test_signatures_are_complete
    require "rbs"
    loader = RBS::EnvironmentLoader.new
    loader.add(path: Pathname(__dir__).parent / "sig")
    builder = RBS::DefinitionBuilder.new(env: RBS::Environment.from_loader(loader).resolve_type_names)
    own = %i[inspect to_s == eql? hash as_json document lines write_log respond_to_job]
    classes = Tessera.constants.map { |name| Tessera.const_get(name) }.grep(Class)
    classes.select { |each| each <= Tessera::Document || each == Tessera::Application }.each do |each|
      signatures = builder.build_instance(RBS::TypeName.new(name: each.name.split("::").last.to_sym,
                                                            namespace: RBS::Namespace.parse("::Tessera")))
      missing = each.public_instance_methods(false) - own - signatures.methods.keys
      assert_empty missing, each.name
    end
  rescue LoadError
    skip "the gem rbs is not installed"
  end
end
