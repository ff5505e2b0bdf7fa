<?php
// SPDX-License-Identifier: MIT
// install (Debian): apt-get install php-cli
// usage: php example.php CONFIGURATION sign_in|token|accounts|sign_out [SCOPE...]
declare(strict_types=1);

require_once __DIR__ . '/Tessera.php';

[, $configuration, $command] = $argv;
$scopes = array_slice($argv, 3);
$commands = [
    'sign_in' => function (Tessera\Application $application) use ($scopes): void {
        $token = $application->deviceCode(['scopes' => $scopes], function (array $prompt): void {
            echo "Open this page:  $prompt[verification_uri]\nEnter this code: $prompt[user_code]\n";
        });
        echo "{$token['account']['username']}: signed in\n";
    },
    'token' => function (Tessera\Application $application) use ($scopes): void {
        $token = $application->silent(['scopes' => $scopes]);
        echo "{$token['account']['username']}: token from the $token[source]\n";
    },
    'accounts' => function (Tessera\Application $application): void {
        foreach ($application->accounts() as $account) {
            echo "$account[username]\n";
        }
    },
    'sign_out' => function (Tessera\Application $application): void {
        foreach ($application->accounts() as $account) {
            $application->signOut(['home_account_id' => $account['home_account_id']]);
            echo "$account[username]: signed out\n";
        }
    },
];
try {
    $commands[$command](new Tessera\Application(json_decode($configuration, true, 512, JSON_THROW_ON_ERROR)));
} catch (Tessera\Error $error) {
    fwrite(STDERR, "{$error->getMessage()}\n");
    exit(1);
}
