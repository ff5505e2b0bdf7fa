# SPDX-License-Identifier: MIT
# Applications of Tessera with hashes as requests and results.
package Tessera;
use v5.36;
use FFI::Platypus 2.00;
use JSON::XS ();

package Tessera::Event {
    use FFI::Platypus::Record;
    record_layout_1(qw(size_t size sint64 call sint32 kind sint32 status opaque user_data opaque response));
}

package Tessera::Error {
    use overload '""' => sub ($self, @) { "$self->{remedy} ($self->{code}): $self->{message}\n" };
}

my $json = JSON::XS->new->utf8;
my $ffi = FFI::Platypus->new(api => 2, lib => $ENV{TESSERA_LIBRARY} // 'libtessera.so.1');
$ffi->type('record(Tessera::Event)*' => 'event');
$ffi->attach([tessera_abi_version => 'abi_version'], [] => 'sint32');
$ffi->attach([tessera_string_free => 'string_free'], ['opaque']);
$ffi->attach([tessera_application_create => 'application_create'], [qw(string opaque opaque* opaque*)] => 'sint32');
$ffi->attach([tessera_application_free => 'application_free'], ['opaque']);
$ffi->attach(["tessera_application_$_" => $_], [qw(opaque string opaque opaque*)] => 'sint32')
    for qw(acquire_token_silent get_accounts sign_out);
$ffi->attach([tessera_call_group_create => 'group_create'], [qw(opaque* opaque*)] => 'sint32');
$ffi->attach([tessera_call_group_free => 'group_free'], ['opaque']);
$ffi->attach([tessera_call_group_cancel => 'group_cancel'], [qw(opaque sint64)]);
$ffi->attach([tessera_call_group_next_event => 'next_event'], [qw(opaque sint64 event)] => 'sint32');
$ffi->attach(["tessera_call_group_$_" => "start_$_"], [qw(opaque opaque string opaque sint64* opaque*)] => 'sint32')
    for qw(acquire_token_silent acquire_token_by_device_code);
$ffi->attach_cast('string_at', 'opaque', 'string');
abi_version() == 1 or die "Another version of libtessera is installed.\n";

# Decodes a response and frees it.
sub taken ($response) {
    defined $response or die "Out of memory.\n";
    my $text = string_at($response);
    string_free($response);
    return $json->decode($text);
}

# Returns a result. Dies with its error, a hash with the members of "Error" in docs/c-interface.md.
sub result ($document) {
    die bless $document->{error}, 'Tessera::Error' if $document->{error};
    return $document;
}

sub new ($class, %configuration) {
    my ($handle, $response);
    application_create($json->encode(\%configuration), undef, \$handle, \$response);
    result(taken($response));
    return bless {handle => $handle}, $class;
}

sub DESTROY ($self) { application_free($self->{handle}) }

sub accounts ($self) {
    get_accounts($self->{handle}, undef, undef, \my $response);
    return result(taken($response))->{accounts}->@*;
}

sub silent ($self, %request) {
    acquire_token_silent($self->{handle}, $json->encode(\%request), undef, \my $response);
    return result(taken($response));
}

sub remove ($self, %request) {
    sign_out($self->{handle}, $json->encode(\%request), undef, \my $response);
    return result(taken($response));
}

# Performs a call on a thread of the library. $prompt receives a device code. $is_cancelled, called every 100 ms,
# returns whether to cancel the call. If they die, or a signal handler dies, the call is cancelled too.
sub wait ($self, $start, $request, $prompt = undef, $is_cancelled = sub { 0 }) {
    my ($group, $call, $response) = (undef, 0);
    group_create(\$group, \$response);
    result(taken($response));
    my $outcome = eval {
        $start->($group, $self->{handle}, $json->encode($request), undef, \$call, \$response);
        my $document = taken($response);
        while ($call) {
            my $event = Tessera::Event->new(size => $ffi->sizeof('record(Tessera::Event)'));
            next_event($group, 100, $event);
            $document = taken($event->response);
            last if $event->kind == 1;
            $prompt->($document) if $event->kind == 2;
            group_cancel($group, 0) if $is_cancelled->();
        }
        $document;
    };
    my $problem = $@;
    group_free($group);
    die $problem unless $outcome;
    return result($outcome);
}

sub device_code ($self, $request, @callbacks) {
    return $self->wait(\&start_acquire_token_by_device_code, $request, @callbacks);
}

1;
