// The page of the library for docs/reference/: its types as they are, with what is said of them. Pure.

import { pluralOf, type Resource } from '../../resources/define.ts';
import { capitalised, pascalCase } from '../../values/text/wording.ts';
import { clientTypes } from '../client-types.ts';

/** The texts that the page is made of: files of src/library, and a program that uses it. */
interface LibrarySources {
  readonly calls: string;
  readonly errors: string;
  readonly sandbox: string;
  readonly example: string;
}

/** A declaration that programs see: what is said of it, and its code. */
interface Declaration {
  readonly name: string;
  readonly says: string;
  readonly code: string;
}

/** The page's text. The same sources give the same text. Throws for a declaration that it looks for in vain. */
export function libraryPage(families: readonly Resource[], { calls, errors, sandbox, example }: LibrarySources): string {
  const client = declarationsIn(clientTypes(families, './types'));
  const shared = declarationsIn(calls);
  const kinds = declarationsIn(errors);
  const blocks = [
    '<!-- Written by `npm run generate`, from the types of the library. -->',
    '[crm](README.md)',
    '# The library',
    'The package brings two modules for programs, with types: `crm-admin/client` is the service, family by family, and `crm-admin/sandbox` a whole ' +
      'CRM in the same process, for tests. What each command does stands on the pages of its family; names in place of ids are for the command ' +
      'line alone. It needs Node.js 22.20 or newer.',
    fenced(example.trim()),
    '## Opening a client',
    ...['openClient', 'CrmClient'].flatMap((name) => shown(named(client, name))),
    ...['CommonOptions', 'ServiceOptions', 'SandboxServiceOptions', 'ClientOptions', 'Exchange', 'RateLimit'].flatMap((name) =>
      shown(named(shared, name)),
    ),
    '## Calls',
    'Behind its arguments each call takes options: `signal`, `timeout` and `retries` for this call alone.',
    ...shared.filter(({ name }) => !openingNames.includes(name)).flatMap(shown),
    '## Errors',
    'A call throws a `CrmError`, of a class for each situation of the program, and a `TypeError` for arguments of another kind than it takes.',
    ...kinds.flatMap(shown),
    ...families.flatMap((family) => [
      `## ${capitalised(pluralOf(family))}`,
      ...client.filter(({ name }) => isOf(family, name, families)).flatMap(shown),
    ]),
    '## The sandbox',
    ...declarationsIn(sandbox).flatMap(shown),
  ];
  return `${blocks.join('\n\n')}\n`;
}

const openingNames: readonly string[] = [
  'CommonOptions',
  'ServiceOptions',
  'SandboxServiceOptions',
  'ClientOptions',
  'Exchange',
  'RateLimit',
];

/** Whether a declaration is one of a family: it begins with its name, and with no longer one of another family. */
function isOf({ singular }: Resource, name: string, families: readonly Resource[]): boolean {
  const own = pascalCase(singular);
  const longer = families.map((one) => pascalCase(one.singular)).filter((one) => one.length > own.length);
  return name.startsWith(own) && !longer.some((one) => name.startsWith(one)) && name !== 'CrmClient';
}

function named(declarations: readonly Declaration[], name: string): Declaration {
  const found = declarations.find((one) => one.name === name);
  if (found === undefined) throw new Error(`the library has no ${name}`);
  return found;
}

/** The declarations of a file, divided by empty lines; of functions their heads, of classes what stands before the constructor. */
function declarationsIn(text: string): Declaration[] {
  const pattern = /^(?:\/\*\*(.*?)\*\/\n)?(export (?:declare )?(interface|type|class|function|async function|const) (\w+).*)$/s;
  return text
    .trimEnd()
    .split(/\n\n+/)
    .flatMap((block) => {
      const [, says = '', code, kind = '', name = ''] = pattern.exec(block) ?? [];
      return code === undefined ? [] : [{ name, says: prose(says), code: headOf(kind, code) }];
    });
}

function headOf(kind: string, code: string): string {
  const plain = code.replace(/^export (declare )?/, '');
  if (kind === 'class') return plain.includes('readonly ') ? `${plain}\n}` : `${plain.split(' {')[0]}`;
  if (kind === 'const') return `${plain.split(' =>')[0]}`;
  return kind.endsWith('function') ? (plain.split(/ \{\n|;$/)[0] ?? '') : plain;
}

/** What a comment says, without its stars, on one line. */
const prose = (comment: string): string => comment.replaceAll(/\s*\n \*? ?/g, ' ').trim();

const shown = ({ name, says, code }: Declaration): string[] => [`### ${name}`, ...(says === '' ? [] : [says]), fenced(code)];

const fenced = (code: string): string => `\`\`\`ts\n${code}\n\`\`\``;
