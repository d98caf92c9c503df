// Golden screens: what somebody sees who types a command, at the moment 2026-11-21T10:00:00Z.
//
// To add one: a line in a file of declared/ (any name; it exports `screens`), the build, then `npx vitest run test/screens -u`. Of each
// screen golden/ holds the text at each width, and one file with what is coloured, at the widest. Look at both before they are committed.
// `npm test` takes each screen at 80 columns (CRM_SCREENS=daily), CI also at its other widths (CRM_SCREENS=others); by itself the file
// takes all.
//
// The built command runs as a process for the first screen of each file of declared/, and where a screen has `keys`, `until` or `env`:
// questions, pagers, editors, and what the command finds out about its terminal. For the others this process runs the program, unless
// CRM_BIN names a build.

import { globSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { hereOnPath, type OnPath } from '../support/crm-on-path.ts';
import { describeWith } from '../support/tools.ts';
import { palettes } from './palettes.ts';
import type { Screen } from './screen.ts';
import { colorsOn, contrast, type Palette, plainText, styledLines, styleText } from './styles.ts';
import { openTerminals, stillClock, type Terminals } from './terminal.ts';

const golden = join(import.meta.dirname, 'golden');
const declared = globSync('declared/*.ts', { cwd: import.meta.dirname }).sort();
const modules = await Promise.all(
  declared.map((file) => import(join(import.meta.dirname, file)) as Promise<{ screens: readonly Screen[] }>),
);
const screens = modules.flatMap((module) => module.screens);
const widthsOf = ({ widths = [80, 120, 200] }: Screen): readonly number[] => widths;
const firsts = modules.map((module) => module.screens[0]);
const wantsProcess = (screen: Screen): boolean =>
  process.env.CRM_BIN !== undefined || firsts.includes(screen) || Boolean(screen.keys ?? screen.until ?? screen.env);
/** The one width of every day. */
const dailyWidthOf = (screen: Screen): number => (widthsOf(screen).includes(80) ? 80 : Math.min(...widthsOf(screen)));
const { CRM_SCREENS: asked } = process.env;
/** The widths at which a screen is taken now. */
const takenOf = (screen: Screen): readonly number[] =>
  widthsOf(screen).filter((width) => asked === undefined || (width === dailyWidthOf(screen)) === (asked === 'daily'));

/** What can be read with ease, as large or bold text has to be (WCAG 2, 1.4.3). */
const leastContrast = 3;

describeWith(['tmux'], 'screens', {}, () => {
  let terminals: Terminals;
  let here: OnPath;
  beforeAll(async () => {
    vi.stubEnv('TZ', 'UTC');
    terminals = await openTerminals();
    here = await hereOnPath(terminals.folder, stillClock);
  });
  afterAll(async () => {
    here?.stop();
    await terminals?.close();
    vi.unstubAllEnvs();
  });

  describe.concurrent.for(screens.filter((screen) => takenOf(screen).length > 0))('$name', (screen) => {
    const widest = Math.max(...widthsOf(screen));
    it.concurrent.for(takenOf(screen))('at %i columns', async (width, { expect }) => {
      const captured = await terminals.shot(screen, width, wantsProcess(screen) ? undefined : here.folder);
      const isWhole = screen.until !== undefined || plainText(captured).startsWith('$ ');
      expect(isWhole, 'something scrolled away: the screen wants more height').toBe(true);
      await expect(plainText(captured)).toMatchFileSnapshot(join(golden, `${screen.name}.${width}.txt`));
      if (width !== widest) return;
      await expect(styleText(captured)).toMatchFileSnapshot(join(golden, `${screen.name}.styles`));
      for (const palette of palettes) expect(faint(captured, palette), palette.name).toEqual([]);
    });
  });
});

it('golden files are those of the screens that are declared', () => {
  const names = screens.flatMap((screen) => [...widthsOf(screen).map((width) => `${screen.name}.${width}.txt`), `${screen.name}.styles`]);
  expect(readdirSync(golden).sort()).toEqual(names.sort());
});

/** The coloured texts that can hardly be read on a palette. A dot in a colour of the service's says nothing that isn't said beside it. */
function faint(captured: string, palette: Palette): string[] {
  return styledLines(captured)
    .flat()
    .filter(({ text, color }) => text.trim() !== '' && !(color?.startsWith('#') && /^[●*#\u2580-\u259f]+$/.test(text.trim())))
    .map((run) => ({ run, ...colorsOn(palette, run) }))
    .filter(({ text, behind }) => contrast(text, behind) < leastContrast)
    .map(({ run, text, behind }) => `${run.text}: ${text} on ${behind}`);
}
