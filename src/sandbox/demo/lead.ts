// What the demo says of a lead, and the names of the ids that its rows use.

export interface DemoLead {
  readonly title: string;
  readonly status: number;
  readonly category: number;
  readonly value?: string;
  readonly source?: string;
  readonly person?: readonly [
    first: string | null,
    last: string | null,
    email?: string | null,
    phone?: string | null,
    position?: string | null,
  ];
  readonly company?: string;
  readonly website?: string;
  readonly contacted?: string;
  readonly address?: readonly [street: string | null, city: string | null, state: string | null, zip: string | null, country: string];
  readonly description?: string;
  readonly assigned?: readonly number[];
  readonly tags?: readonly string[];
  readonly archived?: true;
  readonly converted?: readonly [client: number, at: string];
  readonly created: string;
  readonly updated?: string;
  /** In the order of the positions. */
  readonly checklist?: readonly (readonly [status: 'pending' | 'completed', text: string])[];
  readonly comments?: readonly (readonly [user: number, at: string, text: string])[];
}

export const [fresh, contacted, qualified, proposalSent, negotiation, lost] = [1, 2, 3, 4, 5, 6];
export const [inbound, outbound, referral] = [1, 2, 3];
export const [maya, tom, priya, jonas] = [1, 2, 3, 4];
