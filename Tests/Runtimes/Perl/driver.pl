# SPDX-License-Identifier: MIT
# The driver of the example in Perl; Tests/Runtimes/run describes the commands.
use v5.36;
use JSON::XS qw(decode_json encode_json);
use Tessera;

$| = 1;
$SIG{INT} = sub { die {interrupted => \1} };
my $application;

sub respond ($document) { say encode_json($document) }

# Makes a call and returns the members of its result.
sub described ($call) {
    my $result = eval { $call->() };
    my $problem = $@;
    return {status => $problem->{remedy}, code => $problem->{code}, claims => $problem->{claims}}
        if ref $problem eq 'Tessera::Error';
    return $problem if ref $problem;
    die $problem if $problem;
    return {
        status => $result->{declined_scopes} ? 'sign_in' : 'ok', token => $result->{access_token},
        source => $result->{source}, username => $result->{account}{username},
        declined => $result->{declined_scopes} // [],
    };
}

sub create ($command) {
    return {skipped => 'threads of the library call callbacks, and must not enter the interpreter'}
        if $command->{transport} || $command->{configuration}{log_level};
    return described(sub { $application = Tessera->new($command->{configuration}->%*); {} });
}

sub silent ($command) {
    my $request = $command->{request};
    return described(sub { $application->wait(\&Tessera::start_acquire_token_silent, $request) })
        if $command->{asynchronous};
    return described(sub { $application->silent($request->%*) });
}

sub device_code ($command) {
    my $pauses = ($command->{cancel_after_milliseconds} // 'inf') / 100;
    my $prompt = sub ($prompt) {
        die {thrown => $command->{throws}} if $command->{throws};
        respond({user_code => $prompt->{user_code}});
    };
    return described(sub { $application->device_code($command->{request}, $prompt, sub { --$pauses <= 0 }) });
}

sub accounts ($command) { return {status => 'ok', usernames => [map { $_->{username} } $application->accounts]} }

sub kilobytes () {
    open my $file, '<', '/proc/self/status' or die;
    return (join('', <$file>) =~ /VmRSS:\s*(\d+)/)[0] + 0;
}

sub descriptors () { return scalar(() = glob '/proc/self/fd/*') }

sub repeat ($command) {
    silent($command) for 1 .. 1000;
    my ($before, $result) = (kilobytes());
    $result = silent($command) for 1 .. $command->{count};
    return {$result->%*, kilobytes => kilobytes() - $before};
}

sub drop ($command) {
    my ($files, $before, $result) = (descriptors(), kilobytes());
    for (1 .. $command->{count}) {
        create($command);
        $result = silent($command);
    }
    undef $application;
    return {$result->%*, descriptors => descriptors() - $files, kilobytes => kilobytes() - $before};
}

sub threads ($command) { return {skipped => 'an object of FFI::Platypus belongs to one thread'} }

sub in_a_child ($command) {
    my $child = open(my $pipe, '-|') // die "fork: $!";
    if (!$child) {
        respond(silent($command));
        exit;
    }
    my $line = <$pipe> // '{"status": "crashed"}';
    close $pipe or return {status => 'crashed'};
    return decode_json($line);
}

my %commands = (
    create => \&create, silent => \&silent, device_code => \&device_code, accounts => \&accounts, repeat => \&repeat,
    drop => \&drop, threads => \&threads, fork => \&in_a_child,
);
while (my $line = <STDIN>) {
    my $command = decode_json($line);
    respond($commands{$command->{do}}->($command));
}
