import { Quality } from '../../contract/telemetry.ts'
import { backoff, pause } from '../backoff.ts'
import {
  type Arrived,
  type Block,
  type Browsed,
  type Driver,
  DriverFault,
  type Frame,
  type PointRow,
  type Reading,
  type Unit,
} from '../drivers/driver.ts'
import type { ChannelOptions } from './channel-options.ts'
import { Health } from './health.ts'
import { Taking } from './taking.ts'

/** Pause between two scans of continuously collected points, ms. Distinct milliseconds keep (point, time) unique. */
const loopMs = 5
/** Interval of requests to a device that has failed three times, ms: it must not delay its neighbours on the bus. */
const probeMs = 2000
const collectLoop = 1
/** Maximum commands that wait for the bus. */
const maxJobs = 200

type Group = { unit: Unit; periodMs: number; due: number; blocks: Block[] }
type Job = { run(): Promise<void>; fail(error: Error): void }

/** One bus: polls due points with one request at a time, and runs commands in between. */
export class Channel {
  readonly #o: ChannelOptions
  readonly #driver: Driver
  readonly #groups: Group[]
  /** Points with unsolicited values. */
  readonly #listened: readonly PointRow[]
  readonly #taking: Taking
  readonly #jobs: Job[] = []
  readonly #pause = pause()
  readonly #backoff
  readonly health: Health
  #stopped = false
  #wasUp: boolean | undefined
  #lastRequest = 0
  #running: Promise<void> = Promise.resolve()

  constructor(options: ChannelOptions) {
    this.#o = options
    const { min, max } = options.reconnectMs ?? { min: 250, max: 10_000 }
    this.#backoff = backoff(min, max)
    this.health = new Health(options.onDevice, options.onFirst)
    this.#taking = new Taking(options.now, options.emit)
    this.#driver = options.open(() => this.#pause.wake())
    const readable = options.points.filter((p) => p.ReadWriteType !== 2)
    this.#listened = readable.filter((p) => this.#driver.listens?.(p))
    const heard = new Set(this.#listened)
    const periodOf = (p: PointRow) => (p.CollectType === collectLoop ? loopMs : p.CollectPeriod)
    const polled = Map.groupBy(
      readable.filter((p) => !heard.has(p)),
      (p) => `${this.#unitOf(p)}/${periodOf(p)}`,
    )
    this.#groups = [...polled.values()].map((points) => ({
      unit: this.#unitOf(points[0]!),
      periodMs: periodOf(points[0]!),
      due: 0,
      blocks: this.#driver.plan(points),
    }))
  }

  start() {
    this.#running = this.#run()
  }

  async close() {
    this.#stopped = true
    this.#pause.wake()
    this.#driver.close()
    await this.#running
  }

  /** The next scan uploads every value again, changed or not. */
  resend() {
    this.#taking.forget()
  }

  /** Writes and, on request, reads back: the value that the device then has. */
  write(point: PointRow, value: number, checkBack: boolean): Promise<Reading | undefined> {
    return this.#do(async () => {
      await this.#driver.write(point, value)
      if (!checkBack || point.ReadWriteType === 2) return undefined
      return (await this.#fetch([point]))[0]
    })
  }

  /** Readings in the order of the points; uploaded as well. */
  read(points: readonly PointRow[]): Promise<Reading[]> {
    return this.#do(() => this.#fetch(points))
  }

  /** The children of an object of the device; undefined if the protocol cannot browse. */
  browse(below?: string): Promise<Browsed[] | undefined> {
    return this.#do(async () => this.#driver.browse?.(below))
  }
  /** False if the device has presented no such certificate; undefined if the protocol has no certificates. */
  async trust(thumbprint: string): Promise<boolean | undefined> {
    const isTrusted = await this.#driver.trust?.(thumbprint)
    this.#backoff.reset()
    this.#pause.wake()
    return isTrusted
  }
  trace(receive: ((frame: Frame) => void) | undefined) {
    this.#driver.trace?.(receive)
  }

  async #fetch(points: readonly PointRow[]): Promise<Reading[]> {
    const read = new Map<number, Reading>()
    for (const block of this.#driver.plan(points)) {
      const readings = await this.#driver.read(block)
      block.points.forEach((p, i) => {
        read.set(p.Id, readings[i]!)
      })
      this.#take(block, readings)
    }
    return points.map((p) => read.get(p.Id)!)
  }

  #do<T>(work: () => Promise<T>): Promise<T> {
    if (this.#jobs.length >= maxJobs) return Promise.reject(new DriverFault('down', 'the channel is busy'))
    return new Promise((resolve, reject) => {
      this.#jobs.push({ run: () => work().then(resolve, reject), fail: reject })
      this.#pause.wake()
    })
  }

  async #run() {
    while (!this.#stopped) {
      if (!(await this.#connected())) continue
      await this.#runJobs()
      const group = this.#groups.reduce<Group | undefined>((a, b) => (a && a.due <= b.due ? a : b), undefined)
      const wait = group ? group.due - performance.now() : 60_000
      if (!group || wait > 0.5) await this.#pause.for(wait)
      else await this.#scan(group)
    }
    for (const job of this.#jobs.splice(0)) job.fail(new DriverFault('down', 'the channel is being closed'))
  }

  async #runJobs() {
    for (let job = this.#jobs.shift(); job; job = this.#jobs.shift()) await job.run()
  }

  async #connected() {
    if (this.#driver.connected) return true
    try {
      await this.#connect()
      this.#backoff.reset()
      if (this.#wasUp === false) this.#o.onChannel(true, 'connected')
      this.#wasUp = true
      return true
    } catch (error) {
      if (this.#stopped) return false
      const why = (error as Error).message
      if (this.#wasUp !== false) this.#o.onChannel(false, why)
      this.#wasUp = false
      this.#allSilent()
      for (const job of this.#jobs.splice(0)) job.fail(error as Error)
      await this.#pause.for(this.#backoff.next())
      return false
    }
  }

  /** Reads the blocks of a group. The remaining blocks of a silent unit are skipped. */
  async #scan(group: Group) {
    const probing = this.health.isDown(group.unit)
    const period = probing ? Math.max(group.periodMs, probeMs) : group.periodMs
    group.due += period
    if (group.due < performance.now() - period) group.due = performance.now() + period
    let answered = true
    for (const block of [...group.blocks]) {
      if (this.#stopped) return
      await this.#runJobs()
      if (!answered) {
        this.#takeBad(block, Quality.timeout)
        continue
      }
      answered = await this.#poll(group, block, probing ? 0 : this.#o.channel.RetryCount)
    }
    // The pause of a loop starts after its scan, so that a slow answer is not followed by two in one millisecond.
    if (group.periodMs === loopMs) group.due = performance.now() + period
    if (answered && probing) for (const other of this.#groups) if (other.unit === group.unit) other.due = 0
  }

  /** False if the unit was silent or the connection lost in all retries. */
  async #poll(group: Group, block: Block, retries: number): Promise<boolean> {
    const driver = this.#driver
    for (let attempt = 0; !this.#stopped; attempt++) {
      try {
        await this.#silence(Math.max(block.gapMs, this.#o.channel.InterFrameMs))
        if (this.#stopped) break
        if (!driver.connected) await this.#connect()
        const readings = await driver.read(block).finally(() => {
          this.#lastRequest = performance.now()
        })
        this.#take(block, readings)
        this.health.answered(group.unit, devicesOf(block.points), true)
        return true
      } catch (error) {
        if (!(error instanceof DriverFault)) throw error
        if (this.#stopped) break
        if (error.kind === 'address' && block.points.length > 1) {
          group.blocks.splice(group.blocks.indexOf(block), 1, ...driver.split(block))
          return true
        }
        if (error.kind === 'refused' || error.kind === 'address') {
          this.#takeBad(block, error.kind === 'address' ? Quality.notConfigured : Quality.exception)
          this.health.answered(group.unit, devicesOf(block.points), false)
          return true
        }
        if (attempt < retries) continue
        this.#takeBad(block, error.kind === 'garbled' ? Quality.exception : Quality.timeout)
        if (this.health.silent(group.unit, devicesOf(block.points)) && this.health.allDown) driver.close()
        return false
      }
    }
    return false
  }

  /** Waits until the bus has been silent for this long. */
  async #silence(ms: number) {
    for (let left = ms; left > 0 && !this.#stopped; ) {
      left = this.#lastRequest + ms - performance.now()
      if (left > 0) await this.#pause.for(left)
    }
  }

  #takeBad(block: Block, quality: number) {
    this.#take(
      block,
      block.points.map(() => ({ value: null, quality })),
    )
  }

  #take(block: Block, readings: readonly Reading[]) {
    this.#taking.take(block, block.points, readings)
  }

  #unitOf(point: PointRow): Unit {
    return this.#driver.unitOf?.(point) ?? point.SlaveNumber
  }

  async #connect() {
    await this.#driver.connect()
    if (!this.#listened.length) return
    await this.#driver.listen?.(this.#listened, (readings) => {
      if (!this.#stopped) this.#arrived(readings)
    })
  }

  /** Handles unsolicited values. */
  #arrived(readings: readonly Arrived[]) {
    for (const [unit, some] of Map.groupBy(readings, ({ point }) => this.#unitOf(point))) {
      const points = some.map(({ point }) => point)
      this.#taking.take(
        this.#listened,
        points,
        some.map(({ reading }) => reading),
      )
      const isSilent = some.every(({ reading }) => reading.quality === Quality.timeout)
      if (isSilent) this.health.silent(unit, devicesOf(points))
      else
        this.health.answered(
          unit,
          devicesOf(points),
          some.some(({ reading }) => reading.quality <= Quality.uncertain),
        )
    }
  }

  /** Marks all units silent, since the bus has no connection. */
  #allSilent() {
    const blocks = this.#groups.flatMap((g) => g.blocks)
    for (const block of blocks) this.#takeBad(block, Quality.timeout)
    this.#taking.take(
      this.#listened,
      this.#listened,
      this.#listened.map(() => ({ value: null, quality: Quality.timeout })),
    )
    const points = [...blocks.flatMap((b) => b.points), ...this.#listened]
    for (const [unit, some] of Map.groupBy(points, (p) => this.#unitOf(p))) this.health.silent(unit, devicesOf(some))
  }
}

const devicesOf = (points: readonly PointRow[]) => new Set(points.map((p) => p.DeviceId))
