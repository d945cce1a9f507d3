import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Kit, startKit } from '../../../../main/testing/kit.ts'
import type { DaysOfSheet } from '../contract.ts'

let kit: Kit
beforeAll(async () => {
  kit = await startKit()
})
afterAll(() => kit?.close())

const path = '/Project/ShiftPlan/Days'
const read = (content: string | Buffer, name = 'days.csv', as = 'owner') =>
  kit.upload<DaysOfSheet>(as, `${path}/Import`, content as string, name)

it('a sheet has holidays, and make-up days with their weekday by number or by name in any language', async () => {
  const days = ['Day,Works as', '2026-10-01,', '2026-10-02', '2026-10-10,Monday', '2026/10/11,星期二', '2026-10-17,6', '2026-10-18,Dom']
  expect((await read(days.join('\n'))).Data).toEqual({
    Holidays: ['2026-10-01', '2026-10-02'],
    MakeUps: [
      { Day: '2026-10-10', As: 2 },
      { Day: '2026-10-11', As: 3 },
      { Day: '2026-10-17', As: 6 },
      { Day: '2026-10-18', As: 1 },
    ],
  })
})

it('what is no day, no weekday or there twice is refused by its row, and all of the sheet with it', async () => {
  const { StatusCode, Details } = await read('2026-02-30,\n2026-10-01,\n2026-10-01,Monday\n2026-10-03,Someday\nsoon,\n')
  expect(StatusCode).toBe(400)
  expect(Details!.Rows!.map(({ Row, Field }) => `${Row} ${Field}`)).toEqual(['1 Day', '3 Day', '4 As', '5 Day'])
  expect(await read('Day,Works as\n')).toMatchObject({ StatusCode: 400 })
  expect(await read(Buffer.from([0x50, 0x4b, 3, 4, 0]), 'days.xlsx')).toMatchObject({ StatusCode: 400 })
})

it('the template is a sheet that is read, in each format', async () => {
  for (const format of ['xlsx', 'csv']) {
    const { rawPayload } = await kit.request('owner', 'GET', `${path}/Template?Format=${format}`)
    expect((await read(rawPayload, `days.${format}`)).Data, format).toEqual({
      Holidays: ['2026-10-01'],
      MakeUps: [{ Day: '2026-10-10', As: 2 }],
    })
  }
})
