import type { Static } from 'typebox'
import type { ConfigChannel, ConfigPoint } from '../../contract/gateway-protocol.ts'

export type ChannelRow = Static<typeof ConfigChannel>
export type PointRow = Static<typeof ConfigPoint>

/** Value in engineering units; null together with quality 2 (timeout), 3 (exception). Codes: `Quality` of the contract. */
export type Reading = { value: number | null; quality: number }

/** Points that one request fetches. */
export type Block = {
  points: readonly PointRow[]
  /** Which device on the bus answers. */
  unit: number
  /** ms of silence before the request. */
  gapMs: number
}

/**
 * Why a request failed. `silent`: no reply within the timeout. `refused`: the device rejected the request. `address`: it refused
 * because an address does not exist. `garbled`: the reply does not match the request. `down`: there is no connection.
 */
export type FaultKind = 'silent' | 'refused' | 'address' | 'garbled' | 'down'
export class DriverFault extends Error {
  readonly kind: FaultKind
  constructor(kind: FaultKind, message: string) {
    super(message)
    this.kind = kind
  }
}

/** One connection to one bus. The scheduler sends one request at a time. All failures are DriverFaults. */
export type Driver<B extends Block = Block> = {
  /** Groups points into as few requests as the protocol allows. */
  plan(points: readonly PointRow[]): B[]
  /** Smaller blocks after `address`, so that one wrong address spoils no neighbour; the same block when it holds a single point. */
  split(block: B): B[]
  readonly connected: boolean
  connect(): Promise<void>
  /** Readings in the order of `block.points`. */
  read(block: B): Promise<Reading[]>
  /** Value in engineering units. Throws RangeError when it does not fit the data type. */
  write(point: PointRow, value: number): Promise<void>
  close(): void
}
