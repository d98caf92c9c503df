#!/usr/bin/env node
// Parses on any Node; says plainly which one it needs; then hands over to the bundle.

var version = process.versions.node.split('.').map(Number);
if (version[0] < 22 || (version[0] === 22 && version[1] < 20)) {
  process.stderr.write('crm needs Node.js 22.20 or newer; this is ' + process.version + '.\n');
  process.exitCode = 1;
} else {
  import('../dist/crm.js');
}
