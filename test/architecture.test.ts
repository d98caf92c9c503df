// The house rules that a test can hold: which floor stands on which, who may import what, and what a file may hold.

import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { formats } from '../src/base/global-flags.ts';
import { referenceFamilies, resources } from '../src/model/resources/index.ts';

const root = join(import.meta.dirname, '..');
const src = join(root, 'src');

const read = (folder: string, pattern: string | string[]) =>
  globSync(pattern, { cwd: folder, exclude: ['**/node_modules'] }).map((path) => ({
    path,
    text: readFileSync(join(folder, path), 'utf8'),
  }));

const files = read(src, '**/*.ts');
const scripts = read(root, ['*.{js,ts}', '{bin,build,src,test}/**/*.{js,mjs,ts}']);

/** The files that break a rule: those that hold the pattern outside the places where it belongs. */
function breaking(pattern: RegExp, allowed: RegExp): string[] {
  return files.filter(({ path, text }) => !allowed.test(path) && pattern.test(text)).map(({ path }) => path);
}

const imports = (name: string): RegExp => new RegExp(`(from|import\\() ?'${name}['/]`);

/** The rooms of src/ from the top floor down. What stands on one line may not import each other. */
const floors = [
  ['entry'],
  ['commands'],
  ['cli'],
  ['import', 'seed'],
  ['changes'],
  ['reading'],
  ['session'],
  ['runs'],
  ['output'],
  ['client'],
  ['sandbox'],
  ['model'],
  ['base'],
];

const roomOf = (path: string): string => path.split('/')[0] ?? path;
const floorOf = (path: string): number => floors.findIndex((rooms) => rooms.includes(roomOf(path)));

/** What a file of src/ imports of src/: types, values, and what is loaded later. */
function importsOf({ path, text }: { path: string; text: string }): string[] {
  const found = text.matchAll(/(?:\bfrom |\bimport\(|\bimport )'(\.{1,2}\/[^']+\.ts)'/g);
  return [...found].map(([, id = '']) => join(dirname(path), id));
}

/** What is exported though one file of src/ alone uses it, and why. */
const exportedForOthers: Readonly<Record<string, readonly string[]>> = {
  'programs import it': [
    'client/library/sandbox.ts openSandbox',
    'client/library/sandbox.ts Sandbox',
    'client/library/sandbox.ts SandboxOptions',
    'client/library/sandbox.ts Listening',
    'client/library/sandbox.ts ListenOptions',
  ],
  'what is generated is made of it': ['output/render-error.ts errorMembers'],
  'tests hand in what the command has from the process or the network': [
    'commands/profile/add.ts addProfile',
    'commands/profile/check.ts checkProfile',
    'commands/profile/remove.ts forgetProfile',
    'commands/profile/set.ts changeSettings',
    'output/render.ts RenderOptions',
    'output/streams/io.ts ProcessStreams',
    'client/limiter.ts LimiterOptions',
    'sandbox/http/answer.ts Handler',
    'sandbox/http/serve.ts ServeOptions',
    'sandbox/http/serve.ts Served',
  ],
  'a table of cases holds it alone': [
    'session/doctor.ts CheckResult',
    'session/doctor.ts checksResult',
    'cli/derive/explain-page.ts effectText',
    'cli/derive/explain-page.ts requestText',
    'cli/derive/explain.ts explainGroups',
    'entry/complete.ts tabText',
    'entry/prepared.ts preparedText',
    'output/streams/io.ts maskSecrets',
    'output/text/html-text.ts holdsHtml',
    'session/profiles/settings.ts decideSettings',
    'base/global-flags.ts formats',
    'base/values/where.ts conditionForms',
    'sandbox/create.ts loadRecords',
  ],
};

/** Exported names, each with its file, that no other file of src/ imports, and that build/ doesn't name. */
function usedInOneFile(): string[] {
  const word = /[A-Za-z_$][\w$]*/g;
  const coded = files.map(({ path, text }) => ({ path, code: text.replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '') }));
  const declaration = /^export (?:abstract )?(?:async )?(?:function\*?|const|class|interface|type|let) ([\w$]+)/gm;
  const exported = coded.flatMap(({ path, code }) => [...code.matchAll(declaration)].map(([, name = '']) => ({ path, name })));
  const names = new Set(exported.map(({ name }) => name));
  const used = new Set<string>();
  for (const { path, code } of coded) {
    const use = (id: string, all: Iterable<string>): void => {
      for (const name of all) used.add(`${join(dirname(path), id)} ${name}`);
    };
    for (const [, list = '', id = ''] of code.matchAll(/\b(?:import|export) (?:type )?\{([^}]*)\} from '(\.[^']+)'/g))
      use(id, list.replaceAll(/\btype | as \w+/g, '').match(word) ?? []);
    // Of a module that is imported as a whole, or loaded later, each word of the file may be a name.
    for (const [, id = ''] of code.matchAll(/(?:\bimport\(|\* as \w+ from )'(\.[^']+)'/g))
      use(id, new Set(code.match(word)?.filter((one) => names.has(one))));
  }
  const built = new Set(scripts.filter(({ path }) => path.startsWith('build/')).flatMap(({ text }) => text.match(word) ?? []));
  return exported.filter(({ path, name }) => !used.has(`${path} ${name}`) && !built.has(name)).map(({ path, name }) => `${path} ${name}`);
}

/** Files that import each other in a circle, however long. */
function circles(): string[] {
  const imports = new Map(files.map((file) => [file.path, importsOf(file)]));
  return [...imports.keys()].filter((path) => {
    const reached = new Set(imports.get(path));
    for (const one of reached) for (const next of imports.get(one) ?? []) reached.add(next);
    return reached.has(path);
  });
}

describe('the floors', () => {
  it('every room of src/ stands on one', () => {
    expect(floors.flat().sort()).toEqual([...new Set(files.map(({ path }) => roomOf(path)))].sort());
  });

  it('each imports only what stands below it', () => {
    const upward = files.flatMap((file) =>
      importsOf(file)
        .filter((id) => roomOf(id) !== roomOf(file.path) && floorOf(id) <= floorOf(file.path))
        .map((id) => `${file.path} imports ${id}`),
    );
    expect(upward).toEqual([]);
  });

  it('what is written to streams is drawn elsewhere', () => {
    const drawing = files.filter(({ path }) => path.startsWith('output/streams/'));
    expect(drawing.filter((file) => importsOf(file).some((id) => id.startsWith('output/tables/'))).map(({ path }) => path)).toEqual([]);
  });

  it('the engine reads no flags and says nothing', () => {
    const engine = files.filter(({ path }) => path.startsWith('runs/'));
    const above = /^(output|session|base\/global-flags\.ts|model\/records)/;
    expect(
      engine.flatMap((file) =>
        importsOf(file)
          .filter((id) => above.test(id))
          .map((id) => `${file.path} imports ${id}`),
      ),
    ).toEqual([]);
  });

  it('no files import each other in a circle', () => {
    expect(circles()).toEqual([]);
  });

  it("stand in CONTRIBUTING's map as they stand here", () => {
    const map = /^src\/ .*\n((?: {2}.*\n)+)/m.exec(readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8'))?.[1] ?? '';
    const mapped = map.split('\n').flatMap((line) => line.slice(0, 23).match(/[a-z-]+(?:\/|\.ts)/g) ?? []);
    const rooms = mapped.map((name) => name.replace('/', ''));
    expect(rooms).toEqual(rooms.toSorted((a, b) => floorOf(a) - floorOf(b)));
    expect(rooms.toSorted()).toEqual(floors.flat().sort());
  });
});

describe('the house', () => {
  it('only client/ knows undici', () => expect(breaking(imports('undici'), /^client\//)).toEqual([]));

  it('only output/ knows chalk, ora and cli-table3', () => {
    expect(breaking(imports('(chalk|ora|cli-table3)'), /^output\//)).toEqual([]);
  });

  it('resources import nothing but their own definitions and the kinds of values', () => {
    const isOwn = (path: string): boolean => /^model\/(resources\/|(define|members|named)\.ts$)/.test(path);
    const allowed = (path: string): boolean => isOwn(path) || path === 'base/values/value-type.ts';
    const foreign = files
      .filter(({ path }) => isOwn(path))
      .flatMap(({ path, text }) =>
        [...text.matchAll(/from '([^']+)'/g)]
          .filter(([, id = '']) => !id.startsWith('.') || !allowed(join(dirname(path), id)))
          .map(() => path),
      );
    expect(foreign).toEqual([]);
  });

  it('what serves every family names none', () => {
    const names = [...resources, ...referenceFamilies].map(({ name }) => name);
    const family = new RegExp(`resources/(${names.join('|')})\\.ts|resource\\.name ===`);
    const folders = ['reading', 'changes', 'output', 'import', 'runs', 'client', 'model/bodies', 'model/records'];
    for (const folder of folders)
      expect(
        files.some(({ path }) => path.startsWith(`${folder}/`)),
        `no src/${folder}`,
      ).toBe(true);
    const plain = new RegExp(`^(${folders.join('|')})/|^commands/family\\.ts$`);
    // What one family alone has.
    const unusual = /^client\/library\/|^changes\/(leads\/|signed-status\.ts$)|^reading\/(snapshot|history\/runs)\.ts$/;
    const serving = files.filter(({ path }) => plain.test(path) && !unusual.test(path));
    expect(serving.filter(({ text }) => family.test(text)).map(({ path }) => path)).toEqual([]);
  });

  it('the process stays at the edge', () => {
    const edge =
      /^(entry\/[a-z-]+|output\/streams\/(io|write-now)|session\/profiles\/key-command|sandbox\/[a-z/]+|base\/files\/sqlite|client\/library\/client)\.ts$/;
    expect(breaking(/(?<![\w.'`])process\.(argv|env|stdout|stderr|stdin|exit\b|exitCode|cwd|on\()/, edge)).toEqual([]);
  });

  it('nothing asks for the name of an output format', () => {
    const name = `'(${formats.join('|')})'`;
    const compared = new RegExp(
      `\\boutput\\s*[!=]==?\\s*${name}|${name}\\s*[!=]==?\\s*[\\w.]*output\\b|'\\]\\.includes\\([\\w.]*output\\)`,
    );
    expect(breaking(compared, /^base\/global-flags\.ts$/), 'asks for a name: ask for a fact of formatFacts').toEqual([]);
  });

  it('works in a folder whose name a URL writes differently', () => {
    expect(scripts.filter(({ text }) => /import\.meta\.url\)\.pathname/.test(text)).map(({ path }) => path)).toEqual([]);
  });

  // A second Ctrl-C ends the process at once anyway: on Windows by an exit, because a signal there has the status 1.
  it('nothing exits in the middle of writing', () => expect(breaking(/process\.exit\(/, /^entry\/process\.ts$/)).toEqual([]));

  it('no type is waved through', () => {
    expect(breaking(/\bas any\b|@ts-ignore|@ts-expect-error/, /^$/)).toEqual([]);
    expect(breaking(/\bas unknown as\b/, /^$/)).toEqual([]);
  });

  it('the name of an exported type stands once', () => {
    const declared = /^(export )?(?:abstract )?(?:class|interface|type) (\w+)/gm;
    const places = new Map<string, string[]>();
    const exported = new Set<string>();
    // The library has names of its own, which programs import.
    for (const { path, text } of files.filter((file) => !file.path.startsWith('client/library/'))) {
      for (const [, isExported, name = ''] of text.matchAll(declared)) {
        places.set(name, [...(places.get(name) ?? []), path]);
        if (isExported !== undefined) exported.add(name);
      }
    }
    const twice = [...places].filter(([name, paths]) => exported.has(name) && paths.length > 1);
    expect(twice.map(([name, paths]) => `${name}: ${paths.join(', ')}`)).toEqual([]);
  });

  it('what is exported is used in two files', () => {
    expect(usedInOneFile().sort()).toEqual(Object.values(exportedForOthers).flat().sort());
  });

  it('a file says what it owns', () => {
    expect(files.filter(({ text }) => !/^(\/\/|\/\*)/.test(text)).map(({ path }) => path)).toEqual([]);
  });
});
