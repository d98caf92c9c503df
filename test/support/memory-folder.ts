// A folder for temporary files of tests that no disk holds: what SQLite writes durably waits for a disk longer than tests compute.

import { accessSync, constants, existsSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const memory = '/dev/shm';

/** Bytes that are free in memory before tests write there: large workbooks, and exports of some 100,000 leads. */
const enough = 4 * 1024 ** 3;

/** The folder in memory, where there is one with room that lets scripts run; else the system's. TMPDIR goes before both. */
export function folderForTests(): string {
  if (process.env.TMPDIR || !existsSync(memory)) return tmpdir();
  const { bavail, bsize } = statfsSync(memory);
  return bavail * bsize >= enough && runsScripts(memory) ? memory : tmpdir();
}

function runsScripts(parent: string): boolean {
  const folder = mkdtempSync(join(parent, 'crm-scripts-'));
  try {
    const script = join(folder, 'script');
    writeFileSync(script, '', { mode: 0o700 });
    accessSync(script, constants.X_OK);
    return true;
  } catch {
    return false;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
