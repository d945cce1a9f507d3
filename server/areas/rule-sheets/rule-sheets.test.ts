// Rules leave as a sheet and come back: what they watch names points in words.
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Imported } from '../../../contract/areas/exports.ts'
import type { Wrapper } from '../../../contract/base/call.ts'
import { readCsv } from '../../files/csv.ts'
import { readSheet } from '../../files/xlsx.ts'
import { type Area, above, configure, startArea } from '../alarms/harness.ts'

let area: Area
let [p, q] = [0, 0]
let names: { project: string; device: string }
beforeAll(async () => {
  area = await startArea()
  p = await area.makePoint({ AlarmLow: null, AlarmHigh: null, ParaName: 'Pressure', Address: '40101' })
  const DeviceId = area.registry.get(p)!.DeviceId
  q = await area.makePoint({ DeviceId, AlarmLow: null, AlarmHigh: null, ParaName: 'Run', ParaDataType: 0, Address: '7' })
  const [row] = await area.kit.db.rows<typeof names>(sql`
    select r."ProjectName" as project, d."DeviceName" as device from device d join gateway g on g."Id" = d."GatewayId" join project r on r."Id" = g."ProjectId" where d."Id" = ${DeviceId}`)
  names = row!
})
afterAll(async () => {
  await area.reset()
  await area.kit.close()
})

const send = async (as: string, text: string, query = '') => {
  const boundary = 'sheet'
  const payload = `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="rules.csv"\r\ncontent-type: text/csv\r\n\r\n${text}\r\n--${boundary}--\r\n`
  const answer = await area.kit.request(as, 'POST', `/Alarm/AlarmRule/Import${query}`, payload, {
    'content-type': `multipart/form-data; boundary=${boundary}`,
  })
  return answer.json() as Wrapper<Imported>
}
const output = async (as = 'owner') => (await area.kit.request(as, 'GET', '/Alarm/AlarmRule/Output?Format=csv')).body
const head = 'Name,Project,Conditions,Level\r\n'

it('comes back unchanged, and a changed cell changes its rule only', async () => {
  const two = configure([above(p, { Deadband: 1 }), { ...above(q), OperateSymbol: 1, ParamValue: 1 }], {
    EnableType: 1,
    EnableRule: { TimeZone: 'UTC', StartTime: '08:00', EndTime: '18:00' },
  })
  const { Id } = await area.kit.data<{ Id: number }>('owner', 'POST', '/Alarm/AlarmRule', {
    RuleName: 'Both',
    RuleConfigure: two,
    Status: 1,
  })
  const steps = configure([above(p)], { Severity: [{ AlarmLevel: 3, ParamValue: 80 }] })
  await area.kit.data('owner', 'POST', '/Alarm/AlarmRule', { RuleName: 'Steps', RuleConfigure: steps })
  const sheet = await output()
  const [header, ...rows] = await readCsv(Buffer.from(sheet))
  const column = (name: string) => header!.indexOf(name)
  const of = (name: string) => rows.find((r) => r[0] === name)!
  expect(of('Both')[column('Conditions')]).toBe(`{${names.device} / Pressure} > 10 back 1 and {${names.device} / Run} = 1`)
  expect(of('Both')[column('Watches when')]).toBe('08:00-18:00 UTC')
  expect(of('Steps')[column('Levels by value')]).toBe('3: 80')
  expect((await send('owner', sheet)).Data).toMatchObject({ Added: 0, Changed: 0, Unchanged: 2 })
  const changed = sheet.replace('> 10 back 1', '> 12 back 1')
  expect((await send('owner', changed, '?Preview=1')).Data!.Preview).toMatchObject([{ Verb: 'update', Title: 'Both' }])
  expect((await send('owner', changed)).Data).toMatchObject({ Changed: 1, Unchanged: 1 })
  const rule = await area.kit.data<{ RuleConfigure: typeof two; Status: number }>('owner', 'GET', `/Alarm/AlarmRule?Id=${Id}`)
  expect(rule).toMatchObject({ Status: 1, RuleConfigure: { EnableType: 1 } })
  expect(rule.RuleConfigure.RuleList[0]!.Conditions[0]).toMatchObject({ ParamValue: 12, Deadband: 1, AlarmParams: [{ ParaId: p }] })
})

it('adds rules whose points are named by name, by address of the protocol, by number or for every device', async () => {
  const { device, project } = names
  const says = [`{${device} / Pressure} > 50`, `{${device} / 40101} > 50`, `{#${p}} > 50`, '{* / Pressure} > 50', `{${device}, / Run} = 1`]
  const rows = says.map((text, i) => `Added ${i},${project},"${text}",3`).join('\r\n')
  expect((await send('owner', head + rows, '?Preview=1')).Data).toMatchObject({ Added: 5 })
  expect((await send('owner', head + rows)).Data).toMatchObject({ Added: 5, Changed: 0 })
  const { Items } = await area.kit.data<{
    Items: { RuleName: string; AlarmLevel: number; Status: number; RuleConfigure: ReturnType<typeof configure> }[]
  }>('owner', 'GET', '/Alarm/AlarmRule/List?PageSize=100&OrderColumn=RuleName&OrderType=asc')
  const added = Items.filter((r) => r.RuleName.startsWith('Added'))
  expect(added.slice(0, 3).map((r) => r.RuleConfigure.RuleList[0]!.Conditions[0]!)).toMatchObject(
    Array.from({ length: 3 }, () => ({ ParamValue: 50, AlarmParams: [{ ParaId: p }] })),
  )
  expect(added.every((r) => r.AlarmLevel === 3 && r.Status === 0)).toBe(true)
  expect((await send('owner', await output())).Data).toMatchObject({ Added: 0, Changed: 0 })
})

it('names row, column and reason of each cell that is wrong, and writes nothing', async () => {
  const { device, project } = names
  const rows = [
    `Bad 1,${project},"{${device} / Pressure} above 5",2`,
    `Bad 2,${project},"{${device} / Nothing} > 5",2`,
    `Bad 3,${project},"{${device} / Run} > 5",2`,
    `Good,${project},"{${device} / Pressure} > 5",2`,
  ].join('\r\n')
  const { Details } = await send('owner', head + rows)
  expect(Details!.Rows!.map((r) => [r.Row, r.Field])).toEqual(
    expect.arrayContaining([
      [2, 'Conditions'],
      [3, 'Conditions'],
      [4, 'Conditions'],
    ]),
  )
  expect(Details!.Rows!.map((r) => r.Message).join(' ')).toContain('above 5')
  expect(Details!.Rows!.map((r) => r.Message).join(' ')).toContain(`${device} / Nothing`)
  expect(await output()).not.toContain('Good')
})

it('is its tenant’s: another’s project and points are unknown, and without the buttons nothing is read', async () => {
  const { device, project } = names
  const row = `Foreign,${project},"{${device} / Pressure} > 5",2`
  expect((await send('stranger', head + row)).Details!.Rows).toMatchObject([{ Row: 2, Field: 'ProjectId' }])
  expect(await output('stranger')).not.toContain('Pressure')
  expect((await send('viewer', head + row)).StatusCode).toBe(403)
})

it('offers a template in both formats that shows what the columns take', async () => {
  const xlsx = await area.kit.request('owner', 'GET', '/Alarm/AlarmRule/Template')
  const [header, example] = await readSheet(xlsx.rawPayload)
  expect(header).toContain('Conditions')
  expect(example!.join(' ')).toContain('{Pump 1 / Pressure}')
  const csv = await readCsv((await area.kit.request('owner', 'GET', '/Alarm/AlarmRule/Template?Format=csv')).rawPayload)
  expect(csv[0]).toEqual(header)
})
