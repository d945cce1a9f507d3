import type { PointRow, Reading } from '../drivers/driver.ts'

/** What was last uploaded of a point, and when the next upload falls due (ms). */
export type Uploaded = { value: number | null; quality: number; due: number }

/** UploadMode of the point table. CollectType 2 uploads only changes, in any upload mode. */
const everyScan = 1
const onChange = 3
const collectChange = 2

/**
 * Whether this reading goes up, and what to remember then. Mode 0: the newest value each UploadPeriod; 1: every scan; 3: on a change of
 * value or quality, and once per UploadPeriod as a sign of life. A bad reading goes up once, in any mode; so does the first good one after it.
 */
export const upload = (point: PointRow, last: Uploaded | undefined, reading: Reading, now: number): Uploaded | undefined => {
  const bad = reading.value === null
  const turned = last === undefined || (last.value === null) !== bad || (bad && last.quality !== reading.quality)
  const mode = point.CollectType === collectChange && point.UploadMode === everyScan ? onChange : point.UploadMode
  const changed = mode === onChange && (last?.value !== reading.value || last?.quality !== reading.quality)
  const due = !bad && last !== undefined && now >= last.due
  if (!(turned || changed || due || (mode === everyScan && !bad))) return undefined
  const periodMs = point.UploadPeriod * 1000
  // The rhythm of periodic upload stays where it was, unless it was left behind.
  const next = due && now < last.due + periodMs ? last.due + periodMs : now + periodMs
  return { ...reading, due: next }
}
