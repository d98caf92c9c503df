// Campaigns: by a seed, a service with traits, a file that is hard to send, and kill -9 at random moments. Whatever the
// seed, no record is doubled, none is lost without a word, and none of anybody else's is touched.
// CRM_CAMPAIGN_SEED is the first seed and CRM_CAMPAIGN_RUNS how many, for hundreds by hand. A seed says what is done; how
// the processes then meet each other is chance, so a failure may want a few goes to be seen again.

import { describe, expect, it } from 'vitest';
import { type Campaign, carryOut, carryOutOrdinary, chooseCampaign, undisturbed, type Verdict } from './campaign.ts';

const first = Number(process.env.CRM_CAMPAIGN_SEED ?? 5);
const runs = Number(process.env.CRM_CAMPAIGN_RUNS ?? 2);
const seedsOf = (count: number): number[] => Array.from({ length: count }, (_, index) => first + index);
const longest = 300_000;

describe.concurrent('campaigns', () => {
  it.each(seedsOf(runs))('a service unlike the embedded one, seed %i', (seed) => hold(chooseCampaign(seed), carryOut), longest);
  it.each(seedsOf(Math.ceil(runs / 2)))('the embedded CRM, seed %i', (seed) => hold(chooseCampaign(seed), carryOutOrdinary), longest);
  it.each(seedsOf(Math.ceil(runs / 4)))(
    'nothing in the way, seed %i',
    (seed) => hold(undisturbed(chooseCampaign(seed)), carryOut),
    longest,
  );
});

async function hold(campaign: Campaign, carry: (campaign: Campaign) => Promise<Verdict>): Promise<void> {
  const { wrong, log } = await carry(campaign);
  const { seed, traits, job, kills, concurrency } = campaign;
  const lines = [
    `Campaign ${seed}: ${job.name}, ${kills} kills, ${concurrency} requests at once`,
    ...wrong.map((one) => `WRONG: ${one}`),
    `Traits: ${JSON.stringify(traits)}`,
    `Again: CRM_CAMPAIGN_SEED=${seed} CRM_CAMPAIGN_RUNS=1 npx vitest run test/runs/campaign.test.ts`,
    ...log,
  ];
  expect(wrong, lines.join('\n')).toEqual([]);
}
