import { machineHandle, networksOfHandle } from '../machine-handle.ts';

/** Virtual machines and their instances as `namespace/name`. */
export interface MachineKeys {
  readonly VirtualMachine: ReadonlySet<string>;
  readonly VirtualMachineInstance: ReadonlySet<string>;
}

/** Finds virtual machines by name, and by the handle that Calico makes for one on a network. */
export class MachineIndex {
  private readonly keys: MachineKeys;
  private readonly byNetwork = new Map<string, ReadonlyMap<string, string>>();

  constructor(keys: MachineKeys) {
    this.keys = keys;
  }

  /** Whether there is a machine or an instance of this `namespace/name`. */
  has(key: string): boolean {
    return this.keys.VirtualMachine.has(key) || this.keys.VirtualMachineInstance.has(key);
  }

  /** The machine for which Calico would make this handle id. */
  ofHandle(handleId: string): { readonly namespace: string; readonly name: string } | undefined {
    for (const network of networksOfHandle(handleId)) {
      const key = this.on(network).get(handleId);
      const slash = key?.indexOf('/') ?? -1;
      if (key !== undefined) return { namespace: key.slice(0, slash), name: key.slice(slash + 1) };
    }
    return undefined;
  }

  /** `namespace/name` by the handle that Calico would make for that machine on that network. */
  private on(network: string): ReadonlyMap<string, string> {
    let handles = this.byNetwork.get(network);
    if (!handles) {
      const keys = new Set([...this.keys.VirtualMachine, ...this.keys.VirtualMachineInstance]);
      handles = new Map([...keys].map((key) => [handleOf(network, key), key]));
      this.byNetwork.set(network, handles);
    }
    return handles;
  }
}

function handleOf(network: string, key: string): string {
  const slash = key.indexOf('/');
  return machineHandle(network, key.slice(0, slash), key.slice(slash + 1));
}
