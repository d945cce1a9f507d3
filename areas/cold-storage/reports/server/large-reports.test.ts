// A report of a month of minutes: others are served while it is computed and read, and a company's reports wait in a queue that ends.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { hour, minute, startReports } from './reports.fixture.ts'

const t0 = Date.UTC(2026, 2, 2)
const end = t0 + 31 * 24 * hour
const now = end + 12 * hour
let house: Awaited<ReturnType<typeof startReports>>
let room: { Id: number }
beforeAll(async () => {
  house = await startReports(() => now)
  room = await house.mapped('Large', 12, t0, end, (point, at) => 4 + point / 10 + Math.sin(at / hour) / 2, 4 * minute)
})
afterAll(() => house?.close())

/** Small calls of somebody else that are answered, one after the other, until the work is done. */
const answeredDuring = async (work: Promise<unknown>) => {
  let isOver = false
  const done = work.finally(() => {
    isOver = true
  })
  let answered = 0
  while (!isOver) {
    await house.kit.data('stranger', 'POST', '/ColdStorage/ReportCheckList', {})
    answered++
  }
  await done
  return answered
}

it('others are served while a report of half a million values is computed, shown and drawn', async () => {
  const limits = { ColdStorageId: room.Id, CriteriaName: 'Slow', TempLow: 2, TempHigh: 8 }
  const { Id: CriteriaId } = await house.kit.data<{ Id: number }>('owner', 'POST', '/ColdStorage/ReportCriteria', limits)
  const { Data } = await house.check(room.Id, t0, end, { CriteriaId })
  expect(await answeredDuring(house.settle())).toBeGreaterThan(50)
  expect(await house.find(Data.Id)).toMatchObject({ Result: 1 })
  const shown = house.kit.data<{ Parts: unknown[] }>('viewer', 'GET', `/ColdStorage/Report/Document?Id=${Data.Id}`)
  expect(await answeredDuring(shown)).toBeGreaterThan(50)
  expect((await shown).Parts.length).toBeGreaterThan(5)
  expect(await answeredDuring(house.kit.request('viewer', 'GET', `/ColdStorage/Report/Pdf?Id=${Data.Id}`))).toBeGreaterThan(50)
})

it('others are served while the readings of a month are looked at', async () => {
  const month = `ColdStorageId=${room.Id}&Start=${t0}&End=${end}`
  type Figures = { Points: { Avg: number }[]; Room: { Uniformity: number } }
  const asked = house.kit.data<Figures>('viewer', 'GET', `/ColdStorage/Statistics?${month}`)
  expect(await answeredDuring(asked)).toBeGreaterThan(100)
  const { Points, Room } = await asked
  expect([Points.length, Room.Uniformity]).toEqual([12, 1.1])
  type Phases = { Items: { Phase: number; Minutes: number }[] }
  const { Items } = await house.kit.data<Phases>('viewer', 'GET', `/ColdStorage/PhaseStatistics?${month}&PhaseType=1`)
  expect(Items.find(({ Phase }) => Phase === 2)).toMatchObject({ Minutes: 31 * 24 * 60 })
})

it('a time that no clock shows is refused or empty, and no failure', async () => {
  const far = { Start: 8_639_999_998_000_000, End: 8_640_000_000_000_000 }
  const range = `ColdStorageId=${room.Id}&Start=${far.Start}&End=${far.End}`
  for (const path of [1, 2, 3]
    .map((type) => `PhaseStatistics?PhaseType=${type}&${range}`)
    .concat(`EnergyTypeStatistics?${range}`, `Statistics?${range}`))
    expect((await house.kit.call('viewer', 'GET', `/ColdStorage/${path}`)).StatusCode, path).toBeLessThan(500)
  for (const path of ['ReportCheck_Calc', 'Report/PreCheck', 'GenerateReportCheck'])
    expect(
      (
        await house.kit.call('owner', 'POST', `/ColdStorage/${path}`, {
          ...{ ColdStorageId: room.Id, ...far, MinPoints: 1, MinHours: 1, IntervalMin: 5, CheckKind: 1, LoadState: 0, Season: 1 },
        })
      ).StatusCode,
      path,
    ).toBeLessThan(500)
})

it('of fifty reports that somebody asks for at once, twenty wait and the others are refused', async () => {
  const asked = await Promise.all(Array.from({ length: 50 }, () => house.check(room.Id, t0, t0 + hour)))
  const codes = asked.map(({ StatusCode }) => StatusCode)
  expect(codes.filter((code) => code === 200).length).toBeLessThanOrEqual(20)
  expect(codes.filter((code) => code === 429 || code === 503).length).toBeGreaterThanOrEqual(30)
})
