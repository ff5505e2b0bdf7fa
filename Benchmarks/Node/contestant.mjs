// SPDX-License-Identifier: MIT
// The Node.js contestant: acquires tokens through the binding, and reads each token. With "napi", it calls an
// empty function instead.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import readline from 'node:readline';

import { Application } from 'tessera-identity';

const [kind, clientId, authority, directory, group, requestFile] = process.argv.slice(2);
const { nothing } = createRequire(import.meta.url)('./floor.node');
const application = new Application({ clientId, authority, store: { directory, group } });
const requests = readFileSync(requestFile, 'utf8').trim().split('\n').map((line) => {
  const { home_account_id: homeAccountId, scopes } = JSON.parse(line);
  return { homeAccountId, scopes };
});

async function acquire(count, position, distinct) {
  for (let call = 0; call < count; call++) {
    const token = await application.acquireTokenSilent(requests[position]);
    if (!token.accessToken) throw new Error('an empty token');
    position = position + 1 === distinct ? 0 : position + 1;
  }
  return position;
}

async function call(count) {
  for (let each = 0; each < count; each++) nothing();
  return 0;
}

/** Returns the median of batches of a quarter of a millisecond, in nanoseconds per call. */
async function hit(distinct, seconds) {
  const times = [];
  const end = performance.now() + seconds * 1000;
  let size = 1;
  let position = 0;
  while (performance.now() < end || times.length === 0) {
    const start = process.hrtime.bigint();
    position = await (kind === 'napi' ? call : acquire)(size, position, distinct);
    const spent = Number(process.hrtime.bigint() - start);
    if (spent < 250_000) size *= 2;
    else times.push(spent / size);
  }
  return times.sort((a, b) => a - b)[times.length >> 1];
}

async function warm(count) {
  const start = process.hrtime.bigint();
  await acquire(count, 0, count);
  return Number(process.hrtime.bigint() - start);
}

console.log('ready');
for await (const line of readline.createInterface({ input: process.stdin })) {
  const [name, count, seconds] = line.split(' ');
  if (name === 'warm') console.log(await warm(Number(count)));
  else if (name === 'hit') console.log(await hit(Number(count), Number(seconds)));
  else throw new Error(`unknown command ${name}`);
}
