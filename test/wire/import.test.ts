// Wire tests of importing changes: which records are read, which are written, and which are left alone because somebody changed them
// since the file was written. Typed by hand from the interface document ("Leads"; Lead, `dates`) and the command line's own page.

import { json } from '../support/request.ts';
import { wireCases } from '../support/wire.ts';
import { get, LEAD, LEAD_FORM, list, ok, PROPOSAL, patch, sends, whole } from './records.ts';

/** All editable values of lead 12 with another phone: an update replaces them all. */
const WITH_PHONE = { ...LEAD_FORM, lead_phone: '+46 18 555 01 90' };

/** A service cut the description through an emoji. */
const HALF = { ...LEAD, description: 'Cut \ud83d' };

/** How many records there are tells whether the list or the records are read. */
const counted = whole('/api/leads', list([LEAD]));
const read = get('/api/leads/12', ok(LEAD));
const patched = patch('/api/leads/12', WITH_PHONE, ok(LEAD));

/** Lead 12 was last changed on 2026-01-15 at noon. */
const file = (changed: string): Record<string, string> => ({ 'f.csv': `id,phone,dates.updated\n12,+46 18 555 01 90,${changed}\n` });
const argv = 'leads import f.csv --mode update --json';

wireCases('leads import --mode update', [
  ...['2026-01-15T12:00:00.000000Z', '2026-01-15 12:00', '2026-01-16', ''].map((changed) => sends(
    `sends a row that is as new as the record ("${changed}")`, argv, [counted, read, patched],
    { files: file(changed), stdout: /"updated": 1,[\s\S]*"conflicts": 0/ })),
  ...['2026-01-15T11:59:59.999999Z', '2026-01-15 11:59', '14.01.2026'].map((changed) => sends(
    `sends nothing over a later change ("${changed}")`, argv, [counted, read],
    { files: file(changed), exit: 8, stdout: /"updated": 0,[\s\S]*"conflicts": 1/,
      stderr: /conflict: changed on 2026-01-15 12:00:00 UTC, after the file was written: phone is '030 1234' there, '\+46 18 555 01 90' in the file/ })),
  sends('sends it with --overwrite-newer', `${argv} --overwrite-newer`, [counted, read, patched],
    { files: file('2026-01-14'), stdout: /"updated": 1,[\s\S]*"conflicts": 0/ }),
  sends('finds no conflict where the record already has the values', argv, [counted, read],
    { files: { 'f.csv': 'id,phone,dates.updated\n12,030 1234,2026-01-14\n' }, stdout: /"unchanged": 1,[\s\S]*"conflicts": 0/ }),
  sends('compares no stamps where the record has none, and says so', argv,
    [counted, { ...read, reply: ok({ ...LEAD, dates: { created: '2026-01-02T09:00:00.000000Z' } }) },
      { ...patched, reply: ok({ ...LEAD, contact: { ...LEAD.contact, phone: '+46 18 555 01 90' } }) }],
    { files: file('2026-01-14'), stdout: /"updated": 1,[\s\S]*"conflicts": 0/,
      stderr: /^Some leads don't tell when they were changed\. Changes made since the file was written are overwritten\.\nUndo: crm undo \w{4}\n$/ }),
  sends('leaves half a character as the record holds it, where CSV has U+FFFD', argv,
    [counted, get('/api/leads/12', ok(HALF)),
      patch('/api/leads/12', json({ ...LEAD_FORM, lead_status: 3, lead_categoryid: 2, lead_value: '11.00', lead_description: 'Cut \ud83d' }),
        ok({ ...HALF, value: '11.00' }))],
    { files: { 'f.csv': 'id,value,description\n12,11.00,Cut \ufffd\n' }, stdout: /"updated": 1,/ }),
  sends('says the same of proposals, which never have a stamp of their change', 'proposals import f.csv --mode update --json',
    [whole('/api/proposals', list([PROPOSAL])), get('/api/proposals/5', ok(PROPOSAL)),
      patch('/api/proposals/5', { doc_title: 'Ours', doc_date_start: '2026-03-01', doc_date_end: '2026-03-31', doc_categoryid: '6' },
        ok({ ...PROPOSAL, title: 'Ours' }))],
    { files: { 'f.csv': 'id,title\n5,Ours\n' }, stdout: /"updated": 1,/,
      stderr: /^Some proposals don't tell when they were changed\. Changes made since the file was written are overwritten\.\nUndo: crm undo \w{4}\n$/ }),
  sends('only reads with --dry-run, and lists the changes', `${argv} --dry-run`, [counted, read],
    { files: file('2026-01-16'),
      json: {
        rows: [{ line: 2, id: 12, title: 'Shop fitting', outcome: 'would_change',
          changes: [{ field: 'phone', old: '030 1234', new: '+46 18 555 01 90' }], error: null }],
        counts: { rows: 1, would_create: 0, would_change: 1, unchanged: 0, conflicts: 0, invalid: 0, unknown: 0 } } }),
]);
