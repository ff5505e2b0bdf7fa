<?php
// SPDX-License-Identifier: MIT
// The driver of the example in PHP; Tests/Runtimes/run describes the commands.
declare(strict_types=1);

require_once __DIR__ . '/../../../examples/php/Tessera.php';

/** Ends a call with a result of the driver. */
final class Ended extends Exception
{
    public function __construct(public readonly array $result)
    {
        parent::__construct();
    }
}

final class Driver
{
    private ?Tessera\Application $application = null;

    public function perform(array $command): array
    {
        return $this->{$command['do']}($command);
    }

    public static function respond(array $document): void
    {
        fwrite(STDOUT, json_encode($document) . "\n");
    }

    private function create(array $command): array
    {
        if (isset($command['transport']) || isset($command['configuration']['log_level'])) {
            return ['skipped' => 'threads of the library call callbacks, and must not enter the interpreter'];
        }
        return self::described(function () use ($command): array {
            $this->application = new Tessera\Application($command['configuration']);
            return [];
        });
    }

    private function silent(array $command): array
    {
        return self::described(fn(): array => isset($command['asynchronous'])
            ? $this->application->wait('acquire_token_silent', $command['request'])
            : $this->application->silent($command['request']));
    }

    private function device_code(array $command): array
    {
        $pauses = ($command['cancel_after_milliseconds'] ?? INF) / 100;
        $prompt = function (array $prompt) use ($command): void {
            if (isset($command['throws'])) {
                throw new Ended(['thrown' => $command['throws']]);
            }
            self::respond(['user_code' => $prompt['user_code']]);
        };
        $isCancelled = function () use (&$pauses): bool {
            return --$pauses <= 0;
        };
        return self::described(fn(): array => $this->application->deviceCode($command['request'], $prompt, $isCancelled));
    }

    private function accounts(array $command): array
    {
        return ['status' => 'ok', 'usernames' => array_column($this->application->accounts(), 'username')];
    }

    private function repeat(array $command): array
    {
        for ($index = 0; $index < 1000; $index++) {
            $this->silent($command);
        }
        $before = self::kilobytes();
        for ($index = 0; $index < $command['count']; $index++) {
            $result = $this->silent($command);
        }
        return ['kilobytes' => self::kilobytes() - $before] + $result;
    }

    private function drop(array $command): array
    {
        [$files, $before] = [self::descriptors(), self::kilobytes()];
        for ($index = 0; $index < $command['count']; $index++) {
            $this->create($command);
            $result = $this->silent($command);
        }
        $this->application = null;
        return ['descriptors' => self::descriptors() - $files, 'kilobytes' => self::kilobytes() - $before] + $result;
    }

    private function threads(array $command): array
    {
        return ['skipped' => 'the interpreter has no threads'];
    }

    private function fork(array $command): array
    {
        [$reader, $writer] = stream_socket_pair(STREAM_PF_UNIX, STREAM_SOCK_STREAM, 0);
        $child = pcntl_fork();
        if ($child === 0) {
            fwrite($writer, json_encode($this->silent($command)) . "\n");
            exit(0);
        }
        fclose($writer);
        $line = fgets($reader);
        pcntl_waitpid($child, $status);
        return $line !== false && $status === 0 ? json_decode($line, true) : ['status' => 'crashed'];
    }

    /** Makes a call and returns the members of its result. */
    private static function described(callable $call): array
    {
        try {
            $result = $call();
        } catch (Tessera\Error $error) {
            ['remedy' => $remedy, 'code' => $code] = $error->members;
            return ['status' => $remedy, 'code' => $code, 'claims' => $error->members['claims'] ?? null];
        } catch (Ended $ended) {
            return $ended->result;
        }
        return [
            'status' => isset($result['declined_scopes']) ? 'sign_in' : 'ok', 'token' => $result['access_token'] ?? null,
            'source' => $result['source'] ?? null, 'username' => $result['account']['username'] ?? null,
            'declined' => $result['declined_scopes'] ?? [],
        ];
    }

    private static function kilobytes(): int
    {
        preg_match('/VmRSS:\s*(\d+)/', file_get_contents('/proc/self/status'), $found);
        return (int)$found[1];
    }

    private static function descriptors(): int
    {
        return count(scandir('/proc/self/fd'));
    }
}

pcntl_async_signals(true);
pcntl_signal(SIGINT, fn() => throw new Ended(['interrupted' => true]));
$driver = new Driver();
while (($line = fgets(STDIN)) !== false) {
    Driver::respond($driver->perform(json_decode($line, true)));
}
