import { readdirSync } from 'node:fs';
import { expect } from 'chai';
import { RULES } from '../../../src/check/registry.ts';
import type { Rule } from '../../../src/check/rule.ts';
import { RESOURCE_KINDS } from '../../../src/ipam/model/resource.ts';
import { clusterOf } from '../../support/builders.ts';
import { judge } from '../../support/judge.ts';

const FOLDER = new URL('../../../src/check/rules/', import.meta.url);

/** Codes and severities as they are published; an entry never changes and never goes. */
const PUBLISHED = `
  leaked-address error
  unallocated-address error
  address-outside-pools warning
  address-conflict error
  orphan-handle error
  missing-handle error
  handle-count-mismatch error
  invalid-block error
  unreadable-object error
  block-overlap error
  block-size-mismatch error
  block-outside-pools error
  unowned-empty-block warning
  affinity-of-missing-node error
  affinity-without-block error
  block-without-affinity error
  conflicting-affinity error
  stuck-affinity warning
  node-attribute-mismatch warning
  tunnel-address-borrowed warning
  stale-endpoint error
  unknown-allocation-type warning
  soft-deleted-object warning
  overlapping-pools warning
  disallowed-use warning
  reserved-address-in-use info
  configuration-conflict error
  missing-host-label warning
  malformed-handle-id warning
  release-time-in-future warning
  cooldown-expired info`
  .trim()
  .split(/\n\s*/);

/** Rules whose findings two reads at two moments can feign: they are confirmed before they are reported. */
const CONFIRMED = [
  'unallocated-address',
  'address-conflict',
  'orphan-handle',
  'missing-handle',
  'handle-count-mismatch',
];

describe('check/registry', () => {
  it('holds every published code in its order, with its severity', () => {
    expect(RULES.map(({ code, severity }) => `${code} ${severity}`)).to.deep.equal(PUBLISHED);
  });

  it('registers every file of the folder, under its own name', async () => {
    const files = readdirSync(FOLDER).filter((name) => name.endsWith('.ts'));
    expect(files.map((name) => name.slice(0, -3)).sort()).to.deep.equal(
      RULES.map(({ code }) => code).sort(),
    );
    for (const file of files) {
      const module = (await import(new URL(file, FOLDER).href)) as Record<string, Rule>;
      const name = file.slice(0, -3).replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());
      expect(Object.keys(module), file).to.deep.equal([name]);
      expect(module[name]?.code, file).to.equal(file.slice(0, -3));
      expect(RULES, file).to.include(module[name]);
    }
  });

  it('explains every rule in whole sentences', () => {
    for (const { code, title, why, remedy } of RULES) {
      expect(title, code).to.match(/^[A-Z].*[^.]$/);
      for (const text of [why, remedy]) expect(text, code).to.match(/^[A-Z`].*\.$/);
    }
  });

  it('names only kinds that exist as needs', () => {
    for (const { code, needs } of RULES)
      for (const kind of needs) expect(RESOURCE_KINDS, code).to.include(kind);
  });

  it('confirms what two reads at two moments can feign', () => {
    const confirmed = RULES.filter(({ restsOn }) => restsOn).map(({ code }) => code);
    expect(confirmed).to.include.members(CONFIRMED);
  });

  it('finds nothing in an empty cluster, and lacks nothing', () => {
    const state = clusterOf([]);
    for (const rule of RULES) {
      expect(judge(rule, state), rule.code).to.be.empty;
      expect(rule.missingFor?.(state) ?? [], rule.code).to.be.empty;
    }
  });
});
