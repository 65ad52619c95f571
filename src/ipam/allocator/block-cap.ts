import { DEFAULT_MAX_BLOCKS_PER_HOST } from '../model/ipam-config.ts';

/** Blocks that a host may own per IP version: the lower of the two limits that are set, or Calico's own one. */
export function blockCap(configured: number, requested: number): number {
  if (configured > 0 && requested > 0) return Math.min(configured, requested);
  return (requested > 0 ? requested : configured) || DEFAULT_MAX_BLOCKS_PER_HOST;
}
