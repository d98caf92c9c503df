// `crm seed`: creates and destroys records for demonstrations and tests.

import type { Command } from '../../cli/command.ts';
import { seedApply } from './apply.ts';
import { seedDemo } from './demo.ts';
import { seedDestroy } from './destroy.ts';
import { seedFrom } from './from.ts';

export const seedCommands: readonly Command[] = [seedApply, seedDestroy, seedDemo, seedFrom];
