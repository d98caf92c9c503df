// Builds dist/: a small entry with the answers that can be prepared (help, completion scripts), and the program behind it: one
// chunk with what every command needs, and chunks that load when a command wants them; and in dist/lib the library, with its types.
// Beside them stand the licences of what is in them. Types are checked by `npm run check`.

import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { isBuiltin } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';
import { licencesText, thirdParties } from './licences.js';
import { writeTypes } from './types.js';

/** A path with the slashes of Unix, also on Windows. */
const withSlashes = (path) => path.replaceAll('\\', '/');

/** The repository's folder, with its slash. */
export const root = withSlashes(fileURLToPath(new URL('..', import.meta.url)));

/** The path of a module in the repository, such as `src/entry/cli.ts`; undefined for any other module. */
function ownPath(id) {
  const path = withSlashes(id ?? '');
  return path.startsWith(root) ? path.slice(root.length) : undefined;
}

/** What packages load of which crm uses nothing, or next to nothing, with the code that stands in its place. */
const standIns = [
  // Commander can start programs as subcommands; crm has none, and this takes longer to load than commander itself.
  { module: 'node:child_process', of: 'commander', code: 'export default {};' },
  // undici can speak HTTP/2; crm has it speak HTTP/1.1 only (client/transport/http.ts). http2 takes a third of undici's time.
  { module: 'node:http2', of: 'undici', code: 'module.exports = { constants: {} };' },
  { module: './client-h2.js', of: 'undici', code: "module.exports = () => { throw new Error('crm speaks HTTP/1.1.'); };" },
  // A second parser, which a variable of undici's would turn on (UNDICI_USE_MILO): a third of undici's text.
  { module: './parser-h1.js', of: 'undici', code: 'module.exports = { getMiloEnabled: () => false };' },
  // Bodies that are forms of `fetch`; crm sends texts.
  ...['../web/fetch/body.js', '../web/fetch/formdata', '../web/webidl'].map((module) => ({ module, of: 'undici', code: '' })),
  // undici reads one number of Node's own client, which takes 3 ms: the longest headers, unless somebody set another length.
  {
    module: 'node:http',
    of: 'undici',
    code: `module.exports = /--max-http-header-size/.test([process.env.NODE_OPTIONS, ...process.execArgv].join(' '))
      ? process.getBuiltinModule('node:http') : { maxHeaderSize: 16384 };`,
  },
  // undici only calls it; an assertion that fails loads it (2 ms).
  {
    module: 'node:assert',
    of: 'undici',
    code: "module.exports = (value, message) => { if (!value) process.getBuiltinModule('node:assert').ok(value, message); };",
  },
  // cli-table3 measures only stand-ins of one column a character (output/tables/terminal-table.ts): its patterns of emoji take 7 ms.
  { module: 'string-width', of: 'cli-table3', code: 'module.exports = (text) => text.length;' },
];

const withStandIns = {
  name: 'with-stand-ins',
  resolveId: (id, importer) => {
    const index = standIns.findIndex(({ module, of }) => module === id && isOf(of, importer));
    return index < 0 ? undefined : `\0stand-in:${standIns[index].of}:${index}`;
  },
  load: (id) => standIns[/^\0stand-in:.*:(\d+)$/.exec(id)?.[1]]?.code,
};

const isOf = (name, path) => withSlashes(path ?? '').includes(`/node_modules/${name}/`);

/** The code of the thread that runs jq, as a text; its chunk goes to `chunks`. */
export async function threadText(chunks = []) {
  const made = await rolldown({
    input: `${root}src/output/jq/thread.ts`,
    platform: 'node',
    // Of jq-wasm what expects its module from outside: the others look for it where they lie, and a text lies nowhere.
    resolve: { conditionNames: ['edge-light', 'import'] },
    plugins: [{ name: 'module-outside', load: (id) => (id.endsWith('.wasm') ? 'export default undefined;' : undefined) }],
  });
  // The thread knows jq's streams by the names of functions.
  const { output } = await made.generate({ format: 'cjs', minify: { mangle: { keepNames: true }, compress: true, codegen: true } });
  await made.close();
  chunks.push(...output);
  return output[0].code;
}

/**
 * The code of the thread that runs jq stands as a text in the program: there is no file of its own to find. jq's module is a file of its
 * own; the executable has it inside.
 */
const threadInside = (chunks, format) => ({
  name: 'thread-inside',
  async load(id) {
    if (ownPath(id) !== 'src/output/jq/thread-code.ts') return undefined;
    const { moduleBytes } = await import('../src/output/jq/thread-code.ts');
    const file = this.emitFile({ type: 'asset', name: 'jq.wasm', source: await moduleBytes() });
    const bytes =
      format === 'cjs'
        ? `new Uint8Array(process.getBuiltinModule('node:sea').getRawAsset('jq.wasm'))`
        : `process.getBuiltinModule('node:fs/promises').readFile(new URL(import.meta.ROLLUP_FILE_URL_${file}))`;
    return `export const threadCode = ${JSON.stringify(await threadText(chunks))};\nexport const moduleBytes = async () => ${bytes};`;
  },
});

/**
 * The parser that undici reads answers with stands in it as a text; here it is a file of its own, and the executable has it inside: of two a
 * command wants one. Not in the library, which others bundle.
 */
const parserApart = (format) => ({
  name: 'parser-apart',
  async load(id) {
    const name = /\/undici\/lib\/llhttp\/(.*-wasm)\.js$/.exec(withSlashes(id))?.[1];
    if (name === undefined) return undefined;
    const { default: source } = await import(pathToFileURL(id));
    const file = this.emitFile({ type: 'asset', name: `${name}.wasm`, source });
    return format === 'cjs'
      ? `module.exports = process.getBuiltinModule('node:sea').getRawAsset('${name}.wasm');`
      : `export { bytes as 'module.exports' };
const bytes = process.getBuiltinModule('node:fs').readFileSync(new URL(import.meta.ROLLUP_FILE_URL_${file}));`;
  },
});

/** The completion scripts' texts stand in the program. */
const scriptsInside = {
  name: 'scripts-inside',
  async load(id) {
    if (ownPath(id) !== 'src/cli/completions/scripts.ts') return undefined;
    const { scriptOf, shells } = await import('../src/cli/completions/scripts.ts');
    const texts = Object.fromEntries(shells.map((shell) => [shell, scriptOf(shell)]));
    return `export const shells = ${JSON.stringify(shells)};\nconst texts = ${JSON.stringify(texts)};\nexport const scriptOf = (shell) => texts[shell];`;
  },
};

/** The texts beside some modules stand in the program, too: the demo data, the help topics. */
const textsBeside = {
  'src/sandbox/data/texts.ts': { name: 'dataText', extension: '.ndjson' },
  'src/cli/topics/texts.ts': { name: 'topicText', extension: '.txt' },
};

const textsInside = {
  name: 'texts-inside',
  async load(id) {
    const beside = textsBeside[ownPath(id) ?? ''];
    if (beside === undefined) return undefined;
    const { name, extension } = beside;
    const folder = dirname(withSlashes(id));
    const files = (await readdir(folder, { recursive: true })).filter((file) => file.endsWith(extension)).toSorted();
    const texts = await Promise.all(
      files.map(async (file) => [withSlashes(file).slice(0, -extension.length), await readFile(join(folder, file), 'utf8')]),
    );
    if (texts.length === 0) throw new Error(`There are no texts in ${folder}.`);
    return `const texts = ${JSON.stringify(Object.fromEntries(texts))};\nexport const ${name} = (name) => texts[name] ?? '';`;
  },
};

/** The seed file of `crm seed demo` stands in the program, too. */
const demoInside = {
  name: 'demo-inside',
  async load(id) {
    if (ownPath(id) !== 'src/seed/demo-text.ts') return undefined;
    return `export const demoText = () => ${JSON.stringify(await readFile(`${root}examples/demo.yaml`, 'utf8'))};`;
  },
};

/** What gives modules their texts. */
export const textPlugins = [scriptsInside, textsInside, demoInside];

const isUndici = (id) => isOf('undici', id);

/**
 * Node's own modules, fetched rather than imported: an import makes a module namespace, which reads every lazy member and so
 * loads half of Node. An unused member leaves no trace in the bundle.
 */
const builtinsFetched = {
  name: 'builtins-fetched',
  resolveId: (id, importer, { kind }) => {
    if (!isBuiltin(id)) return undefined;
    // undici has its own, so that no other package that requires them loads undici's chunk for them.
    const how = kind !== 'require-call' ? 'imported' : isUndici(importer) ? 'required-by-undici' : 'required';
    return { id: `\0${how}:${id.replace(/^node:/, '')}`, moduleSideEffects: false };
  },
  load: (id) => {
    const required = /^\0required(?:-by-undici)?:(.*)/.exec(id)?.[1];
    if (required !== undefined) return `module.exports = process.getBuiltinModule('node:${required}');`;
    return id.startsWith('\0imported:') ? fetched(`node:${id.slice('\0imported:'.length)}`) : undefined;
  },
};

function fetched(name) {
  const names = Object.keys(process.getBuiltinModule(name)).filter((member) => member !== 'default');
  const members = names.map((member, index) => `const m${index} = /*#__PURE__*/ (() => builtin.${member})();`);
  const exported = names.map((member, index) => `m${index} as ${member}`);
  return `const builtin = /*#__PURE__*/ process.getBuiltinModule('${name}');
${members.join('\n')}
export { ${exported.join(', ')} };
export default builtin;`;
}

/** The entry is built on its own, so that nothing of the program is loaded before the cache is on, and what a Tab needs is loaded on a Tab. */
const restApart = {
  name: 'rest-apart',
  resolveId: (id) => (/^\.\/(process|complete)\.ts$/.test(id) ? { id: id.replace(/ts$/, 'js'), external: true } : undefined),
};

const isOwn = (paths) => {
  const pattern = new RegExp(`^(${paths.join('|')})`);
  return (id) => pattern.test(/^src\/(.*)/.exec(ownPath(id) ?? '')?.[1] ?? '');
};

/** What a request over HTTP needs. A proxy is rare, and loads on its own. */
const isHttp = (id) =>
  isOwn(['client/transport/http.ts'])(id) || /^\0(?:required-by-|stand-in:)undici:/.test(id) || (isUndici(id) && !/proxy|socks5/.test(id));

/** What only a terminal needs: its pager, and the packages that draw on it. string-width loads apart: its Segmenter costs 20 ms. */
const isTerminal = (id) => isOwn(['output/streams/pager.ts'])(id) || /\/node_modules\/(chalk|cli-table3)\//.test(id);

/** What packages require of Node; each costs nothing until it is wanted. */
const isRequired = (id) => id.startsWith('\0required:');

/** The program, with three small modules that most of the late ones share. */
const isProgram = isOwn(['entry/process.ts', 'model/bodies/as-made.ts', 'model/identity.ts', 'model/resources/index.ts']);

/** The chunks of the installed program. */
const programChunks = [
  // The program with whatever it imports from the start: a file of its own would cost each module a read. The rest loads when it is wanted.
  { name: 'program', test: isProgram, priority: 2 },
  { name: 'tables', test: isOwn(['output/tables/']), priority: 1 },
  { name: 'effects', test: isOwn(['output/(effect|differences).ts', 'output/text/(styled-text|text-width).ts']), priority: 1 },
  { name: 'journal', test: isOwn(['changes/note.ts', 'runs/journal/']), priority: 1 },
  { name: 'terminal', test: isTerminal, priority: 0 },
  { name: 'http', test: isHttp, priority: 1 },
  { name: 'required', test: isRequired, priority: 1 },
];

/**
 * Bundles an entry and what it needs into a folder. `format`: `esm` or `cjs`; `extension` of the files; `single`: no chunks; `groups`:
 * what stands together in a chunk; `library`: for others, who bundle it and read its source maps; `more` options of the output. Gives the
 * chunks, each with the modules that it holds.
 */
export async function bundle(
  input,
  { dir, format, extension, single = false, groups = programChunks, plugins = [], library = false, more = {} },
) {
  const inside = [];
  const made = await rolldown({
    input,
    platform: 'node',
    plugins: [
      ...plugins,
      ...(library ? [] : [parserApart(format), inAscii]),
      threadInside(inside, format),
      ...textPlugins,
      withStandIns,
      builtinsFetched,
    ],
    checks: { ineffectiveDynamicImport: false },
  });
  const { output } = await made.write({
    dir,
    format,
    minify: { mangle: { keepNames: true }, compress: true, codegen: true },
    entryFileNames: `[name].${extension}`,
    chunkFileNames: `chunks/[name]-[hash].${extension}`,
    // The executable's have the names by which it asks for them.
    assetFileNames: format === 'cjs' ? '[name][extname]' : 'chunks/[name]-[hash][extname]',
    codeSplitting: single ? false : { groups },
    ...more,
  });
  await made.close();
  return [...output, ...inside];
}

/**
 * Writes characters beyond ASCII as escapes: V8 reads a text of one byte a character faster. They stand only in strings, templates and
 * expressions, where an escape means the same.
 */
const inAscii = {
  name: 'in-ascii',
  generateBundle: (_options, files) => {
    for (const file of Object.values(files)) if (file.type === 'chunk') file.code = file.code.replaceAll(/[^\0-\x7f]/g, escaped);
  },
};

const escaped = (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** Bundles the installed program into a folder: the entry without chunks, the rest with. Gives the chunks of both. */
export async function bundleProgram(dir) {
  const files = { dir, format: 'esm', extension: 'js' };
  const entry = await bundle({ crm: `${root}src/entry/cli.ts` }, { ...files, single: true, plugins: [restApart] });
  const tab = await bundle({ complete: `${root}src/entry/complete.ts` }, { ...files, single: true });
  const program = await bundle({ process: `${root}src/entry/process.ts` }, files);
  return [...entry, ...tab, ...program];
}

/** Stands first in each chunk of the library, because nobody knows which one runs first: on an older Node each fails in another way. */
const olderNode =
  "{const v=process.versions.node.split('.').map(Number);if(v[0]<22||v[0]===22&&v[1]<20)" +
  "throw new Error('crm-admin needs Node.js 22.20 or newer; this is '+process.version+'.')}";

/** Bundles the library into a folder: an entry for each import, and chunks of its own, with source maps. Gives the chunks. */
export function bundleLibrary(dir) {
  const entries = { sandbox: `${root}src/client/library/sandbox.ts`, client: `${root}src/client/library/client.ts` };
  return bundle(entries, { dir, format: 'esm', extension: 'js', groups: [], library: true, more: { banner: olderNode, sourcemap: true } });
}

/** Writes the prepared answers into a folder; gives their names. */
export async function prepareAnswers(folder) {
  const { preparedFiles } = await import('../src/entry/prepared-files.ts');
  const files = await preparedFiles();
  await mkdir(folder, { recursive: true });
  for (const [name, text] of files) await writeFile(join(folder, name), text);
  return [...files.keys()];
}

/** The works of others that are in some chunks (build/licences.js). */
export const thirdPartiesIn = (chunks) => thirdParties(chunks.flatMap((chunk) => chunk.moduleIds ?? []));

/** Writes THIRD_PARTY_LICENSES for the works of others into a folder. */
export const writeLicences = (folder, works) => writeFile(join(folder, 'THIRD_PARTY_LICENSES'), licencesText(works));

/** The command that signs an executable, undefined where none is needed: a Mac starts no executable whose signature `strip` has broken. */
export const signingOf = (platform, file) => (platform === 'darwin' ? ['codesign', ['--force', '--sign', '-', file]] : undefined);

if (import.meta.main) {
  const dir = `${root}dist/`;
  const library = join(dir, 'lib');
  // build/standalone.js makes the executable, which takes long: a build of the program leaves it.
  const old = existsSync(dir) ? (await readdir(dir)).filter((name) => name !== 'standalone') : [];
  for (const name of old) await rm(join(dir, name), { recursive: true });
  const chunks = [...(await bundleProgram(dir)), ...(await bundleLibrary(library))];
  await writeTypes(library);
  await prepareAnswers(join(dir, 'prepared'));
  await writeLicences(dir, thirdPartiesIn(chunks));
}
