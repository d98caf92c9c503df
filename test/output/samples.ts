// Made-up records and results for the tests of the output layer.

import type { Input } from '../../src/base/flag.ts';
import { type GlobalFlags, readGlobalFlags } from '../../src/base/global-flags.ts';
import type { Answer } from '../../src/client/types.ts';
import type { RenderOptions } from '../../src/output/render.ts';
import type { Shape } from '../../src/output/result.ts';
import { type FakeIo, type FakeIoOptions, fakeIo } from '../support/fake-io.ts';

/** A shape as a family declares it, of an invented family. */
export const ships: Shape = {
  singular: 'ship',
  columns: [
    { path: 'id', align: 'right' },
    { path: 'name' },
    { path: 'port.city', header: 'port' },
    { path: 'price', align: 'right' },
    { path: 'crew.name', header: 'crew' },
    { path: 'flags' },
  ],
  record: ['id', 'name', 'port.id', 'port.city', 'price', 'afloat', 'crew', 'flags', 'dates.built'],
};

/** The time at which these tests take place. */
export const now = new Date('2026-11-21T10:00:00Z');

export const shapeless: Shape = { columns: [], record: [] };

export const kestrel = {
  id: 7,
  name: 'Kestrel',
  port: { id: 2, city: 'Bergen' },
  price: '1200.50',
  afloat: true,
  crew: [
    { id: 2, name: 'Tom Okafor' },
    { id: 3, name: 'Priya Raman' },
  ],
  flags: ['fast', 'old'],
  dates: { built: '1999-05-06' },
};

export const osprey = { id: 12, name: 'Osprey', port: null, price: null, afloat: false, crew: [], flags: [], dates: { built: null } };

export function answer(data: unknown, more: Record<string, unknown> = {}): Answer {
  return { status: 200, data, envelope: { data, ...more } };
}

/** Pages of records; an error among them is thrown. `pulled` counts the pages asked for. */
export function pagesOf(...pages: (readonly unknown[] | Error)[]): AsyncIterable<Answer> & { pulled: number } {
  const source = {
    pulled: 0,
    async *[Symbol.asyncIterator]() {
      for (const [index, page] of pages.entries()) {
        source.pulled += 1;
        if (page instanceof Error) throw page;
        yield answer(page, { message: 'Ships retrieved.', meta: { current_page: index + 1 } });
      }
    },
  };
  return source;
}

/** Rendering options for typed flags and some streams. */
export function options(typed: Input['flags'] = {}, streams: FakeIoOptions = {}): RenderOptions & { io: FakeIo; flags: GlobalFlags } {
  return { io: fakeIo(streams), flags: readGlobalFlags(typed), signal: new AbortController().signal, now };
}
