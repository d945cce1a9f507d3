import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { emptyScene } from '../../../../contract/picture/scene.ts'
import { maker } from '../../../../main/testing/drafts.ts'
import { type Kit, startKit } from '../../../../main/testing/kit.ts'
import { project } from '../../../configuration/projects/contract.ts'
import { removedDays } from '../contract.ts'
import { flowchartRoutes } from './routes.ts'
import { forgetRemoved } from './service.ts'

type Row = Record<string, unknown> & { Id: number }
const path = '/Project/Ddt/Flowchart'
const dayMs = 86_400_000
let kit: Kit
let ProjectId = 0
beforeAll(async () => {
  kit = await startKit({ areas: () => [(api) => flowchartRoutes(api, { latest: new Map(), clock: Date.now } as never)] })
  ProjectId = (await maker(kit).create(project)).Id
})
afterAll(() => kit.close())

const removed = (as = 'owner') => kit.data<{ Items: Row[] }>(as, 'GET', `${path}/RemovedList`)
const undo = (Id: number, as = 'owner') => kit.call(as, 'POST', `${path}/UndoRemove`, { Id })
/** A picture with two versions and a later draft, removed. */
const picture = async (FlowchartName: string) => {
  const { Id } = await kit.data<Row>('owner', 'POST', path, { FlowchartName, ProjectId })
  const draw = (...texts: string[]) => {
    const items = texts.map((text, i) => ({ kind: 'text', id: `t${i}`, text, x: 0, y: 0, w: 80, h: 30, size: 16 }))
    return kit.data('owner', 'POST', `${path}/Save`, { Id, Scene: { ...emptyScene(), items } })
  }
  for (const texts of [['one'], ['one', 'two']]) {
    await draw(...texts)
    await kit.data('owner', 'POST', `${path}/Publish`, { Id })
  }
  await draw('draft')
  const row = await kit.data<Row>('owner', 'GET', `${path}?Id=${Id}`)
  await kit.data('owner', 'DELETE', path, { Id })
  return row
}
const opened = (Id: number, more: object = {}) => kit.data<Row>('owner', 'POST', `/V3${path}/Detail`, { Id, ...more })

it('a removed picture is made again under its old Id, with its draft and its versions', async () => {
  const { UpdateTime: _, UpdateStamp: __, ...row } = await picture('Tank farm')
  expect(await kit.call('owner', 'GET', `${path}?Id=${row.Id}`)).toMatchObject({ StatusCode: 404 })
  expect(await kit.call('owner', 'GET', `${path}/HistoryList?Id=${row.Id}`)).toMatchObject({ StatusCode: 404 })
  expect((await removed()).Items).toMatchObject([{ Id: row.Id, FlowchartName: 'Tank farm', RemoveTime: expect.any(String) }])
  expect(await undo(row.Id)).toMatchObject({ Succeeded: true })
  expect(await kit.data('owner', 'GET', `${path}?Id=${row.Id}`)).toMatchObject(row)
  expect(await opened(row.Id)).toMatchObject({ Version: 2, Scene: { items: [{ text: 'one' }, { text: 'two' }] } })
  expect(await opened(row.Id, { Version: 1 })).toMatchObject({ Scene: { items: [{ text: 'one' }] } })
  expect(await opened(row.Id, { Draft: true })).toMatchObject({ Scene: { items: [{ text: 'draft' }] } })
  expect((await removed()).Items).toEqual([])
  expect((await undo(row.Id)).StatusCode).toBe(404)
})

it('nobody makes it again who does not see its project, or while another picture has its name', async () => {
  const { Id } = await picture('Pumps')
  await kit.person('elsewhere', kit.enterprises.ours, { menus: ['m10130', 'm10130.remove'], projects: [] })
  for (const as of ['stranger', 'elsewhere']) {
    expect((await removed(as)).Items).toEqual([])
    expect((await undo(Id, as)).StatusCode).toBe(404)
  }
  expect((await undo(Id, 'viewer')).StatusCode).toBe(403)
  const other = await kit.data<Row>('owner', 'POST', path, { FlowchartName: 'Pumps', ProjectId })
  expect((await undo(Id)).Details).toMatchObject({ Fields: { FlowchartName: [expect.any(String)] } })
  await kit.data('owner', 'PUT', path, { Id: other.Id, FlowchartName: 'Other pumps' })
  expect((await undo(Id)).Succeeded).toBe(true)
})

it('it is forgotten after 30 days, with its versions', async () => {
  const { Id } = await picture('Cold room')
  const versions = () => kit.db.rows(sql`select 1 from flowchart_version where "FlowchartId" = ${Id}`)
  await forgetRemoved(kit.database.system, Date.now() + (removedDays - 1) * dayMs)
  expect(await versions()).toHaveLength(2)
  await forgetRemoved(kit.database.system, Date.now() + (removedDays + 1) * dayMs)
  expect(await versions()).toEqual([])
  expect((await undo(Id)).StatusCode).toBe(404)
})

it('a copy has the drawing, and is not published', async () => {
  const { Id } = await kit.data<Row>('owner', 'POST', path, { FlowchartName: 'Original', ProjectId })
  const text = { kind: 'text', id: 't', text: 'one', x: 0, y: 0, w: 80, h: 30, size: 16 }
  await kit.data('owner', 'POST', `${path}/Save`, { Id, Scene: { ...emptyScene(), items: [text] } })
  const copy = await kit.data<Row>('owner', 'POST', `${path}/Copy`, { Id })
  expect(await opened(copy.Id, { Draft: true })).toMatchObject({
    Flowchart: { FlowchartName: 'Original (2)', State: 0 },
    Scene: { items: [{ text: 'one' }] },
  })
})
