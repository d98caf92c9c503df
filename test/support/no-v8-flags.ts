// Keeps the flags of V8 as they are in a worker. Commands with long lists make V8 save memory until the end of their process: the tests that
// follow in the worker would take more processor time.

import v8 from 'node:v8';

v8.setFlagsFromString = () => undefined;
