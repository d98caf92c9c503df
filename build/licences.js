// Writes THIRD_PARTY_LICENSES: name, version, licence and its text for every package that really is in a bundle, read from the
// bundler's lists of modules and from the packages themselves. What has no name or no text is an error: it can't be shipped.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

const isLicenceFile = (name) => /^(licen[cs]e|copying|notice)([-.].*)?$/i.test(name);

/** What lies in a package under a licence of its own that the package doesn't carry. `text` says where the text really is. */
const carried = [
  ...[
    ['jq', 'MIT'],
    ['oniguruma', 'BSD-2-Clause'],
    ['decnumber', 'ICU'],
    ['emscripten', 'MIT'],
    ['musl', 'MIT'],
  ].map(([name, licence]) => ({ name, licence, module: /\/jq-wasm\//, text: () => inTheModuleOfJq(name) })),
  { name: 'llhttp', licence: 'MIT', module: /\/undici\/lib\/llhttp\//, text: () => sectionOf('llhttp', nodeLicence().text) },
];

/**
 * The third-party parts among modules, as `{ name, version, licence, text }` sorted by name.
 * `moduleIds`: the bundler's, with its made-up modules, which begin with a NUL. Throws for what has no name, version, licence or text.
 */
export function thirdParties(moduleIds) {
  const ids = [...moduleIds].map((id) => id.replaceAll('\\', '/'));
  const folders = new Set(ids.map(packageFolder).filter((folder) => folder !== undefined));
  const inside = carried.filter(({ module }) => ids.some((id) => module.test(id)));
  const parts = [...folders]
    .map((folder) => readPackage(folder))
    .concat(inside.map(({ name, licence, text }) => ({ name, licence, text: text() })));
  return parts.sort((a, b) => (label(a) < label(b) ? -1 : 1));
}

/** Node itself, which is in the executable: that of the project, which runs this. Throws when another Node runs it. */
export function nodeLicence() {
  const system = process.platform === 'win32' ? 'win' : process.platform;
  const prefix = process.platform === 'darwin' && process.arch === 'arm64' ? 'node-bin' : 'node';
  const require = createRequire(createRequire(join(root, 'package.json')).resolve('node/package.json'));
  const file = require.resolve(`${prefix}-${system}-${process.arch}/package.json`);
  const node = readPackage(join(file, '..'), nodeTexts);
  if (`v${node.version}` !== process.version)
    throw new Error(`Node ${process.version} runs the build; the licence is that of ${node.version}.`);
  return { ...node, name: 'node' };
}

/** The text of THIRD_PARTY_LICENSES. */
export function licencesText(parts) {
  const rule = '='.repeat(80);
  const each = parts.map((part) => `${rule}\n${label(part)} (${part.licence})\n${rule}\n\n${part.text}\n`);
  return ['crm is made with the works of others, which are part of it. Their licences:\n', ...each].join('\n');
}

const label = ({ name, version }) => (version === undefined ? name : `${name} ${version}`);

/** The folder of the package that a module is of; undefined for the project's own and those that its build makes up. */
function packageFolder(id) {
  if (id.startsWith('\0rolldown/')) return join(root, 'node_modules', 'rolldown');
  const folder = /^\0?(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(id)?.[1];
  if (folder !== undefined) return folder;
  if (id.startsWith('\0') || id.startsWith(root.replaceAll('\\', '/'))) return undefined;
  throw new Error(`${id} is in the bundle, and of no package: its licence is not known.`);
}

/** jq-wasm has only its own licence: those of what is compiled into its module stand beside the code that runs it. */
const inTheModuleOfJq = (name) => readFileSync(join(root, 'src/output/jq/licences', `${name}.txt`), 'utf8').trim();

/** Node's licence, for a package of Node that lacks it, such as that for Windows. A test compares it with the packages that have it. */
const nodeTexts = () => [readFileSync(join(root, 'docs', 'licences', 'node.txt'), 'utf8').trim()];

/** A package as a part. `otherwise`: gives the licence texts of a package without such a file. */
export function readPackage(folder, otherwise = () => []) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  for (const [what, value] of Object.entries({ name, version, license })) {
    if (typeof value !== 'string' || value === '') throw new Error(`${folder} is in the bundle, but its package.json has no ${what}.`);
  }
  const own = licenceTexts(folder);
  const texts = own.length > 0 ? own : otherwise();
  if (texts.length === 0) {
    throw new Error(`${name} ${version} (${license}) is in the bundle without a licence text: say in build/licences.js where it is.`);
  }
  return { name, version, licence: license, text: texts.join('\n\n') };
}

function licenceTexts(folder) {
  if (!existsSync(folder)) return [];
  const names = readdirSync(folder).filter(isLicenceFile).sort();
  return names.map((name) => readFileSync(join(folder, name), 'utf8').replaceAll('\r\n', '\n').trim()).filter((text) => text !== '');
}

/** One part's text out of Node's licence, which holds those of everything inside it. Throws when it isn't there. */
function sectionOf(part, text) {
  const found = new RegExp(`^- ${part}, located at \\S+ is licensed as follows:\\n {2}"""\\n(.*?)\\n {2}"""$`, 'ms').exec(text)?.[1];
  if (found === undefined) throw new Error(`Node's licence has no section on ${part}.`);
  return found.replace(/^ {4}/gm, '');
}
