// The text of a frame: fields, then `CP=&&` items `&&`.
import { frameOf } from './frame.ts'

export type Hj212Message = {
  fields: Readonly<Record<string, string>>
  CN: string
  MN: string
  PW: string
  QN: string
  /** Bits: 1 wants an answer, 2 is one of several packets; those above are the version. */
  Flag: number
  /** Without its `&&`. */
  CP: string
  /** Its `&&` at the end was there. */
  isClosed: boolean
  packets: number
  packet: number
}

/** Identification of the station, and its new data. */
export const wantsAnswer = ({ Flag }: Hj212Message) => (Flag & 1) === 1
const digits = (text: string | undefined, most: number) =>
  text !== undefined && /^\d{1,5}$/.test(text) && Number(text) <= most ? Number(text) : 0
const cpMark = 'CP=&&'

/** Undefined for what is no message. */
export const readMessage = (bytes: Buffer): Hj212Message | undefined => {
  const text = bytes.toString('latin1')
  const at = text.indexOf(cpMark)
  if (at < 0) return undefined
  const fields: Record<string, string> = Object.create(null)
  for (const part of text.slice(0, at).split(';')) {
    const cut = part.indexOf('=')
    if (cut > 0) fields[part.slice(0, cut).trim()] = part.slice(cut + 1).trim()
  }
  const rest = text.slice(at + cpMark.length)
  const isClosed = rest.endsWith('&&')
  const { CN = '', MN = '', PW = '', QN = '' } = fields
  if (!/^\d{4}$/.test(CN) || !isMn(MN) || !isPw(PW) || QN.length > 20 || /[^\d]/.test(QN)) return undefined
  const Flag = digits(fields.Flag, 255)
  const packets = Flag & 2 ? digits(fields.PNUM, 9999) : 0
  return { fields, CN, MN, PW, QN, Flag, CP: isClosed ? rest.slice(0, -2) : rest, isClosed, packets, packet: digits(fields.PNO, 9999) }
}

/** The same text without its password, for people who look at what came. */
export const withoutPassword = (bytes: Buffer): Buffer => {
  const text = bytes.toString('latin1')
  const at = text.indexOf(cpMark)
  const head = (at < 0 ? text : text.slice(0, at)).replace(/(^|;)(\s*PW\s*=)[^;]*/g, '$1$2******')
  return Buffer.from(at < 0 ? head : head + text.slice(at), 'latin1')
}

/** 24 characters since 2017, 14 before. */
export const isMn = (text: string) => /^[0-9A-Za-z]{14,24}$/.test(text)
export const isPw = (text: string) => /^[0-9A-Za-z]{1,32}$/.test(text)

export type Hj212Item = { code: string; suffix: string; value: string; flag: string }
export type Hj212Content = { dataTime: string | undefined; items: Hj212Item[] }

/** Items of a CP. The flag of a code belongs to all its values. */
export const readContent = (CP: string): Hj212Content => {
  const values: Omit<Hj212Item, 'flag'>[] = []
  const flags = new Map<string, string>()
  let dataTime: string | undefined
  for (const pair of CP.split(/[;,]/)) {
    const cut = pair.indexOf('=')
    if (cut <= 0) continue
    const [name, value] = [pair.slice(0, cut).trim(), pair.slice(cut + 1).trim()]
    if (name === 'DataTime') dataTime = value
    const [, code, suffix] = /^(\w{1,40})-(\w{1,20})$/.exec(name) ?? []
    if (code === undefined || suffix === undefined) continue
    if (suffix === 'Flag') flags.set(code, value)
    else values.push({ code, suffix, value })
  }
  return { dataTime, items: values.map((item) => ({ ...item, flag: flags.get(item.code) ?? 'N' })) }
}

/** Messages that are acknowledged otherwise than data: those that notify, and answers to what we never asked. */
const [notices, answers] = [new Set(['1013']), new Set(['9011', '9012', '9013', '9014'])]
export const isAnswer = ({ CN }: Hj212Message) => answers.has(CN)

/** 9013 for a notice, 9014 for data, with the number of what it answers and the version that its sender speaks. */
export const answerTo = (message: Hj212Message): Buffer => {
  const { QN, PW, MN, Flag, CN } = message
  const number = QN ? `QN=${QN};` : ''
  return frameOf(`${number}ST=91;CN=${notices.has(CN) ? 9013 : 9014};PW=${PW};MN=${MN};Flag=${Flag & ~3};CP=&&&&`)
}
