import type { Definition } from '../../datastore/definitions.ts';
import type { MigrationSource } from '../../datastore/migration-file.ts';
import type { UndoHistory } from '../undo/undo-log.ts';

/** Words of the command, in documents and journals. */
export const IMPORT_COMMAND = 'datastore migrate import';

/** How to import. */
export interface ImportOptions {
  readonly source: MigrationSource;
  /** The user expects an import that was begun; a plain one does as well. */
  readonly isResume: boolean;
  /** Writes in flight, 1 or more. */
  readonly concurrency: number;
  /** Definitions of custom resources to install first, where the target lacks them. */
  readonly definitions?: readonly Definition[] | undefined;
  /** Who imports, such as `alice@laptop`. */
  readonly by: string;
  /** Identity of a cluster to which neither the file nor the target gives one: 32 hexadecimal digits. */
  readonly newGuid: string;
  readonly isMismatchAllowed: boolean;
  /** What the journal holds already. */
  readonly history?: UndoHistory | undefined;
}
