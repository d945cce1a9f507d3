// 50,000 rows that a filter leaves go out in the background and come in again, through the front door.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Page, Wrapper } from '../../../../contract/call.ts'
import { type ExportTask, taskStatus } from '../../../../contract/exports.ts'
import { pointColumns } from '../../../../contract/point-fields.ts'
import { maker } from '../../../../main/testing/drafts.ts'
import { type Kit, startKit } from '../../../../main/testing/kit.ts'
import { device } from '../../../configuration/devices/contract.ts'
import { exportTaskRoutes } from '../../exports/server/taskRoutes.ts'
import { type Exports, openExports } from '../../exports/server/tasks.ts'

const rows = 50_000
const folder = mkdtempSync(join(tmpdir(), 'penstock-roundtrip-'))
let kit: Kit
let exports: Exports
beforeAll(async () => {
  kit = await startKit({
    areas: () => [
      (api) => exportTaskRoutes(api, new Proxy({} as Exports, { get: (_, name) => exports[name as keyof Exports].bind(exports) })),
    ],
  })
  exports = await openExports({ database: kit.database, sessions: kit.sessions, folder, log: { warn: () => {} } })
  const make = maker(kit)
  for (let i = 0; i < 10; i++) await make.create(device, { DeviceName: `Pump ${i}` })
  const names = pointColumns.map((name) => sql.raw(`"${name}"`))
  const values: Record<string, string> = {
    ParaName: `case when n % 5 = 0 then '=sum, "' || n || '"' else 'Value ' || n end`,
    Address: `(n % 60000)::text || case when n % 3 = 0 then '.7' else '' end`,
    ReadWriteType: 'n % 3',
    RegisterType: '4',
    ParaDataType: '(array[0, 1, 7, 31, 36])[n % 5 + 1]',
    SlaveNumber: 'n / 10 % 6 + 1',
    ParaUnitName: `case when n % 4 = 0 then null when n % 4 = 1 then '°C' else 'm³/h' end`,
    AlarmHigh: 'case when n % 2 = 0 then n / 7.0 end',
    AlarmLow: 'case when n % 3 = 0 then -0.1 * n - 1 end',
    UploadMode: '(array[0, 1, 3])[n % 3 + 1]',
    IsStore: 'n % 2',
  }
  const given = Object.keys(values)
  expect(given.every((name) => pointColumns.includes(name)) && names.length > given.length).toBe(true)
  // Ten thousand more that the filter leaves out.
  await kit.db.rows(sql`
    insert into point ("EnterpriseId", "DeviceId", ${sql.join(given.map((name) => sql.raw(`"${name}"`)))})
    select d."EnterpriseId", d."Id", ${sql.join(given.map((name) => sql.raw(values[name]!)))}
    from (select *, row_number() over (order by "Id") - 1 as at from device) d, generate_series(0, ${rows * 1.2 - 1}) n where n % 10 = d.at`)
})
afterAll(async () => {
  await exports?.close()
  await kit?.close()
  rmSync(folder, { recursive: true, force: true })
})

const upload = (path: string, file: Buffer) => {
  const head = '--sheet\r\nContent-Disposition: form-data; name="file"; filename="list"\r\n\r\n'
  const body = Buffer.concat([Buffer.from(head), file, Buffer.from('\r\n--sheet--\r\n')])
  return kit.call<Record<string, unknown>>('owner', 'POST', path, body, { 'content-type': 'multipart/form-data; boundary=sheet' })
}
/** All points as one text each, in the order of device and name; without what the database alone decides. */
const content = async () => {
  const columns = await kit.db.rows<{ name: string }>(
    sql`select column_name as name from information_schema.columns where table_name = 'point' and column_name not in ('Id', 'CreateTime', 'UpdateTime')`,
  )
  const row = sql.join(columns.map(({ name }) => sql.ref(`p.${name}`)))
  return kit.db.rows<{ text: string }>(
    sql`select d."DeviceName" || row(${row})::text as text from point p join device d on d."Id" = p."DeviceId" where p."SlaveNumber" <= 5 order by 1`,
  )
}
/** Removes the points that match the filter. They are new and unreferenced; checking references would take 800,000 queries. */
const removePoints = async () => {
  const client = new pg.Client({ connectionString: kit.adminUrl })
  await client.connect()
  await client.query('set session_replication_role = replica')
  await client.query('delete from point where "SlaveNumber" <= 5')
  await client.end()
}

it.each(['csv', 'xlsx'] as const)(
  '50,000 filtered rows exported as %s and imported again are equal',
  { timeout: 900_000 },
  async (Format) => {
    const before = await content()
    expect(before).toHaveLength(rows)
    const Query = { QueryInfo: { RelOP: 1, QueryConditions: [{ Field: 'SlaveNumber', Value: 5, LogicOP: 5 }] } }
    const task = await kit.data<ExportTask>('owner', 'POST', '/Project/ImportExportTask', { Resource: 'point', Format, Query })
    const list = async () => (await kit.data<Page<ExportTask>>('owner', 'GET', '/Project/ImportExportTask/List')).Items
    await expect
      .poll(async () => (await list())[0], { timeout: 300_000, interval: 200 })
      .toMatchObject({ Id: task.Id, Status: taskStatus.done })
    expect((await list())[0]!.DoneRows).toBe(before.length)
    const file = (await kit.request('owner', 'GET', `/Project/ImportExportTask/File?Id=${task.Id}`)).rawPayload

    const again: Wrapper<Record<string, unknown>> = await upload('/Project/DevPara/Import', file)
    expect(again).toMatchObject({ Succeeded: true, Data: { Added: 0, Changed: 0, Unchanged: before.length } })
    expect(await content()).toEqual(before)

    await removePoints()
    expect(await upload('/Project/DevPara/Import', file)).toMatchObject({ Data: { Added: before.length, Changed: 0, Unchanged: 0 } })
    expect(await content()).toEqual(before)
  },
)
