/** What is counted of the work of agents. */
export const MEASURES = ['tokens', 'money', 'minutes', 'files'] as const;
export type Measure = (typeof MEASURES)[number];

export type Amounts = Readonly<Record<Measure, number>>;
