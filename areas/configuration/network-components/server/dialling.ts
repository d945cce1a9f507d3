// Devices of described protocols that connect to a port of the server: registration, polling and unsolicited frames.
import { setTimeout as wait } from 'node:timers/promises'
import { type Description, type Frame, mostFrameBytes, type Request } from '../../../../contract/described/description.ts'
import { compose, cutFrame, isAnswer, isGuarded, listenedTo, valuesOf } from '../../../../contract/described/frames.ts'
import { hexText } from '../../../../contract/described/template.ts'
import { identityBytes } from '../../../../contract/protocols/dialled.ts'
import { withoutHeartbeats } from '../../../../contract/protocols/heartbeats.ts'
import { serial } from '../../../../server/jobs/serial.ts'
import { inHex } from '../contract.ts'
import type { Door } from './doors.ts'
import type { Intake } from './intake.ts'
import type { HeardValue } from './languages/heard.ts'
import type { Caller } from './stations.ts'

/** Response timeout, and silence that ends a frame unless the description sets it, ms. */
const [answerMs, usualSilenceMs] = [3000, 50]
/** Idle periods after which a connection is closed and may be replaced. */
const patiencePeriods = 3

export type DescribedDoor = Door & { Frame: Frame; Requests: Request[]; Registration: string; HeartbeatPeriod: number; AskPeriod: number }
export const isDescribed = (door: Door): door is DescribedDoor =>
  door.Frame !== null && door.Requests !== null && door.Registration !== null
const formOf = ({ RegistrationForm }: Pick<Door, 'RegistrationForm'>) => (RegistrationForm === inHex ? 'hex' : 'text')
export const registrationOf = (door: Pick<Door, 'RegistrationForm' | 'Registration'>) =>
  Buffer.from(identityBytes(formOf(door), door.Registration) ?? [])
const unitsOf = ({ Units }: Door) => [...new Set((Units ?? '1').split(',').map(Number))]

export type Written = { device: string; key: string; value: number }
export type WriteOutcome = 'done' | 'noAnswer' | 'unknown' | { refused: string }

type Waiting = { request: Request; unit: number; value: Uint8Array; settle(isAnswered: boolean): void }
/** One request at a time: responses do not always identify their request. */
const createQuestions = (frame: Frame, { answer }: Pick<Caller, 'answer'>) => {
  const inTurn = serial()
  let waiting: Waiting | undefined
  let isOver = false
  const ask = (request: Request, unit: number, value?: number) =>
    inTurn(async () => {
      const { bytes, value: written } = compose(frame, request, unit, value)
      if (isOver) return false
      const asked = Promise.withResolvers<boolean>()
      const timer = setTimeout(() => asked.resolve(false), answerMs)
      waiting = { request, unit, value: written, settle: asked.resolve }
      answer(Buffer.from(bytes))
      const isAnswered = await asked.promise
      clearTimeout(timer)
      waiting = undefined
      // A late response must not be matched to the next request.
      if (!isAnswered && !isOver) await wait(answerMs)
      return isAnswered
    })
  return {
    ask,
    /** The question that a frame answers. */
    answeredBy: (bytes: Uint8Array) =>
      waiting && isAnswer(frame, waiting.request, waiting.unit, bytes, waiting.request.Write ? waiting.value : undefined)
        ? waiting
        : undefined,
    close: () => {
      isOver = true
      waiting?.settle(false)
    },
  }
}

/** Splits the incoming stream into frames. */
const createCutter = (frame: Frame, take: (bytes: Uint8Array) => Promise<unknown>, failed: () => void) => {
  const inTurn = serial()
  let received: Uint8Array = new Uint8Array()
  let quiet: NodeJS.Timeout | undefined
  const cut = (isQuiet: boolean) =>
    inTurn(async () => {
      for (let found = cutFrame(frame, received, isQuiet); found; found = cutFrame(frame, received, isQuiet)) {
        received = found.rest
        await take(found.frame)
      }
    })
  return {
    feed: (bytes: Uint8Array): Promise<unknown> => {
      received = Buffer.concat([received, bytes]).subarray(-4 * mostFrameBytes)
      clearTimeout(quiet)
      if (frame.By !== 'silence') return cut(false)
      quiet = setTimeout(() => cut(true).catch(failed), frame.SilenceMs ?? usualSilenceMs)
      return Promise.resolve()
    },
    close: () => clearTimeout(quiet),
  }
}

/** Talks with one device until its connection ends. */
export const openTalk = (door: DescribedDoor, caller: Caller & { end(): void }, intake: Intake) => {
  const { Frame, Requests } = door
  const description: Description = door
  const units = unitsOf(door)
  const periodMs = patiencePeriods * Math.max(door.HeartbeatPeriod, door.AskPeriod) * 1000
  let lastByte = performance.now()
  let isOver = false

  const keep = (frame: Uint8Array, topic: string, heard: { values: HeardValue[]; fault?: string }) =>
    intake.take(door, frame.length, async () => ({ payload: Buffer.from(frame), topic, heard, show: hexText }))
  const store = (frame: Uint8Array, request: Request, unit: number) => {
    const device = units.length > 1 ? String(unit) : ''
    const values = valuesOf(request, frame).map(({ key, value }): HeardValue => {
      const reading = { device, key, time: null }
      return value === null ? { ...reading, value: 0, quality: 3 } : { ...reading, value }
    })
    return keep(frame, `${Requests.indexOf(request) + 1}, ${unit}`, { values })
  }
  const questions = createQuestions(Frame, caller)
  const take = async (frame: Uint8Array) => {
    if (!isGuarded(Frame, frame)) return keep(frame, '', { values: [], fault: 'the checksum is wrong' })
    const asked = questions.answeredBy(frame)
    if (asked) {
      if (asked.request.Fields.length) await store(frame, asked.request, asked.unit)
      return asked.settle(true)
    }
    const found = listenedTo(description, units, frame)
    if (!found) return keep(frame, '', { values: [], fault: 'it is no answer to a question' })
    await store(frame, found.request, found.unit)
    // An acknowledgement means that the readings are stored.
    const { bytes } = compose(Frame, found.request, found.unit)
    if (bytes.length) caller.answer(Buffer.from(bytes))
  }
  const cutter = createCutter(Frame, take, () => caller.end())
  let fed: Promise<unknown> = Promise.resolve()
  const stream = withoutHeartbeats(identityBytes(formOf(door), door.Heartbeat), (bytes) => {
    fed = cutter.feed(bytes)
    fed.catch(() => caller.end())
  })
  const registration = registrationOf(door)

  const asked = Requests.filter(({ Write, Listen }) => !Write && !Listen)
  let timer: NodeJS.Timeout | undefined
  const round = async () => {
    const began = performance.now()
    if (began - lastByte > periodMs) return caller.end()
    for (const unit of units) for (const request of asked) if (!isOver) await questions.ask(request, unit)
    if (!isOver) timer = setTimeout(start, Math.max(0, door.AskPeriod * 1000 - (performance.now() - began)))
  }
  const start = () => void round().catch(() => caller.end())
  start()

  return {
    isSilent: () => performance.now() - lastByte > periodMs,
    end: () => caller.end(),
    /** Resolves once its readings are stored. */
    take: async (bytes: Uint8Array) => {
      lastByte = performance.now()
      // Some devices repeat their registration.
      if (!registration.equals(bytes)) stream.take(bytes)
      await fed
    },
    write: async ({ device, key, value }: Written): Promise<WriteOutcome> => {
      const request = Requests.find(({ Write }) => Write?.Key === key)
      const unit = device === '' ? units[0] : units.find((one) => String(one) === device)
      if (!request || unit === undefined) return 'unknown'
      try {
        return (await questions.ask(request, unit, value)) ? 'done' : 'noAnswer'
      } catch (error) {
        if (error instanceof RangeError) return { refused: error.message }
        throw error
      }
    },
    close: () => {
      isOver = true
      clearTimeout(timer)
      cutter.close()
      stream.close()
      questions.close()
    },
  }
}
export type Talk = ReturnType<typeof openTalk>
