import { expect, test } from 'vitest'
import { pointRow } from '../testing/plc.ts'
import { type Uploaded, upload } from './upload.ts'

/** Scans once a second; returns the seconds of uploads. */
const uploads = (
  change: Partial<ReturnType<typeof pointRow>>,
  values: (number | null)[],
  quality: (v: number | null) => number = (v) => (v === null ? 2 : 0),
) => {
  const point = pointRow(1, 0, { UploadPeriod: 5, ...change })
  let last: Uploaded | undefined
  return values.flatMap((value, second) => {
    const next = upload(point, last, { value, quality: quality(value) }, second * 1000)
    if (!next) return []
    last = next
    return [second]
  })
}

test('loop uploads every scan', () => {
  expect(uploads({ UploadMode: 1 }, [1, 1, 2, 2])).toEqual([0, 1, 2, 3])
})
test('periodic uploads the newest value once a period', () => {
  expect(uploads({ UploadMode: 0 }, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11])).toEqual([0, 5, 10])
})
test('change uploads changes, and a sign of life once a period', () => {
  expect(uploads({ UploadMode: 3 }, [1, 1, 2, 2, 2, 2, 2, 2, 2])).toEqual([0, 2, 7])
})
test('a change of quality alone is a change', () => {
  let n = 0
  expect(uploads({ UploadMode: 3 }, [1, 1, 1], () => (n++ === 1 ? 1 : 0))).toEqual([0, 1, 2])
})
test.each([0, 1, 3])('mode %i uploads a bad reading once, and the first good one after it', (UploadMode) => {
  const seconds = uploads({ UploadMode }, [1, null, null, null, 1])
  expect(seconds.filter((s) => s > 0)).toEqual([1, 4])
})
test('collecting changes only makes the loop upload changes only', () => {
  expect(uploads({ UploadMode: 1, CollectType: 2 }, [1, 1, 2, 2])).toEqual([0, 2])
})
