// Preloaded into the command: writes the target of each connection, one a line, to the file named by CRM_TEST_CONNECTIONS.

import dgram from 'node:dgram';
import dns from 'node:dns';
import { appendFileSync } from 'node:fs';
import net from 'node:net';

const note = (what) => {
  const file = process.env.CRM_TEST_CONNECTIONS;
  if (file !== undefined) appendFileSync(file, `${what}\n`);
};

const { connect } = net.Socket.prototype;
net.Socket.prototype.connect = function (...args) {
  const [first] = Array.isArray(args[0]) ? args[0] : args;
  const { host = 'localhost', port = first, path } = typeof first === 'object' && first !== null ? first : { host: args[1] };
  note(path === undefined ? `${host}:${port}` : path);
  return connect.apply(this, args);
};
for (const name of ['lookup', 'resolve', 'resolve4', 'resolve6', 'resolveTxt']) {
  const original = dns[name];
  dns[name] = (host, ...rest) => {
    note(`dns ${host}`);
    return original(host, ...rest);
  };
}
const { send } = dgram.Socket.prototype;
dgram.Socket.prototype.send = function (...args) {
  note('udp');
  return send.apply(this, args);
};
