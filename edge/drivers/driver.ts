import type { Static } from 'typebox'
import type { ConfigChannel, ConfigDevice, ConfigPoint } from '../../contract/gateway-protocol.ts'
import type { Allowed } from '../../contract/networks.ts'
import type { OpenLine } from './lines.ts'

export type ChannelRow = Static<typeof ConfigChannel>
export type DeviceRow = Static<typeof ConfigDevice>
export type PointRow = Static<typeof ConfigPoint>

/**
 * Value in engineering units; null together with quality 2 (timeout), 3 (exception), 4 (not configured). Codes: `Quality` of the
 * contract. `time`: source timestamp, epoch ms, if there is one.
 */
export type Reading = { value: number | null; quality: number; time?: number }
/** An unsolicited reading. */
export type Arrived = { point: PointRow; reading: Reading }

/** Identity of a device on the bus: a unit ID, or the address of a meter. */
export type Unit = number | string

/** Points that one request reads. */
export type Block = {
  points: readonly PointRow[]
  unit: Unit
  /** Silence before the request, ms. */
  gapMs: number
}

/**
 * Why a request failed. `silent`: no reply within the timeout. `refused`: the device rejected the request. `address`: it refused
 * because an address does not exist. `garbled`: the reply does not match the request. `down`: there is no connection.
 */
export type FaultKind = 'silent' | 'refused' | 'address' | 'garbled' | 'down'
export class DriverFault extends Error {
  readonly kind: FaultKind
  /** Thumbprint of an untrusted certificate. */
  thumbprint?: string
  constructor(kind: FaultKind, message: string) {
    super(message)
    this.kind = kind
  }
}

/** One frame of a channel, for traces. The driver masks secrets in it. */
export type Frame = { isSent: boolean; bytes: Buffer; meaning: string }
/** A child of an object: another object, or a value with its point address. */
export type Browsed = { id: string; name: string; hasMore: boolean; address?: string; unit?: string; isWritable?: boolean }

/** One connection to one bus. The scheduler sends one request at a time. All failures are DriverFaults. */
export type Driver<B extends Block = Block> = {
  /** Groups points into as few requests as the protocol allows. */
  plan(points: readonly PointRow[]): B[]
  /** Smaller blocks after an `address` fault, so that a wrong address does not affect its neighbours; the same block if it has a single point. */
  split(block: B): B[]
  readonly connected: boolean
  connect(): Promise<void>
  /** Readings in the order of `block.points`. */
  read(block: B): Promise<Reading[]>
  /** Value in engineering units. Throws RangeError when it does not fit the data type. */
  write(point: PointRow, value: number): Promise<void>
  /** Closes the connection. The driver can connect again. */
  close(): void
  /** Device identity of a point for `health`; by default its unit ID. */
  unitOf?(point: PointRow): Unit
  /** Whether the values of a point are unsolicited; such points are not polled. */
  listens?(point: PointRow): boolean
  /** Subscribes to points after each connect, until the connection ends. Current values come first. */
  listen?(points: readonly PointRow[], arrived: (readings: readonly Arrived[]) => void): Promise<void>
  /** Children of an object; by default of the root. */
  browse?(below?: string): Promise<Browsed[]>
  /** Trusts the certificate with this thumbprint. False if the device has not presented it. */
  trust?(thumbprint: string): Promise<boolean>
  /** Reports each frame until it is called without a receiver. */
  trace?(receive: ((frame: Frame) => void) | undefined): void
}

/** Arguments of a driver. */
export type Opening = {
  channel: ChannelRow
  /** The devices of the channel, with their settings. */
  devices: readonly DeviceRow[]
  /** The gateway's clock, epoch ms. */
  now: () => number
  /** The connection of a device that dials in, while connected. */
  dialled?: OpenLine | undefined
  /** Call it after a lost or possible new connection: the scheduler checks again. */
  changed: () => void
  /** The gateway's data folder, for persistent data of a driver. */
  folder?: string
  /** Allowed networks of MQTT and HTTP sources. */
  outbound?: Allowed | undefined
  /** Networks that the driver may reach, also for addresses reported by a device. */
  reach?: Allowed | undefined
}
/** The default export of edge/drivers/<name>/driver.ts. */
export type OpenDriver = (opening: Opening) => Driver
