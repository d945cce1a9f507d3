import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createFrameReader, frameOf, longestFrame, mostFaults } from './frame.ts'
import { answerTo, readContent, readMessage } from './message.ts'
import { wallText, wallTime } from './wallTime.ts'

const printed = 'QN=20160801085857223;ST=32;CN=1062;PW=100000;MN=010000A8900016F000169DC0;Flag=5;CP=&&RtdInterval=30&&'
const read = (...parts: (string | Buffer)[]) => {
  const reader = createFrameReader()
  return parts.flatMap((part) => reader.take(Buffer.from(part))).map((frame) => ('text' in frame ? frame.text.toString() : frame.fault))
}

it('the frame that the standard prints is read and written, whole, byte by byte, and after noise', () => {
  const frame = frameOf(printed)
  expect(frame.toString()).toBe(`##0101${printed}1C80\r\n`)
  expect(read(frame)).toEqual([printed])
  expect(read(...[...frame].map((byte) => Buffer.from([byte])))).toEqual([printed])
  expect(read(Buffer.concat([Buffer.from('noise # \r\n'), frame, frame]))).toEqual([printed, printed])
  const broken = frame.toString().replace('1C80', '1C81')
  expect(read(broken, frame)).toEqual(['crc', printed])
  expect(read('##01x1', frame)).toEqual(['length', printed])
  // What announces more than it has swallows nothing once that has come.
  expect(read('##0020', frame)).toEqual(['crc', printed])
})

it('a message says who sent it, and what it wants; its answer has its number', () => {
  const message = readMessage(Buffer.from(printed))!
  expect(message).toMatchObject({ CN: '1062', MN: '010000A8900016F000169DC0', PW: '100000', Flag: 5, CP: 'RtdInterval=30', packets: 0 })
  expect(read(answerTo(message))).toEqual(['QN=20160801085857223;ST=91;CN=9014;PW=100000;MN=010000A8900016F000169DC0;Flag=4;CP=&&&&'])
  for (const wrong of ['', 'CP=&&', printed.replace('1062', '10'), printed.replace('010000A8', '%'), printed.replace('PW=100000', 'PW=')])
    expect([wrong, readMessage(Buffer.from(wrong))]).toEqual([wrong, undefined])
  expect(readContent('DataTime=20201010101010;a1-Rtd=1.5,a1-Flag=D;b-Avg=2,b-Max=3;;x;=1')).toEqual({
    dataTime: '20201010101010',
    items: [
      { code: 'a1', suffix: 'Rtd', value: '1.5', flag: 'D' },
      { code: 'b', suffix: 'Avg', value: '2', flag: 'N' },
      { code: 'b', suffix: 'Max', value: '3', flag: 'N' },
    ],
  })
})

it('a time is that of the wall clock, also where an hour comes twice or is skipped', () => {
  const now = Date.UTC(2026, 9, 25, 2)
  expect(wallTime('20260701120000', 'Asia/Shanghai', now)).toBe(Date.UTC(2026, 6, 1, 4))
  // Madrid shows 02:30 twice on this night: at 00:30 and 01:30 UTC.
  expect(wallTime('20261025023000', 'Europe/Madrid', Date.UTC(2026, 9, 25, 0, 31))).toBe(Date.UTC(2026, 9, 25, 0, 30))
  expect(wallTime('20261025023000', 'Europe/Madrid', Date.UTC(2026, 9, 25, 1, 31))).toBe(Date.UTC(2026, 9, 25, 1, 30))
  expect(wallTime('20260329023000', 'Europe/Madrid', now)).toBeTypeOf('number')
  for (const wrong of ['', '20261301000000', '20260230000000', '20260101240000', '19990101000000', '2026-01-01'])
    expect([wrong, wallTime(wrong, 'UTC', now)]).toEqual([wrong, undefined])
  expect(wallTime(wallText(now, 'Asia/Tokyo'), 'Asia/Tokyo', now)).toBe(now)
})

it('no bytes make the reader throw, hang, or hold more than a frame', () => {
  const piece = fc.oneof(
    fc.uint8Array({ maxLength: 80 }),
    fc.constantFrom('##', '##9999', '##0000', '#', 'CP=&&', '\r\n', printed, frameOf(printed).toString()).map((text) => Buffer.from(text)),
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      const reader = createFrameReader()
      for (const bytes of pieces)
        for (const frame of reader.take(Buffer.from(bytes))) if ('text' in frame) readContent(readMessage(frame.text)?.CP ?? '')
      return true
    }),
    { numRuns: 5000 },
  )
  const began = performance.now()
  const hostile = Buffer.from('##9999'.repeat(200_000))
  const reader = createFrameReader()
  for (let at = 0; at < hostile.length && !reader.isLost(); at += 65_536) reader.take(hostile.subarray(at, at + 65_536))
  expect([reader.isLost(), performance.now() - began < 1000, longestFrame < 10_100, mostFaults < 100]).toEqual([true, true, true, true])
  readContent('a-b=1,'.repeat(1600))
})
