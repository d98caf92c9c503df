// What Wine 8 can't do, and what only a person at a console does. Loaded into each process by NODE_OPTIONS.

const { Socket } = require('node:net');

// A connection on which this was called before fails under Wine 8, and undici calls it.
Socket.prototype.setKeepAlive = function setKeepAlive() {
  return this;
};

// A console is played: standard input and standard error are files here.
if (process.env.PLAY_CONSOLE) for (const stream of [process.stdin, process.stderr]) stream.isTTY = true;

// Ctrl-C, whenever the test makes this file.
const { PLAY_CTRL_C: sign } = process.env;
if (sign) {
  const { existsSync, rmSync } = require('node:fs');
  setInterval(() => {
    if (!existsSync(sign)) return;
    rmSync(sign);
    process.emit('SIGINT', 'SIGINT');
  }, 50).unref();
}
