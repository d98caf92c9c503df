// The profile commands: services, and the keys to them.

import type { Command } from '../../cli/command.ts';
import { profileAdd } from './add.ts';
import { profileCheck } from './check.ts';
import { profileList } from './list.ts';
import { profileRemove } from './remove.ts';
import { profileSet } from './set.ts';
import { profileShow } from './show.ts';
import { profileUse } from './use.ts';

export const profileCommands: readonly Command[] = [
  profileAdd,
  profileSet,
  profileList,
  profileUse,
  profileShow,
  profileRemove,
  profileCheck,
];
