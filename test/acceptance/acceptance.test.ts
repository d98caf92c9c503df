// Runs the scripts of every day against an embedded CRM with demo data over real HTTP.

import { expect, it } from 'vitest';
import { dailyScripts, runScript } from '../support/acceptance.ts';
import { describeWith } from '../support/tools.ts';

describeWith(['bash', 'jq', 'curl'], 'scripts', { timeout: 600_000 }, () => {
  it.concurrent.each(dailyScripts)('%s', async (name) => {
    const { status, output } = await runScript(name);
    expect(status, output).toBe(0);
  });
});
