// Statistics of a channel for display: requests of the last minute, failures, and their reasons.
import type { Static } from 'typebox'
import type { ChannelState } from '../../contract/gateway-protocol.ts'
import { type Block, type Driver, DriverFault } from '../drivers/driver.ts'

export type Figures = Omit<Static<typeof ChannelState>, 'CommType' | 'ChannelId'>

/** Intervals of the counted minute. */
const [partMs, parts] = [5000, 12]
type Part = { from: number; asked: number; failed: number }
/** Weight of the last answer in a device's mean response time. */
const weight = 0.2

/** Not yet tried, connected, without a connection. */
export const [untried, isUp, isDown] = [0, 1, 2] as const
const longestWhy = 200

export class ChannelFigures {
  readonly #now: () => number
  #state: Figures['State'] = untried
  #since: number
  #why = ''
  #thumbprint: string | undefined
  #parts: Part[] = []
  readonly #answerMs = new Map<number, number>()

  constructor(now: () => number) {
    this.#now = now
    this.#since = now()
  }

  connected() {
    this.#enter(isUp)
    this.#why = ''
    this.#thumbprint = undefined
  }
  /** The connection failed. */
  down(error: unknown) {
    this.#enter(isDown)
    this.#blame(error)
  }
  /** A request that was answered after `ms`, or an unsolicited value without `ms`. */
  answered(deviceId: number, ms?: number) {
    this.#part().asked++
    if (ms !== undefined) this.#answerMs.set(deviceId, (this.#answerMs.get(deviceId) ?? ms) * (1 - weight) + ms * weight)
  }
  failed(error: unknown) {
    const part = this.#part()
    part.asked++
    part.failed++
    this.#blame(error)
  }

  /** The last minute; less for a channel that started within it. */
  now(): Figures {
    const from = performance.now() - partMs * parts
    const counted = this.#parts.filter((part) => part.from >= from)
    const [asked, failed] = (['asked', 'failed'] as const).map((name) => counted.reduce((sum, part) => sum + part[name], 0)) as [
      number,
      number,
    ]
    const seconds = counted.length ? Math.max(1, (performance.now() - counted[0]!.from) / 1000) : 1
    const slowest = [...this.#answerMs].reduce<[number, number] | undefined>((a, b) => (a && a[1] >= b[1] ? a : b), undefined)
    return {
      ...{ State: this.#state, Since: Math.round(this.#since), Asked: asked, Failed: failed },
      PerSecond: Math.round((asked / seconds) * 100) / 100,
      ...(this.#why && (failed || this.#state === isDown) ? { Why: this.#why.slice(0, longestWhy) } : {}),
      ...(slowest ? { SlowestDevice: slowest[0], SlowestMs: Math.round(slowest[1]) } : {}),
      ...(this.#thumbprint && this.#state === isDown ? { Thumbprint: this.#thumbprint } : {}),
    }
  }

  #enter(state: Figures['State']) {
    if (this.#state !== state) this.#since = this.#now()
    this.#state = state
  }
  #blame(error: unknown) {
    this.#why = (error as Error).message
    this.#thumbprint = error instanceof DriverFault ? error.thumbprint : undefined
  }
  #part(): Part {
    const last = this.#parts.at(-1)
    if (last && performance.now() - last.from < partMs) return last
    const part = { from: performance.now(), asked: 0, failed: 0 }
    this.#parts.push(part)
    if (this.#parts.length > parts) this.#parts.shift()
    return part
  }
}

/** The driver with its connections and requests counted. */
export const counted = (driver: Driver, figures: ChannelFigures): Driver =>
  Object.assign(Object.create(driver) as Driver, {
    connect: async () => {
      try {
        await driver.connect()
        figures.connected()
      } catch (error) {
        figures.down(error)
        throw error
      }
    },
    read: async (block: Block) => {
      const asked = performance.now()
      try {
        const readings = await driver.read(block)
        figures.answered(block.points[0]?.DeviceId ?? 0, performance.now() - asked)
        return readings
      } catch (error) {
        figures.failed(error)
        throw error
      }
    },
    ...(driver.listen
      ? {
          listen: async (...[points, arrived]: Parameters<NonNullable<Driver['listen']>>) => {
            try {
              await driver.listen!(points, (readings) => {
                figures.answered(readings[0]?.point.DeviceId ?? 0)
                arrived(readings)
              })
            } catch (error) {
              figures.down(error)
              throw error
            }
          },
        }
      : {}),
  })
