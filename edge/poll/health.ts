import type { Static } from 'typebox'
import type { DeviceHealth } from '../../contract/gateway-protocol.ts'
import type { Unit } from '../drivers/driver.ts'

type Row = Static<typeof DeviceHealth>

/** Status of a device: 0 never seen, 1 answers, 2 communication error. */
const unknown = 0
const online = 1
const broken = 2
/** Consecutive failed polls after which a device has a communication error. */
const patience = 3

/** Tracks which units on a bus answer. */
export class Health {
  readonly #devices = new Map<number, Row>()
  readonly #failures = new Map<Unit, number>()
  readonly #onChange: (deviceId: number, isUp: boolean) => void
  readonly #onFirst: () => void

  /** `onFirst`: a device that was never seen has answered. */
  constructor(onChange: (deviceId: number, isUp: boolean) => void, onFirst: () => void) {
    this.#onChange = onChange
    this.#onFirst = onFirst
  }

  get rows() {
    return [...this.#devices.values()]
  }

  isDown(unit: Unit) {
    return (this.#failures.get(unit) ?? 0) >= patience
  }

  /** True if no unit answers: probably the connection has failed. */
  get allDown() {
    return [...this.#failures.keys()].every((unit) => this.isDown(unit))
  }

  answered(unit: Unit, devices: Iterable<number>, isGood: boolean) {
    this.#failures.set(unit, 0)
    for (const id of devices) {
      const row = this.#row(id)
      if (isGood) row.OkCount++
      else row.ErrCount++
      if (row.Status === broken) this.#onChange(id, true)
      if (row.Status === unknown) this.#onFirst()
      row.Status = online
    }
  }

  /** Counts a poll without an answer; true from the third consecutive one. */
  silent(unit: Unit, devices: Iterable<number>) {
    this.#failures.set(unit, (this.#failures.get(unit) ?? 0) + 1)
    for (const id of devices) {
      const row = this.#row(id)
      row.ErrCount++
      if (!this.isDown(unit) || row.Status === broken) continue
      row.Status = broken
      this.#onChange(id, false)
    }
    return this.isDown(unit)
  }

  #row(id: number) {
    let row = this.#devices.get(id)
    if (row) return row
    row = { DeviceId: id, Status: unknown, OkCount: 0, ErrCount: 0 }
    this.#devices.set(id, row)
    return row
  }
}
