// --jq against the jq of this machine: both make the same of a list.

import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { readGlobalFlags } from '../../src/base/global-flags.ts';
import { openJq } from '../../src/output/jq/jq.ts';
import { render } from '../../src/output/render.ts';
import { fakeIo } from '../support/fake-io.ts';
import { describeWith } from '../support/tools.ts';

/** What --jq prints of some data. */
async function printed(data: unknown, jq: string): Promise<string> {
  const { signal } = new AbortController();
  const io = fakeIo();
  const opened = await openJq(jq, { perRecord: false, signal });
  try {
    const flags = readGlobalFlags({ jq });
    await render(
      { kind: 'rows', isRead: true, data, shape: { columns: [], record: [] } },
      { io, flags, signal, now: new Date(0), jq: opened },
    );
    return io.stdoutText();
  } finally {
    await opened.close();
  }
}

describeWith(['jq'], 'the jq of this machine', {}, () => {
  const leads = [
    { id: 1, title: 'Till "new"\n', value: '88000.00', tags: ['hot', 'a b'], status: { id: 2, title: 'New' }, source: null },
    { id: 2, title: 'Ünïcödé 🔭', value: '10.50', tags: [], status: { id: 1, title: 'Won' }, source: 'web' },
    {
      id: 3,
      title: 'c\td',
      value: '7',
      tags: ['hot'],
      status: { id: 2, title: 'New' },
      source: 'web',
      extra: { deep: [1, [2, { x: true }]] },
    },
  ];
  // One program of all: a thread, and a process, each begin once.
  it('says the same', async () => {
    const filters = [
      '.',
      '.[]',
      '.[].title',
      'map(.value | tonumber) | add',
      'map({id, title})',
      'group_by(.status.id) | map({status: .[0].status.title, n: length})',
      'sort_by(.value | tonumber) | reverse | map(.id)',
      'map(select(.tags | index("hot"))) | length',
      '.[] | [.id, .title, .value] | @csv',
      '.[] | [.id, .title] | @tsv',
      '.[] | "\\(.id): \\(.title)"',
      'map(.source // "none") | unique',
      '[.. | numbers]',
      '[paths] | length',
      'to_entries | map(.key)',
      'map(keys)',
      '.[2].extra.deep | flatten',
      'map(has("extra"))',
      'INDEX(.id) | keys',
      'map(.tags[]) | unique_by(.) | join(",")',
      '.[1].title | explode | implode',
      '.[].title | test("[Tt]ill")',
      '.[0].title | ascii_downcase | ltrimstr("till")',
      '.[].title | gsub("[aeiou]"; "_")',
      'reduce .[] as $one (0; . + ($one.value | tonumber))',
      'limit(2; .[]) | .id',
      'first, last | .id',
      'min_by(.id).id, max_by(.id).id',
      'map(.value | split(".")) | .[1]',
      '[.[] | .title | @base64, @uri, @html]',
      'del(.[].tags, .[].status) | .[2]',
      '.[0] | tojson | fromjson | .id',
      'any(.[]; .source == "web"), all(.[]; .id > 0)',
      'map(.status) | map(with_entries(.value |= tostring))',
      '[range(0; 10; 3)], (infinite | isinfinite), ([1, null, "a", false] | sort)',
      '"2026-01-31T10:00:00Z" | fromdate | todate',
    ];
    const all = filters.map((filter) => `${JSON.stringify(filter)}, (${filter})`).join(', ');
    const real = spawnSync('jq', ['-rc', all], { input: JSON.stringify(leads), encoding: 'utf8' });
    expect(real.status).toBe(0);
    expect(await printed(leads, all)).toBe(real.stdout);
  });
});
