/** Standing orders as the player edits them: a policy for each kind of question, and one for the rest. */

import type { OrderKind, Plain } from '../net/wire';

export type Policy = 'default' | 'ask' | 'matter' | 'own' | 'worthwhile' | 'pass' | 'act' | 'proposed';
export type Orders = Record<string, Plain>;

export interface Acting {
  act: string[];
  within: number;
}

const NEAR = 12;

/** What happens for the player at a kind of question, and how near an enemy must be; null if nothing does. */
export function acting(orders: Orders, prompt: string): Acting | null {
  const policy = orders[prompt];
  if (typeof policy !== 'object' || policy === null || Array.isArray(policy)) return null;
  return policy as unknown as Acting;
}

export function policyOf(orders: Orders, prompt: string, kind?: OrderKind): Policy {
  if (acting(orders, prompt)) return 'act';
  const policy = orders[kind?.prompts?.[0] ?? prompt];
  if (typeof policy === 'string') return policy as Policy;
  return prompt === 'default' ? 'ask' : 'default';
}

export function withPolicy(orders: Orders, prompt: string, policy: Policy, kind?: OrderKind): Orders {
  if (kind?.prompts?.length) {
    const { prompts, ...each } = kind;
    return prompts.reduce((all, one) => withPolicy(all, one, policy, { ...each, prompt: one }), orders);
  }
  const { [prompt]: _, ...others } = orders;
  if (policy === 'default') return others;
  if (policy !== 'act') return { ...others, [prompt]: policy };
  const first = kind?.acts?.[0]?.[0];
  return first === undefined ? orders : { ...others, [prompt]: { act: [first], within: NEAR } };
}

/** Adds an act after the others, or takes one away; the last one stays. */
export function withAct(orders: Orders, kind: OrderKind, key: string): Orders {
  const now = acting(orders, kind.prompt);
  if (!now) return orders;
  const act = now.act.includes(key) ? now.act.filter((one) => one !== key) : [...now.act, key];
  return act.length ? { ...orders, [kind.prompt]: { ...now, act } } : orders;
}

export function withWithin(orders: Orders, prompt: string, within: number): Orders {
  const now = acting(orders, prompt);
  return now && Number.isFinite(within) && within >= 0 ? { ...orders, [prompt]: { ...now, within } } : orders;
}
