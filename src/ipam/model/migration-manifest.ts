/**
 * Key of the manifest in the IPAM part of a migration file, behind the keys of IPAM. calicoctl's import passes over keys
 * that it does not know.
 */
export const MANIFEST_KEY = 'manifest';

/**
 * What ipamctl says of a migration file in the file itself, so that one which was cut or changed is noticed: before it is
 * imported, and without the cluster that it came from.
 */
export interface MigrationManifest {
  readonly schemaVersion: 1;
  /** Version of ipamctl that wrote the file. */
  readonly tool: string;
  /** Revision of the source at which everything was read; absent where the source has none. */
  readonly revision?: string | undefined;
  /** How many objects and rows of a kind the file holds, zeros included. */
  readonly counts: Readonly<Record<string, number>>;
  /**
   * SHA-256 in hexadecimal digits of every byte of the file in front of {@link MANIFEST_HASH_KEY} at its last occurrence;
   * the hash is the last member of the manifest, which is the last member of the part.
   */
  readonly sha256: string;
}

/** The key of the hash as it stands in the text; what is hashed ends right before its first quote. */
export const MANIFEST_HASH_KEY = '"sha256"';
