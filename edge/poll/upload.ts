import type { PointRow, Reading } from '../drivers/driver.ts'

/** The last upload of a point, and when the next one is due (ms). */
export type Uploaded = { value: number | null; quality: number; due: number }

/** UploadMode of the point table. CollectType 2 uploads only changes, in any upload mode. */
const everyScan = 1
const onChange = 3
const collectChange = 2

/**
 * Whether to upload this reading, and the new state. Mode 0: the latest value each UploadPeriod; 1: every scan; 3: on a change of
 * value or quality, and once per UploadPeriod as a sign of life. A bad reading is uploaded once, in any mode, as is the first good one after it.
 */
export const upload = (point: PointRow, last: Uploaded | undefined, reading: Reading, now: number): Uploaded | undefined => {
  const bad = reading.value === null
  const turned = last === undefined || (last.value === null) !== bad || (bad && last.quality !== reading.quality)
  const mode = point.CollectType === collectChange && point.UploadMode === everyScan ? onChange : point.UploadMode
  const changed = mode === onChange && (last?.value !== reading.value || last?.quality !== reading.quality)
  const due = !bad && last !== undefined && now >= last.due
  if (!(turned || changed || due || (mode === everyScan && !bad))) return undefined
  const periodMs = point.UploadPeriod * 1000
  // Periodic uploads keep their phase, unless one was missed.
  const next = due && now < last.due + periodMs ? last.due + periodMs : now + periodMs
  return { ...reading, due: next }
}
