import type { ChannelRow, Driver, PointRow } from '../drivers/driver.ts'
import type { Emit } from './taking.ts'

/** Dependencies of a channel. */
export type ChannelOptions = {
  channel: ChannelRow
  points: readonly PointRow[]
  /** Opens the driver; `changed` reports that its connection was lost. */
  open(changed: () => void): Driver
  /** The gateway's clock, epoch ms. */
  now: () => number
  emit: Emit
  /** `isUp` false: event 4; a device that stopped answering: event 5. */
  onChannel(isUp: boolean, why: string): void
  onDevice(deviceId: number, isUp: boolean): void
  /** A device answers for the first time. */
  onFirst(): void
  reconnectMs?: { min: number; max: number }
}
