import type { Static } from 'typebox'
import type { ConfigChannel, ConfigDevice, ConfigPoint } from '../../contract/gateway-protocol.ts'
import type { Allowed } from '../../contract/networks.ts'
import type { OpenLine } from './lines.ts'

export type ChannelRow = Static<typeof ConfigChannel>
export type DeviceRow = Static<typeof ConfigDevice>
export type PointRow = Static<typeof ConfigPoint>

/**
 * Value in engineering units; null together with quality 2 (timeout), 3 (exception), 4 (not configured). Codes: `Quality` of the
 * contract. `time`: epoch ms of the source, where it says one.
 */
export type Reading = { value: number | null; quality: number; time?: number }
/** A reading that came by itself. */
export type Arrived = { point: PointRow; reading: Reading }

/** Which device on the bus answers: a unit ID, or the address of a meter. */
export type Unit = number | string

/** Points that one request fetches. */
export type Block = {
  points: readonly PointRow[]
  unit: Unit
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
  /** Of a certificate that nobody has trusted. */
  thumbprint?: string
  constructor(kind: FaultKind, message: string) {
    super(message)
    this.kind = kind
  }
}

/** One frame of a channel, for people who look for what is wrong. Secrets in it are masked by the driver. */
export type Frame = { isSent: boolean; bytes: Buffer; meaning: string }
/** What lies below an object of a device: another object, or a value with the address that a point would have. */
export type Browsed = { id: string; name: string; hasMore: boolean; address?: string; unit?: string; isWritable?: boolean }

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
  /** Ends the connection. The driver can connect again. */
  close(): void
  /** The device of a point, in what `health` tells. By default its unit ID. */
  unitOf?(point: PointRow): Unit
  /** Whether the value of a point comes by itself; such points are not polled. */
  listens?(point: PointRow): boolean
  /** Asks for the values of these points, after each connect, until the connection ends. Present values come first. */
  listen?(points: readonly PointRow[], arrived: (readings: readonly Arrived[]) => void): Promise<void>
  /** What lies below an object; without one, the beginning. */
  browse?(below?: string): Promise<Browsed[]>
  /** Trusts the certificate with this thumbprint. False where the device has shown no such one. */
  trust?(thumbprint: string): Promise<boolean>
  /** Hands on each frame until it is called without a receiver. */
  trace?(receive: ((frame: Frame) => void) | undefined): void
}

/** What a driver is opened with. */
export type Opening = {
  channel: ChannelRow
  /** The devices of the channel, with their settings. */
  devices: readonly DeviceRow[]
  /** Epoch ms of the gateway. */
  now: () => number
  /** The connection of a device that dials in, while connected. */
  dialled?: OpenLine | undefined
  /** The connection was lost, or may have come: the scheduler looks again. */
  changed: () => void
  /** The gateway's data folder, for what a driver must keep. */
  folder?: string
  /** Where sources of messages may lie. */
  outbound?: Allowed | undefined
  /** What the driver reaches, also where a device names another address. */
  reach?: Allowed | undefined
}
/** The default export of edge/drivers/<name>/driver.ts. */
export type OpenDriver = (opening: Opening) => Driver
