// Writes what an executable is made of as CycloneDX 1.6 (https://cyclonedx.org/docs/1.6/json/): the same parts as its licences, which
// come from the bundler's lists of modules. It has no time and no number of its own, so that two builds are equal.

import { readFileSync } from 'node:fs';
import { version as versionOfJq } from 'jq-wasm';

const own = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));

/** Works inside Node that have advisories of their own, with their versions in the Node that runs this script. */
const insideNode = [
  ['openssl', 'Apache-2.0'],
  ['v8', 'BSD-3-Clause'],
  ['sqlite', 'blessing'],
  ['icu', 'Unicode-3.0'],
].map(([name, licence]) => ({ name, licence, version: process.versions[name], isGeneric: true }));

const jq = /\d+(\.\d+)+/.exec(await versionOfJq())?.[0];

/** What a release of jq carries in its `vendor/`, which tells no version at run time: jqlang/jq, vendor/oniguruma and decNumberLocal.h. */
const insideJq = { '1.8.2': { oniguruma: '6.9.10', decnumber: '3.68' } }[jq];
if (insideJq === undefined) throw new Error(`jq ${jq} is inside: say in build/sbom.js which oniguruma and decNumber its release carries.`);

/** The versions of works inside packages, as far as they are known. */
const versions = { jq, ...insideJq };

/** The bill of materials of the program for some parts (build/licences.js), as text. */
export function sbomText(parts) {
  const program = { type: 'application', 'bom-ref': own.name, name: own.name, version: own.version, ...licensed(own.license) };
  const components = [...parts.map((part) => component({ version: versions[part.name], ...part })), ...insideNode.map(component)];
  const bom = {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: { component: program },
    components,
    dependencies: [{ ref: own.name, dependsOn: components.map((one) => one['bom-ref']) }],
  };
  return `${JSON.stringify(bom, undefined, 2)}\n`;
}

/** A part without a version lies inside another package, and is no package itself. */
function component({ name, version, licence, isGeneric = name in versions }) {
  if (version === undefined) return { type: 'library', 'bom-ref': name, name, ...licensed(licence) };
  const isRuntime = name === 'node';
  const purl = isRuntime || isGeneric ? `pkg:generic/${name}@${version}` : `pkg:npm/${name.replace('@', '%40')}@${version}`;
  return { type: isRuntime ? 'platform' : 'library', 'bom-ref': purl, ...named(name), version, ...licensed(licence), purl };
}

/** A scoped package's scope is its group. */
function named(name) {
  const [, group, rest] = /^(@[^/]+)\/(.+)$/.exec(name) ?? [];
  return group === undefined ? { name } : { group, name: rest };
}

/** One licence is its SPDX id; several are an SPDX expression. */
const licensed = (licence) => ({ licenses: [/\s/.test(licence) ? { expression: licence } : { license: { id: licence } }] });
