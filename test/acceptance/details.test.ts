// Runs the scripts of CI against the built command and an embedded CRM with demo data over real HTTP.

import { expect, it } from 'vitest';
import { otherScripts, runScript } from '../support/acceptance.ts';
import { describeWith } from '../support/tools.ts';

describeWith(['bash', 'jq', 'curl'], 'scripts', { timeout: 600_000 }, () => {
  it.concurrent.each(otherScripts)('%s', async (name) => {
    const { status, output } = await runScript(name);
    expect(status, output).toBe(0);
  });
});
