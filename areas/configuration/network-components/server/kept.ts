// A refused message as the store of rejected readings keeps it: its topic and device in a line, then the payload; bytes as hex.
import { isUtf8 } from 'node:buffer'

/** Bytes up to which a message is kept whole. */
export const keptWhole = 65_536
type Kept = { topic: string; device: string; payload: Buffer }
const [tab, hex] = ['\t', 'hex:']
const oneLine = (text: string) => text.replace(/\p{Cc}/gu, ' ')

export const keptText = ({ topic = '', device = '', payload }: Partial<Kept> & { payload: Buffer }): string => {
  const body = payload.subarray(0, keptWhole)
  const head = device ? `${oneLine(topic)}${tab}${oneLine(device)}` : oneLine(topic)
  return `${head}\n${isUtf8(payload) ? body : `${hex}${body.toString('hex')}`}`
}
/** Undefined where it was cut. */
export const readKept = (text: string): Kept | undefined => {
  const end = text.indexOf('\n')
  if (end < 0) return undefined
  const [topic = '', device = ''] = text.slice(0, end).split(tab)
  const body = text.slice(end + 1)
  const payload = /^hex:(?:[0-9a-f]{2})+$/.test(body) ? Buffer.from(body.slice(hex.length), 'hex') : Buffer.from(body)
  return payload.length < keptWhole ? { topic, device, payload } : undefined
}
