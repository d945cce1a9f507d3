// HJ 212 data as values. A key is the code with its kind, `w01018-Rtd`, and for statistics the interval, `w01018-Avg.hour`.
import { type Hj212Content, type Hj212Message, readContent } from '../../../../../server/hj212/message.ts'
import { wallTime } from '../../../../../server/hj212/wallTime.ts'
import { asNumber, type Heard, type HeardValue, isName } from './heard.ts'

/** Command codes of data, and the key suffix of each. */
const spans: Record<string, string> = { 2011: '', 2051: '.minute', 2061: '.hour', 2031: '.day' }
export const hasValues = ({ CN }: Hj212Message) => Object.hasOwn(spans, CN)

/** N measured, S entered manually. A broken or silent instrument gives no value; all other flags are doubtful. */
const qualityOf = (flag: string): 0 | 1 | 2 | 3 => {
  if (flag === 'N' || flag === 'S') return 0
  return flag === 'B' ? 2 : flag === 'D' ? 3 : 1
}
/** Fields of an instrument that are not values. */
const noValues = new Set(['SampleTime', 'EFlag', 'Info'])

/** `known`: the time from another packet of the same message. */
export const readValues = (
  { CN }: Hj212Message,
  CP: string,
  zone: string,
  now: number,
  known: number | undefined,
): Heard & { time?: number } => {
  const { dataTime, items }: Hj212Content = readContent(CP)
  const time = dataTime === undefined ? known : wallTime(dataTime, zone, now)
  if (time === undefined) return { values: [], fault: dataTime === undefined ? 'no DataTime' : `DataTime ${dataTime.slice(0, 20)}` }
  const values: HeardValue[] = []
  for (const { code, suffix, value, flag } of items) {
    const key = `${code}-${suffix}${spans[CN]}`
    const quality = qualityOf(flag)
    if (noValues.has(suffix) || !isName(key)) continue
    // A faulty instrument may send no number.
    if (asNumber(value) === undefined && quality >= 2) values.push({ device: '', key, time, value: 0, quality })
    else values.push({ device: '', key, time, value, quality })
  }
  return { values, time }
}
