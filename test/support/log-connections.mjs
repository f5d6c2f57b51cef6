// Loaded into a program under test with --import: writes every host that it resolves, connects to or sends to as a
// line of CONNECTION_LOG.

import { appendFileSync } from 'node:fs';
import dgram from 'node:dgram';
import dns from 'node:dns';
import net from 'node:net';

const note = (/** @type {unknown} */ host) =>
  appendFileSync(process.env['CONNECTION_LOG'] ?? '', `${host}\n`);

/** @param {any} object @param {string} name @param {(args: any[]) => unknown} hostOf */
function watch(object, name, hostOf) {
  const original = object[name];
  object[name] = function (...args) {
    note(hostOf(args));
    return Reflect.apply(original, this, args);
  };
}

watch(net.Socket.prototype, 'connect', ([first, second]) => {
  // Node itself calls this function with normalized arguments in an array.
  const options = Array.isArray(first) ? first[0] : first;
  if (typeof options !== 'object') return typeof second === 'string' ? second : 'localhost';
  return options.path ?? options.host ?? 'localhost';
});
watch(dns, 'lookup', ([host]) => host);
watch(dns.promises, 'lookup', ([host]) => host);
watch(dgram.Socket.prototype, 'send', (args) =>
  args.filter((one) => typeof one === 'string').at(-1),
);
