/** The columns that locate a value. Protocols without registers ignore RegisterType. */
export type Place = { SlaveNumber?: unknown; RegisterType?: unknown; Address?: unknown }

/** Modbus TCP, RTU and ASCII, which have a separate address space per register type. */
const registered: readonly number[] = [0, 1, 2]

/** `007` and `7` are the same address. */
const plainAddress = (address: unknown) => String(address ?? '').replace(/^0+(?=\d)/, '')

/**
 * A canonical key of an address on a bus: rows with equal keys read the same value. The server's pre-check, the gateway's own
 * check, sheets and models all use it.
 */
export const placeOf = (protocol: number, { SlaveNumber, RegisterType, Address }: Place): string =>
  [SlaveNumber, ...(registered.includes(protocol) ? [RegisterType] : []), plainAddress(Address)].join('/')
