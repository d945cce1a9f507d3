import { afterAll, beforeAll, expect, it } from 'vitest'
import { maker } from '../../../../main/testing/drafts.ts'
import { type Kit, startKit } from '../../../../main/testing/kit.ts'
import { project } from '../../../configuration/projects/contract.ts'
import { flowchartRoutes } from './routes.ts'

type Row = Record<string, unknown> & { Id: number }
const path = '/Project/Ddt/Flowchart'
let kit: Kit
beforeAll(async () => {
  const latest = new Map() as never
  kit = await startKit({
    areas: () => [(api) => flowchartRoutes(api, { latest, write: async () => ({}) as never, clock: Date.now } as never)],
  })
})
afterAll(() => kit.close())

it('a person begins with a picture that he sees; nobody removes it while he does', async () => {
  const { Id: ProjectId } = await maker(kit).create(project)
  await kit.person('starter', kit.enterprises.ours, { menus: ['m10125'], projects: [Number(ProjectId)] })
  await kit.person('outsider', kit.enterprises.ours, { menus: ['m10125'], projects: [] })
  const { Id: outsider } = await kit.data<Row>('outsider', 'GET', '/System/User/UserInfo')
  const set = (IndexFlowchartId: number | null, who = 'starter') => kit.call(who, 'PUT', '/System/User/Account', { IndexFlowchartId })
  const first = () => kit.data<Row | null>('starter', 'GET', '/Auth/ShowIndexFlowchart')
  const { Id } = await kit.data<Row>('owner', 'POST', path, { FlowchartName: 'Overview', ProjectId })
  const publish = () => kit.data('owner', 'POST', `${path}/Publish`, { Id })
  expect(await first()).toBeNull()
  expect((await set(Id)).Details).toMatchObject({ Fields: { IndexFlowchartId: [expect.any(String)] } })
  await publish()
  expect((await set(Id, 'stranger')).StatusCode).toBe(400)
  expect((await set(Id)).Succeeded).toBe(true)
  expect(await first()).toEqual({ Id })
  const other = await kit.call('owner', 'PUT', '/System/User', { Id: outsider, IndexFlowchartId: Id })
  expect(other.Details).toMatchObject({ Fields: { IndexFlowchartId: [expect.any(String)] } })
  expect(await kit.call('owner', 'DELETE', path, { Id })).toMatchObject({ StatusCode: 409, Details: { UsedBy: [{ Resource: 'user' }] } })
  await kit.data('owner', 'POST', `${path}/CancelPublish`, { Id })
  expect(await first()).toBeNull()
  await publish()
  await set(null)
  expect((await kit.call('owner', 'DELETE', path, { Id })).Succeeded).toBe(true)
})
