// Sends HJ 212 to an authority: each message has the data of one moment or interval, and is acknowledged by 9014.
import { once } from 'node:events'
import type { BoundedSocket } from '../../../../server/channels/boundedSocket.ts'
import { createFrameReader, frameOf } from '../../../../server/hj212/frame.ts'
import { readMessage } from '../../../../server/hj212/message.ts'
import { wallText } from '../../../../server/hj212/wallTime.ts'
import { nameOf, type SentReading } from './format.ts'
import { delivered, failed } from './outcome.ts'
import type { To, Way } from './targets.ts'

const timeoutMs = 10_000
/** Bytes that an authority sends at most for each message, commands of its own included. */
export const answerBytes = 4096
/** Maximum bytes of a message: the standard allows 1,024. */
const mostBytes = 950

/** The external code of a point; an address received by HJ 212 has its kind as a suffix. */
const codeOf = (to: To, { point }: SentReading) => {
  const code = nameOf(to, point, '{address}').replace(/-Rtd$/, '')
  return /^[0-9A-Za-z]{1,20}$/.test(code) ? code : undefined
}
/** HJ 212 has no flag for doubtful values: they get the flag of a faulty instrument. */
const flagOf = (quality: number) => (quality === 0 ? 'N' : quality === 2 ? 'B' : 'D')
const itemOf = (code: string, { value, quality, spread }: SentReading) => {
  const values = spread ? `${code}-Min=${spread.min},${code}-Avg=${value},${code}-Max=${spread.max}` : `${code}-Rtd=${value ?? 0}`
  return `${values},${code}-Flag=${flagOf(quality)}`
}
/** Real-time data of a moment, or statistics of an interval. */
const [realTime, ofInterval] = [2011, 2051]

/** Items of one moment, in messages within the size limit. Points without a code are omitted. */
export const contentsOf = (to: To, readings: readonly SentReading[]): string[] => {
  const contents: string[] = []
  let time = ''
  let items: string[] = []
  const end = () => {
    if (items.length) contents.push(`DataTime=${time};${items.join(';')}`)
    items = []
  }
  const codes = new Set<string>()
  for (const reading of readings) {
    const code = codeOf(to, reading)
    if (code === undefined) continue
    const at = wallText(reading.time, to.Zone)
    const item = itemOf(code, reading)
    const isFull = items.join(';').length + item.length > mostBytes - 200
    if (at !== time || isFull || codes.has(code)) {
      end()
      codes.clear()
      time = at
    }
    items.push(item)
    codes.add(code)
  }
  end()
  return contents
}

let last = 0
/** The number of a message: its time, with unique milliseconds. */
const numberOf = (now: number, zone: string) => {
  last = Math.max(last + 1, now)
  return `${wallText(last, zone)}${String(last % 1000).padStart(3, '0')}`
}

export const openStation = async (to: To, socket: BoundedSocket): Promise<Way> => {
  const answers = new Map<string, () => void>()
  const reader = createFrameReader()
  socket.on('data', (bytes: Buffer) => {
    for (const frame of reader.take(bytes)) {
      const message = 'text' in frame ? readMessage(frame.text) : undefined
      if (message?.CN === '9014') answers.get(message.QN)?.()
    }
    if (reader.isLost()) socket.destroy()
  })
  await once(socket, 'connect', { signal: AbortSignal.timeout(timeoutMs) }).catch((error) => {
    socket.destroy()
    throw error
  })
  /** True if it is acknowledged. */
  const ask = (content: string, command: number) =>
    new Promise<boolean>((done) => {
      const QN = numberOf(to.clock(), to.Zone)
      const end = (is: boolean) => {
        clearTimeout(timer)
        answers.delete(QN)
        socket.off('close', closed)
        done(is)
      }
      const closed = () => end(false)
      const timer = setTimeout(closed, timeoutMs)
      answers.set(QN, () => end(true))
      socket.once('close', closed)
      if (socket.destroyed) return closed()
      socket.allow(answerBytes)
      socket.write(
        frameOf(`QN=${QN};ST=${to.SystemCode ?? '32'};CN=${command};PW=${to.secret ?? '123456'};MN=${to.MN};Flag=5;CP=&&${content}&&`),
      )
    })
  return {
    most: 200,
    atOnce: 1,
    close: () => socket.destroy(),
    send: async (readings) => {
      const command = readings[0]?.spread ? ofInterval : realTime
      for (const content of contentsOf(to, readings)) if (!(await ask(content, command))) return failed('noAnswer')
      return delivered
    },
  }
}
