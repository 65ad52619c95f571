import { isSound } from '../../ipam/allocator/block-content.ts';
import { collectCooled } from '../../ipam/allocator/collect-cooled.ts';
import { DEFAULT_IPAM_CONFIG } from '../../ipam/model/ipam-config.ts';
import { parseCidr } from '../../net/cidr.ts';
import { already, refusal, repair } from './repair.ts';

interface ExpiredFacts {
  readonly block: string;
}

/** Returns addresses whose cooldown is over, as the next assignment in the block would. */
export const cooldownExpired = repair<ExpiredFacts>({
  code: 'cooldown-expired',
  action: 'collect-cooled',
  precondition: 'still cooling for longer than configured',
  keyOf: ({ facts }) => `block ${facts.block}`,
  keep: () => undefined,
  async apply({ facts }, { look, access, writer, attempt }) {
    const cidr = parseCidr(facts.block);
    const blocks = cidr === undefined ? [] : look.state.blocksOf(cidr);
    const { ipCooldownSeconds } = look.state.config ?? DEFAULT_IPAM_CONFIG;
    let isWritten = false;
    for (const { key } of blocks) {
      const row = await access.read('IPAMBlock', key, attempt);
      if (row === undefined || row.deleted) continue;
      if (!isSound(row)) return refusal('its block is damaged');
      const collected = collectCooled(row, { now: look.now, cooldownSeconds: ipCooldownSeconds });
      if (collected === row) continue;
      await writer.update(
        row,
        { ...collected, sequenceNumber: row.sequenceNumber + 1n },
        { action: 'collect-cooled' },
      );
      isWritten = true;
    }
    return isWritten ? undefined : already('it was returned in the meantime');
  },
});
