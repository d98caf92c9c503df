// What Wine 8 can't do, and what only a person at a console does. Loaded into each process by NODE_OPTIONS.

const { Socket } = require('node:net');

// A connection on which this was called before fails under Wine 8, and undici calls it.
Socket.prototype.setKeepAlive = function setKeepAlive() {
  return this;
};

// A console is played: standard input and standard error are files here.
if (process.env.PLAY_CONSOLE) for (const stream of [process.stdin, process.stderr]) stream.isTTY = true;

const { PLAY_CTRL_C: sign } = process.env;
if (sign && /[\\/]bin[\\/]crm\.js$/.test(process.argv[1])) {
  playCtrlC(sign);
  playTaskkill();
}

/** Plays Ctrl-C whenever the test makes a file. Only crm hears it: Node in what crm starts loads this module, too. */
function playCtrlC(path) {
  const { existsSync, rmSync } = require('node:fs');
  setInterval(() => {
    if (!existsSync(path)) return;
    rmSync(path);
    process.emit('SIGINT', 'SIGINT');
  }, 50).unref();
}

/** Plays `taskkill /pid N /t /f`: that of Wine 8 knows no /t. Other words reach the real one, and fail in the test. */
function playTaskkill() {
  const childProcess = require('node:child_process');
  const { spawn, spawnSync } = childProcess;
  childProcess.spawn = (command, args, ...rest) => {
    const [, pid] = command === 'taskkill' ? (/^\/pid (\d+) \/t \/f$/.exec(args.join(' ')) ?? []) : [];
    if (pid === undefined) return spawn(command, args, ...rest);
    const listed = spawnSync('wmic', ['process', 'get', 'ParentProcessId,ProcessId'], { encoding: 'utf16le' }).stdout;
    const processes = [...listed.matchAll(/(\d+) +(\d+)/g)].map(([, parent, own]) => ({ parent, own }));
    const tree = [pid];
    for (const one of tree) tree.push(...processes.filter(({ parent }) => parent === one).map(({ own }) => own));
    return spawn('taskkill', [...tree.flatMap((one) => ['/pid', one]), '/f'], ...rest);
  };
  require('node:module').syncBuiltinESMExports();
}
