// The seed commands: records for demonstrations and tests, written once and taken away again.

import type { Command } from '../../command.ts';
import { seedApply } from './apply.ts';
import { seedDemo } from './demo.ts';
import { seedDestroy } from './destroy.ts';

export const seedCommands: readonly Command[] = [seedApply, seedDestroy, seedDemo];
