// Format of a refused message in the store of rejected readings: a line with topic and device, then the payload; bytes as hex.
import { isUtf8 } from 'node:buffer'

/** Maximum size of a message that is stored whole, bytes. */
export const keptWhole = 65_536
type Kept = { topic: string; device: string; payload: Buffer }
const [tab, hex] = ['\t', 'hex:']
const oneLine = (text: string) => text.replace(/\p{Cc}/gu, ' ')

export const keptText = ({ topic = '', device = '', payload }: Partial<Kept> & { payload: Buffer }): string => {
  const body = payload.subarray(0, keptWhole)
  const head = device ? `${oneLine(topic)}${tab}${oneLine(device)}` : oneLine(topic)
  return `${head}\n${isUtf8(payload) ? body : `${hex}${body.toString('hex')}`}`
}
/** Undefined if the message was truncated. */
export const readKept = (text: string): Kept | undefined => {
  const end = text.indexOf('\n')
  if (end < 0) return undefined
  const [topic = '', device = ''] = text.slice(0, end).split(tab)
  const body = text.slice(end + 1)
  const payload = /^hex:(?:[0-9a-f]{2})+$/.test(body) ? Buffer.from(body.slice(hex.length), 'hex') : Buffer.from(body)
  return payload.length < keptWhole ? { topic, device, payload } : undefined
}
