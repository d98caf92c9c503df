// A service of leads in memory, as far as the engine reads it: lists by the time of creation, single records, pages of 100.

import { NotFoundError } from '../../src/base/errors.ts';
import type { Api } from '../../src/client/client.ts';
import type { ApiRequest } from '../../src/client/types.ts';

export interface Lead {
  readonly id: number;
  readonly title: string;
  /** ISO 8601; absent in a service that tells no times. */
  readonly created?: string;
  /** When somebody changed it; else it is as it was created. */
  readonly updated?: string;
  readonly value?: string;
  readonly email?: string;
  readonly creator?: number;
  readonly archived?: true;
}

export interface FakeApi {
  readonly api: Api;
  /** What was read so far. */
  readonly requests: readonly ApiRequest[];
}

/** `order`: how it lists, whatever it is asked for; by default as asked. Archived leads come only where they are asked for. */
export function fakeApi(leads: readonly Lead[] | (() => readonly Lead[]), { order }: { order?: 'by id' } = {}): FakeApi {
  const requests: ApiRequest[] = [];
  const api: Partial<Api> = {
    begin: () => () => {},
    read: async (request) => {
      requests.push(request);
      const all = typeof leads === 'function' ? leads() : leads;
      const [, id] = /^\/api\/leads\/(\d+)$/.exec(request.path) ?? [];
      if (id !== undefined) {
        const one = all.find((lead) => lead.id === Number(id));
        if (one === undefined) throw new NotFoundError('There is none.', { httpStatus: 404 });
        return { status: 200, data: recordOf(one), envelope: undefined };
      }
      const query = new Map(request.query);
      const wantsArchived = [...query.values()].includes('archived');
      const word = query.get('search') ?? '';
      const shown = all.filter(
        ({ archived = false, title, email = '' }) => archived === wantsArchived && `${title} ${email}`.includes(word),
      );
      const sorted = order === 'by id' ? shown : shown.toSorted((a, b) => ((a.created ?? '') < (b.created ?? '') ? 1 : -1));
      const page = Number(query.get('page'));
      const data = sorted.slice((page - 1) * 100, page * 100).map(recordOf);
      const meta = { current_page: page, last_page: Math.max(1, Math.ceil(shown.length / 100)), total: shown.length };
      return { status: 200, data, envelope: { data, meta }, meta };
    },
  };
  return { api: api as Api, requests };
}

export const recordOf = ({ id, title, created, updated = created, value, email, creator }: Lead) => ({
  id,
  title,
  value: value ?? null,
  status: { id: 1 },
  category: { id: 1 },
  contact: { email: email ?? null },
  ...(creator === undefined ? {} : { creator_id: creator }),
  ...(created === undefined ? {} : { dates: { created, updated } }),
});

/** The body of a lead. */
export const bodyOf = (title: string, more: Record<string, string> = {}) =>
  new Map<string, string | number>([['lead_title', title], ['lead_status', 1], ['lead_categoryid', 1], ...Object.entries(more)]);
