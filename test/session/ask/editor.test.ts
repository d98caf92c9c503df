// The editor as a process: what it is told, and what it isn't.

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { editorOf, runEditor } from '../../../src/session/ask/editor.ts';
import type { Context } from '../../../src/session/context.ts';
import { fakeIo } from '../../support/fake-io.ts';
import { on } from '../../support/on-platform.ts';

it('inherits the environment without the key', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'crm-editor-'));
  const file = join(folder, 'file');
  const env = { PATH: process.env.PATH, CRM_API_KEY: 'hidden', COLOUR: 'blue' };
  const context = { io: fakeIo(), env, cwd: folder, signal: new AbortController().signal } as unknown as Context;
  await runEditor(context, { command: 'f() { env > "$1"; }; f', from: 'EDITOR' }, file);
  const seen = readFileSync(file, 'utf8');
  rmSync(folder, { recursive: true });
  expect(seen).toContain('COLOUR=blue');
  expect(seen).not.toContain('hidden');
});

it('is that of the platform where none is named', async () => {
  expect(editorOf({})).toEqual({ command: 'vi', from: undefined });
  expect(await on('win32', () => editorOf({}).command)).toBe('notepad');
  expect(await on('win32', () => editorOf({ EDITOR: 'edit' }))).toEqual({ command: 'edit', from: 'EDITOR' });
});
