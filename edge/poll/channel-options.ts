import type { ChannelRow, Driver, PointRow } from '../drivers/driver.ts'
import type { Emit } from './taking.ts'

/** What a channel needs to run. */
export type ChannelOptions = {
  channel: ChannelRow
  points: readonly PointRow[]
  /** Opens the driver; `changed` tells that its connection was lost. */
  open(changed: () => void): Driver
  /** Epoch ms of the gateway. */
  now: () => number
  emit: Emit
  /** `isUp` false: event 4; a device that stopped answering: event 5. */
  onChannel(isUp: boolean, why: string): void
  onDevice(deviceId: number, isUp: boolean): void
  /** A device answers for the first time. */
  onFirst(): void
  reconnectMs?: { min: number; max: number }
}
