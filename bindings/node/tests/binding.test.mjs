// SPDX-License-Identifier: MIT

import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { promisify, inspect } from 'node:util';
import { Worker } from 'node:worker_threads';

import * as tessera from 'tessera-identity';

const {
  Application, CancelledError, ConfigurationError, InvalidRequestError, RetryLaterError, SignInRequiredError,
} = tessera;
const scopes = ['User.Read'];
const configuration = {
  clientId: 'x', authority: 'https://localhost:1/t', authorityType: 'entra', store: { kind: 'memory' },
  logLevel: 4,
};
/** A transport whose requests end only when they are aborted. */
const hanging = (begun = () => {}) => (request, { signal }) =>
  new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason));
    begun(request, signal);
  });
const prelude = `import { Application } from 'tessera-identity';
  const configuration = ${JSON.stringify(configuration)};
  const hanging = () => new Promise(() => {});
  const call = (host) => new Application(configuration, host).acquireTokenByDeviceCode({ scopes: ['a'] }, {});`;
/** Runs a module in another process. */
const run = (text, environment = {}) =>
  promisify(execFile)(process.execPath, ['--input-type=module', '--eval', text], {
    cwd: import.meta.dirname ?? path.dirname(new URL(import.meta.url).pathname),
    env: { ...process.env, ...environment },
  });

test('the modules of both kinds have the same classes', () => {
  const required = createRequire(import.meta.url)('tessera-identity');
  for (const [name, value] of Object.entries(tessera)) assert.equal(required[name], value);
  assert.equal(Object.keys(required).length, Object.keys(tessera).length);
});

test('the library has features', () => {
  assert.ok(Array.isArray(tessera.features().features));
});

test('a missing library is an error that names what to install', async () => {
  const text = `import { features } from 'tessera-identity';
    try { features(); } catch (error) { console.log(error.name, error.code, error.message); }`;
  const { stdout } = await run(text, { TESSERA_LIBRARY: '/missing/libtessera.so' });
  assert.match(stdout, /^ConfigurationError library_missing .*\/missing\/libtessera\.so.*Install it/);
  const relative = await run(text, { TESSERA_LIBRARY: 'libtessera.so' });
  assert.match(relative.stdout, /must be an absolute path/);
});

test('errors have a class, a code and a message', async () => {
  const application = new Application(configuration);
  await assert.rejects(application.acquireTokenSilent({ scopes }), (error) => {
    assert.ok(error instanceof SignInRequiredError && error instanceof tessera.TesseraError);
    assert.equal(error.name, 'SignInRequiredError');
    assert.equal(error.code, 'account_not_found');
    assert.equal(error.retryable, false);
    assert.match(error.stack, /^SignInRequiredError: .*\n.*\n?(.|\n)*binding\.test\.mjs/);
    return true;
  });
  assert.throws(() => new Application({ ...configuration, clientid: 'x' }), InvalidRequestError);
  assert.throws(() => new Application({ ...configuration, authority: 'http://a.example' }), ConfigurationError);
  assert.throws(() => tessera.describeToken('a\0b'), InvalidRequestError);
  await assert.rejects(application.acquireTokenSilent(), { code: 'missing_parameter' });
  await assert.rejects(application.acquireTokenSilent({ scopes: 1n }), TypeError);
});

test('an invalid value is an error', async () => {
  const application = new Application(configuration);
  for (const request of [{ scopes: 5 }, { scopes: [() => {}] }, { scopes, other: 1 }])
    await assert.rejects(application.acquireTokenSilent(request), InvalidRequestError);
});

test('calls of a closed application are rejected', async () => {
  const application = new Application(configuration);
  application.close();
  application.close();
  await assert.rejects(application.acquireTokenSilent({ scopes }), InvalidRequestError);
  await assert.rejects(application.getAccounts(), InvalidRequestError);
  await assert.rejects(application.acquireTokenByDeviceCode({ scopes }, {}), InvalidRequestError);
});

test('a request shows no secret', async () => {
  const authority = 'https://localhost:1/op';
  const metadata = {
    issuer: authority, authorization_endpoint: `${authority}/a`, token_endpoint: `${authority}/b`,
    device_authorization_endpoint: `${authority}/c`, jwks_uri: `${authority}/d`,
    response_types_supported: ['code'], subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256'],
  };
  let found;
  const application = new Application({ ...configuration, authority, authorityType: 'openid' }, {
    transport(request) {
      const headers = ['Content-Type: application/json'];
      if (!request.body) return { status: 200, headers, body: JSON.stringify(metadata) };
      found = request;
      return { status: 503 };
    },
  });
  await assert.rejects(application.acquireTokenByDeviceCode({ scopes }, {}));
  assert.match(found.body, /client_id=x/);
  const all = inspect(found, { showHidden: true });
  for (const text of [inspect(found), all, JSON.stringify(found), inspect({ a: [found] })])
    assert.doesNotMatch(text, /client_id=x/);
  assert.match(inspect(found), /body: '\[secret\]'/);
  assert.equal(inspect(application), 'Application {}');
});

test('a signal ends a call with its reason, and the request of the host', async () => {
  const controller = new AbortController();
  const reason = new Error('enough');
  let aborted;
  const hasAborted = new Promise((resolve) => (aborted = resolve));
  const application = new Application(configuration, {
    transport: hanging((_, signal) => {
      signal.addEventListener('abort', aborted);
      controller.abort(reason);
    }),
  });
  const call = application.acquireTokenByDeviceCode({ scopes }, { signal: controller.signal });
  await assert.rejects(call, (error) => error === reason);
  // A host that waits for its own request keeps the process running.
  const timer = setInterval(() => {}, 1000);
  await hasAborted;
  clearInterval(timer);
  for (const method of ['acquireTokenSilent', 'getAccounts', 'acquireTokenInteractive'])
    await assert.rejects(application[method]({}, { signal: controller.signal }), (error) => error === reason);
});

test('a signal ends a call on a thread', async () => {
  const controller = new AbortController();
  const call = tessera.findCaches({}, { signal: controller.signal });
  controller.abort();
  await call.catch((error) => assert.equal(error.name, 'AbortError'));
});

test('a deadline is an error of the library', async () => {
  const application = new Application(configuration, { transport: hanging() });
  const call = application.acquireTokenByDeviceCode({ scopes, timeoutMilliseconds: 100 }, {});
  await assert.rejects(call, (error) => error instanceof CancelledError && error.code === 'deadline_exceeded');
});

test('waiting calls do not delay files', async () => {
  let begun = 0;
  let all;
  const haveBegun = new Promise((resolve) => (all = resolve));
  const application = new Application(configuration, {
    transport: hanging(() => {
      if (++begun === 8) all();
    }),
  });
  const controller = new AbortController();
  let ended = 0;
  const calls = Array.from({ length: 8 }, () =>
    application.acquireTokenByDeviceCode({ scopes }, { signal: controller.signal }).catch(() => ended++),
  );
  await haveBegun;
  await readFile('/proc/self/stat');
  assert.equal(ended, 0);
  controller.abort();
  await Promise.all(calls);
});

test('an exception in the log or the key is a warning', async (context) => {
  const warnings = [];
  const note = (warning) => warnings.push(`${warning}`);
  process.on('warning', note);
  context.after(() => process.off('warning', note));
  const thrower = (text) => () => {
    throw new Error(text);
  };
  const later = async (text) => Promise.reject(new Error(text));
  const transport = () => ({ status: 503 });
  for (const log of [thrower('from the log'), () => later('later')]) {
    const application = new Application(configuration, { log, transport });
    await assert.rejects(application.acquireTokenByDeviceCode({ scopes }, {}), RetryLaterError);
  }
  const directory = await mkdtemp(path.join(tmpdir(), 'tessera-'));
  for (const storeKey of [thrower('from the key'), () => later('later')]) {
    const application = new Application({ ...configuration, store: { directory } }, { storeKey });
    assert.equal((await application.getStoreInfo()).problem.code, 'encryption_unavailable');
  }
  await rm(directory, { recursive: true });
  await turn();
  for (const text of ['log of the host failed: Error: from the log', 'log of the host failed: Error: later',
    'storeKey of the host failed: Error: from the key', 'storeKey of the host failed: Error: later'])
    assert.ok(warnings.some((each) => each.startsWith('TesseraWarning: ') && each.includes(text)), text);
});

test('an exception in the transport is a failure of the network', async () => {
  const application = new Application(configuration, {
    transport() {
      throw new Error('unplugged');
    },
  });
  await assert.rejects(application.acquireTokenByDeviceCode({ scopes }, {}), (error) => {
    assert.ok(error instanceof RetryLaterError);
    assert.match(error.message, /unplugged/);
    return true;
  });
  const other = new Application(configuration, {
    transport() {
      throw Object.assign(Object.create(null), { reason: 'no prototype' });
    },
  });
  await assert.rejects(other.acquireTokenByDeviceCode({ scopes }, {}), /no prototype/);
});

test('an invalid response of the transport is an error', async () => {
  const invalid = new Application(configuration, { transport: () => ({ status: 'x' }) });
  await assert.rejects(invalid.acquireTokenByDeviceCode({ scopes }, {}), tessera.TesseraError);
  const circular = {};
  circular.body = circular;
  const other = new Application(configuration, { transport: () => circular });
  await assert.rejects(other.acquireTokenByDeviceCode({ scopes }, {}), tessera.TesseraError);
});

test('the host provides the key of the store', async () => {
  const directory = await mkdtemp(path.join(tmpdir(), 'tessera-'));
  const store = { directory, group: 'a' };
  let asked = 0;
  const host = { storeKey: async () => (asked++, Buffer.alloc(32, 7)) };
  const application = new Application({ ...configuration, store }, host);
  assert.equal((await application.getStoreInfo()).keySource, 'caller');
  assert.equal(asked, 1);
  for (const storeKey of [() => Buffer.alloc(5), () => 'text', () => Promise.reject(new Error('locked'))]) {
    const info = await new Application({ ...configuration, store }, { storeKey }).getStoreInfo();
    assert.equal(info.problem.code, 'encryption_unavailable');
  }
  await rm(directory, { recursive: true });
});

test('applications are collected while calls are in progress', async () => {
  const controllers = [];
  const calls = [];
  for (let round = 0; round < 100; round++) {
    const application = new Application(configuration, { log() {}, transport: hanging() });
    const controller = new AbortController();
    controllers.push(controller);
    calls.push(assert.rejects(application.acquireTokenByDeviceCode({ scopes }, { signal: controller.signal })));
    calls.push(application.getAccounts());
    for (let count = 0; count < 10; count++) new Application(configuration, { log() {} });
    globalThis.gc?.();
    await turn();
  }
  controllers.forEach((each) => each.abort());
  await Promise.all(calls);
});

test('a closed application ends the requests of its host', async () => {
  let begun;
  const hasBegun = new Promise((resolve) => (begun = resolve));
  const application = new Application(configuration, { transport: hanging(begun) });
  const call = application.acquireTokenByDeviceCode({ scopes }, {});
  await hasBegun;
  application.close();
  await assert.rejects(call, RetryLaterError);
});

test('a process without calls exits, and one with a call waits for it', async () => {
  await run(`${prelude} await new Application(configuration, { log() {} }).getAccounts();`);
  const { stdout } = await run(
    `${prelude} call({ transport: () => ({ status: 503 }) }).catch((error) => console.log(error.code));`,
  );
  assert.equal(stdout, 'server_unavailable\n');
});

test('a process can exit in a callback', async () => {
  await run(`${prelude} call({ transport: () => process.exit(0) });`);
  await run(`${prelude} call({ transport: hanging }); setTimeout(() => process.exit(0), 100);`);
});

test('Ctrl-C ends a process that waits', async () => {
  const text = `${prelude} call({ transport: () => { console.log('waits'); return hanging(); } });`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', text], {
    cwd: path.dirname(new URL(import.meta.url).pathname), stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise((resolve) => child.on('exit', (_, signal) => resolve(signal)));
  child.stdout.once('data', () => child.kill('SIGINT'));
  assert.equal(await ended, 'SIGINT');
});

test('a worker can be terminated during its calls', async () => {
  const text = `
    const { parentPort, workerData } = require('node:worker_threads');
    const { Application } = require('tessera-identity');
    const host = { log() {}, transport: () => (parentPort.postMessage(''), new Promise(() => {})) };
    const application = new Application(workerData, host);
    application.acquireTokenByDeviceCode({ scopes: ['a'] }, {});
    for (let count = 0; count < 20; count++) application.getAccounts();`;
  for (let round = 0; round < 5; round++) {
    const worker = new Worker(text, { eval: true, workerData: configuration });
    await new Promise((resolve, reject) => worker.once('message', resolve).once('error', reject));
    await worker.terminate();
  }
});
