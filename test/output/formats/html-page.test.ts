// A page of -o html in a browser: its table and bars, nothing fetched or run, light and dark, on paper.

import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { openWorkshop } from '../../import/support.ts';
import { describeWith } from '../../support/tools.ts';

const quiet = ['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking'];
const flags = [...quiet, '--disable-component-update', '--disable-sync', '--hide-scrollbars', '--window-size=900,900'];

async function chromium(folder: string, ...more: string[]): Promise<string> {
  const data = mkdtempSync(join(folder, 'chromium-'));
  const { stdout } = await promisify(execFile)('chromium-headless-shell', [...flags, `--user-data-dir=${data}`, ...more], {
    maxBuffer: 2 ** 24,
  });
  return stdout;
}

describeWith(['chromium-headless-shell'], 'a page in Chromium', { timeout: 300_000 }, () => {
  it('shows table and bars, fetches and runs nothing, is dark where the reader is, and prints on A4', async () => {
    const shop = openWorkshop({ demo: true });
    let requests = 0;
    const server = createServer((_, response) => {
      requests += 1;
      response.end();
    }).listen(0, '127.0.0.1');
    try {
      await once(server, 'listening');
      const { port } = server.address() as AddressInfo;
      const evil = `<img src="http://127.0.0.1:${port}/a" onerror="document.title='run'"><style>@import "http://127.0.0.1:${port}/b"</style>`;
      await shop.crm(['leads', 'update', '12', '--source', evil]);
      const report = await shop.crm(['report', 'leads', '--by', 'source', '--out', 'report.html']);
      expect(report.status, report.stderr).toBe(0);
      await shop.crm(['leads', 'list', '--out', 'list.html']);
      const [page, list] = ['report.html', 'list.html'].map((name) => `file://${join(shop.folder, name)}`);
      const shot = async (name: string, colours: string): Promise<{ dom: string; bytes: Buffer }> => {
        const path = join(shop.folder, name);
        const dom = await chromium(
          shop.folder,
          `--blink-settings=preferredColorScheme=${colours}`,
          '--dump-dom',
          `--screenshot=${path}`,
          page ?? '',
        );
        return { dom, bytes: readFileSync(path) };
      };
      const [light, dark] = [await shot('light.png', '1'), await shot('dark.png', '0')];
      const { dom } = light;
      const cells = [...dom.matchAll(/<td dir="auto"[^>]*>([^<]*)<\/td>/g)].map(([, text]) => text);
      expect(cells).toContain(evil.replaceAll('<', '&lt;').replaceAll('>', '&gt;'));
      expect(dom).toContain('<title>leads by source</title>');
      expect(dom).not.toContain('<img');
      // The bars are as long as the sums: the longest is the whole width.
      const { rows } = (await shop.crm(['report', 'leads', '--by', 'source', '--json'])).json() as { rows: { value: string }[] };
      const most = Math.max(...rows.map(({ value }) => Number(value)));
      const widths = [...dom.matchAll(/<rect [^>]*width="([\d.]+)"/g)].map(([, width]) => Number(width));
      expect(Math.max(...widths)).toBe(340);
      for (const [index, { value }] of rows.entries()) expect(widths[index]).toBeCloseTo((Number(value) / most) * 340, 0);
      expect(light.bytes.equals(dark.bytes)).toBe(false);
      await chromium(shop.folder, '--no-pdf-header-footer', `--print-to-pdf=${join(shop.folder, 'list.pdf')}`, list ?? '');
      // A4 across, in points.
      expect(readFileSync(join(shop.folder, 'list.pdf'), 'latin1')).toMatch(/\/MediaBox \[0 0 84[12][.\d]* 59[45][.\d]*\]/);
      expect(requests).toBe(0);
    } finally {
      server.close();
      shop.remove();
    }
  });
});
