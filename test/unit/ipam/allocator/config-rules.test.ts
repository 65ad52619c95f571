import { expect } from 'chai';
import type { EngineError } from '../../../../src/errors/engine-error.ts';
import {
  assertSettings,
  type IpamSettings,
  NEWER_GROUP_BOUNDS,
  OLDER_GROUP_BOUNDS,
  type SettingBounds,
} from '../../../../src/ipam/allocator/config-rules.ts';

function refusalOf(change: Partial<IpamSettings>, bounds?: SettingBounds): string | undefined {
  const settings: IpamSettings = {
    ...{
      strictAffinity: true,
      autoAllocateBlocks: true,
      maxBlocksPerHost: 0,
      ipCooldownSeconds: 0,
    },
    ...change,
  };
  try {
    assertSettings(settings, bounds);
    return undefined;
  } catch (error) {
    return (error as EngineError).category;
  }
}

describe('ipam/allocator/config-rules', () => {
  it('C-2 refuses settings that contradict each other', () => {
    expect(refusalOf({ strictAffinity: false, autoAllocateBlocks: false })).to.equal(
      'config-neither-strict-nor-automatic',
    );
    expect(refusalOf({ strictAffinity: false, maxBlocksPerHost: 3 })).to.equal(
      'config-limit-without-strict',
    );
  });

  it('refuses what a schema refuses, and nothing where there is none', () => {
    const bad: readonly Partial<IpamSettings>[] = [
      { ipCooldownSeconds: 1201 },
      { ipCooldownSeconds: -1 },
      { maxBlocksPerHost: -1 },
      { maxBlocksPerHost: 2 ** 31 },
      { maxBlocksPerHost: 1.5 },
    ];
    for (const change of bad) {
      expect(refusalOf(change, OLDER_GROUP_BOUNDS), JSON.stringify(change)).to.equal(
        'refused-by-schema',
      );
      expect(refusalOf(change)).to.equal(undefined);
    }
  });

  it('knows a lower limit in the newer group', () => {
    expect(refusalOf({ maxBlocksPerHost: 1_000_001 }, OLDER_GROUP_BOUNDS)).to.equal(undefined);
    expect(refusalOf({ maxBlocksPerHost: 1_000_001 }, NEWER_GROUP_BOUNDS)).to.equal(
      'refused-by-schema',
    );
    expect(
      refusalOf({ maxBlocksPerHost: 1_000_000, ipCooldownSeconds: 1200 }, NEWER_GROUP_BOUNDS),
    ).to.equal(undefined);
  });
});
