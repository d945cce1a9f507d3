import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Page } from '../../../../contract/call.ts'
import { maker } from '../../../../main/testing/drafts.ts'
import { type Kit, startKit } from '../../../../main/testing/kit.ts'
import { constraintFault } from '../../../../server/http/validation.ts'
import { serverActor } from '../../../../server/identity/actor.ts'
import { addMany } from '../../../../server/resource/batch.ts'
import { device } from '../../devices/contract.ts'
import { point } from '../contract.ts'
import { pointRoutes } from './routes.ts'

type Row = { Id: number; UpdateStamp: number } & Record<string, unknown>
let kit: Kit
let make: ReturnType<typeof maker>
beforeAll(async () => {
  kit = await startKit({ areas: () => [pointRoutes] })
  make = maker(kit)
})
afterAll(() => kit?.close())

const save = (DeviceId: number, Rows: object[], as = 'owner') => kit.call(as, 'POST', '/Project/DevPara/Cells', { DeviceId, Rows })
const pointsOf = async (id: number) =>
  (await kit.data<Page<Row>>('owner', 'GET', `${point.path}/List?PageSize=1000&OrderColumn=Id&DeviceId=${id}`)).Items
const deviceWith = async (...names: string[]) => {
  const { Id } = await make.create(device)
  await save(
    Id,
    names.map((ParaName, i) => ({ ParaName, Address: String(i * 2) })),
  )
  return { id: Id, rows: await pointsOf(Id) }
}

it('saves edited cells and new rows together, and keeps the Ids', async () => {
  const { id, rows } = await deviceWith('A', 'B')
  const [a, b] = rows as [Row, Row]
  const done = await save(id, [
    { Id: a.Id, UpdateStamp: a.UpdateStamp, AlarmHigh: 60, ParaUnitName: '°C' },
    { ParaName: 'C', Address: '10', AlarmLow: 1 },
    { Id: b.Id, Address: '12.3', ParaDataType: 0 },
  ])
  expect(done.Data).toEqual({ Changed: 2, Added: 1 })
  const after = await pointsOf(id)
  expect(after.slice(0, 2).map(({ Id }) => Id)).toEqual([a.Id, b.Id])
  expect(after).toMatchObject([
    { ParaName: 'A', AlarmHigh: 60, ParaUnitName: '°C', Address: '0' },
    { ParaName: 'B', Address: '12.3', ParaDataType: 0 },
    { ParaName: 'C', Address: '10', AlarmLow: 1, ParaDataType: 7 },
  ])
})

it('a name that somebody else adds at the same moment is refused as taken, within a larger transaction too', async () => {
  const { id } = await deviceWith('A')
  const again = [{ DeviceId: id, ParaName: 'A', Address: '7' }]
  const refused = await kit.database.system.tx((db) => addMany(db, serverActor(kit.enterprises.ours), point, again)).catch((error) => error)
  expect(constraintFault(refused)).toMatchObject({ key: 'taken' })
})

it('two points can swap their names', async () => {
  const { id, rows } = await deviceWith('A', 'B')
  await save(id, [
    { Id: rows[0]!.Id, ParaName: 'B' },
    { Id: rows[1]!.Id, ParaName: 'A' },
  ])
  expect((await pointsOf(id)).map(({ ParaName }) => ParaName)).toEqual(['B', 'A'])
})

it('refuses all rows at the cell that is wrong', async () => {
  const { id, rows } = await deviceWith('A', 'B')
  const [a, b] = rows as [Row, Row]
  const fine = { Id: a.Id, AlarmHigh: 5 }
  const refused = async (...more: object[]) => Object.keys((await save(id, [fine, ...more])).Details?.Fields ?? {})
  expect(await refused({ Id: b.Id, AlarmLow: 9, AlarmHigh: 3 })).toEqual(['Rows.1.AlarmHigh'])
  expect(await refused({ Id: b.Id, ParaName: 'A' })).toEqual(['Rows.1.ParaName'])
  expect(await refused({ ParaName: 'C', Address: '4' }, { ParaName: 'C', Address: '6' })).toEqual(['Rows.2.ParaName'])
  expect(await refused({ ParaName: 'C', Address: '4', AlarmLow: 9, AlarmHigh: 3 })).toEqual(['Rows.1.AlarmHigh'])
  expect(await refused({ Id: b.Id, StandardParaId: 999_999_999 })).toEqual(['Rows.1.StandardParaId'])
  expect(await pointsOf(id)).toEqual(rows)
})

it('refuses a row that another person has changed, and points of other devices and companies', async () => {
  const { id, rows } = await deviceWith('A')
  const [a] = rows as [Row]
  await save(id, [{ Id: a.Id, UpdateStamp: a.UpdateStamp, AlarmHigh: 5 }])
  expect((await save(id, [{ Id: a.Id, UpdateStamp: a.UpdateStamp, AlarmHigh: 6 }])).Details?.Fault).toBe('changedMeanwhile')
  const other = await deviceWith('Z')
  expect((await save(id, [{ Id: other.rows[0]!.Id, AlarmHigh: 6 }])).StatusCode).toBe(404)
  expect((await save(id, [{ Id: a.Id, AlarmHigh: 6 }], 'stranger')).StatusCode).toBe(404)
  expect((await save(id, [{ Id: a.Id, AlarmHigh: 6 }], 'viewer')).StatusCode).toBe(403)
  expect((await pointsOf(id))[0]).toMatchObject({ AlarmHigh: 5 })
})
