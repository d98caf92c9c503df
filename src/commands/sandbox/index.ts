// `crm sandbox`: makes, resets and serves the embedded CRM.

import type { Command } from '../../cli/command.ts';
import { sandboxExec } from './exec.ts';
import { sandboxInit } from './init.ts';
import { sandboxReset } from './reset.ts';
import { sandboxServe } from './serve.ts';

export const sandboxCommands: readonly Command[] = [sandboxInit, sandboxReset, sandboxServe, sandboxExec];

export { aboutSandbox } from './init.ts';
