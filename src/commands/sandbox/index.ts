// `crm sandbox …`: the embedded CRM, made, reset and served.

import type { Command } from '../../command.ts';
import { sandboxInit } from './init.ts';
import { sandboxReset } from './reset.ts';
import { sandboxServe } from './serve.ts';

export const sandboxCommands: readonly Command[] = [sandboxInit, sandboxReset, sandboxServe];

export { whatItIs } from './init.ts';
