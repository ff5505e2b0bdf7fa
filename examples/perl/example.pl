# SPDX-License-Identifier: MIT
# install (Debian): apt-get install libffi-platypus-perl libjson-xs-perl
# usage: perl -I. example.pl CONFIGURATION sign_in|token|accounts|sign_out [SCOPE...]
use v5.36;
use JSON::XS qw(decode_json);
use Tessera;

binmode STDOUT, ':encoding(UTF-8)';
$| = 1;
my ($configuration, $command, @scopes) = @ARGV;

my %commands = (
    sign_in => sub ($application) {
        my $token = $application->device_code({scopes => \@scopes}, sub ($prompt) {
            say "Open this page:  $prompt->{verification_uri}";
            say "Enter this code: $prompt->{user_code}";
        });
        say "$token->{account}{username}: signed in";
    },
    token => sub ($application) {
        my $token = $application->silent(scopes => \@scopes);
        say "$token->{account}{username}: token from the $token->{source}";
    },
    accounts => sub ($application) { say $_->{username} for $application->accounts },
    sign_out => sub ($application) {
        for my $account ($application->accounts) {
            $application->remove(home_account_id => $account->{home_account_id});
            say "$account->{username}: signed out";
        }
    },
);
eval { $commands{$command}->(Tessera->new(decode_json($configuration)->%*)); 1 } or print STDERR $@ and exit 1;
