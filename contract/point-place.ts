/** Where a row reads. Protocols without registers leave RegisterType out of it. */
export type Place = { SlaveNumber?: unknown; RegisterType?: unknown; Address?: unknown }

/** Modbus TCP, RTU and ASCII: each kind of register has addresses of its own. */
const registered: readonly number[] = [0, 1, 2]

/** `007` and `7` are one address. */
const plainAddress = (address: unknown) => String(address ?? '').replace(/^0+(?=\d)/, '')

/**
 * One text for one place on a bus: two rows with the same text read the same thing. The server's check before a push, the gateway's own
 * check, sheets and models ask here.
 */
export const placeOf = (protocol: number, { SlaveNumber, RegisterType, Address }: Place): string =>
  [SlaveNumber, ...(registered.includes(protocol) ? [RegisterType] : []), plainAddress(Address)].join('/')
